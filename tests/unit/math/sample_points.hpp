// The arguments every function is tried on; the same in every run.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/support/split_mix.hpp"
#include "tests/unit/math/mpfr_reference.hpp"

namespace jitc::math_test {

class Random : public tests::SplitMix {
 public:
  using SplitMix::SplitMix;

  double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// Any bit pattern: every exponent is as likely as another, subnormals and NaNs included.
  template <typename T>
  T any() {
    T value;
    const uint64_t pattern = bits() >> (64 - 8 * sizeof(T));
    std::memcpy(&value, &pattern, sizeof(T));
    return value;
  }
};

/// Zeros, infinities, nan, the ends of the subnormal and normal ranges, powers of two and their neighbours, halves,
/// integers, huge arguments; both signs.
template <typename T>
std::vector<T> special_points();

/// `count` arguments: half of them any bit pattern, the rest from `dense`.
template <typename T>
std::vector<T> random_points(Random& random, int count, const std::vector<Interval>& dense);

}  // namespace jitc::math_test
