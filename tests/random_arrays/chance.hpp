// Numbers by chance, the same for a seed on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tests/support/split_mix.hpp"

namespace jitc::random_arrays {

class Chance : public tests::SplitMix {
 public:
  using SplitMix::SplitMix;

  /// 0 to `count` - 1; `count` is at least 1.
  template <class T>
  T below(T count) {
    return static_cast<T>(bits() % static_cast<uint64_t>(count));
  }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool likely(double probability) { return unit() < probability; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }
};

}  // namespace jitc::random_arrays
