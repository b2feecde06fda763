// Numbers by chance, the same for a seed on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace jitc::random_arrays {

class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed) {}

  /// SplitMix64 (Steele, Lea, Flood 2014).
  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// 0 to `count` - 1; `count` is at least 1.
  template <class T>
  T below(T count) {
    return static_cast<T>(bits() % static_cast<uint64_t>(count));
  }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool likely(double probability) { return static_cast<double>(bits() >> 11) * 0x1p-53 < probability; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace jitc::random_arrays
