// The arguments every function is tried on; the same in every run.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/unit/math/mpfr_reference.hpp"

namespace jitc::math_test {

/// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Any bit pattern: every exponent is as likely as another, subnormals and NaNs included.
  template <typename T>
  T any() {
    T value;
    const uint64_t pattern = bits() >> (64 - 8 * sizeof(T));
    std::memcpy(&value, &pattern, sizeof(T));
    return value;
  }

 private:
  uint64_t state_;
};

/// Zeros, infinities, nan, the ends of the subnormal and normal ranges, powers of two and their neighbours, halves,
/// integers, huge arguments; both signs.
template <typename T>
std::vector<T> special_points();

/// `count` arguments: half of them any bit pattern, the rest from `dense`.
template <typename T>
std::vector<T> random_points(Random& random, int count, const std::vector<Interval>& dense);

}  // namespace jitc::math_test
