#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace jitc::blocks {

/// Random choices that are the same in every run.
class Chance {
 public:
  explicit Chance(uint64_t seed) : engine_(seed) {}

  /// 0 … count - 1.
  uint64_t below(uint64_t count) { return engine_() % count; }
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(static_cast<uint64_t>(high - low + 1)));
  }
  bool once_in(uint64_t count) { return below(count) == 0; }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace jitc::blocks
