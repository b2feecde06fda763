// The largest error of a function: at special values, in the whole range, and where the function is not trivial.
#pragma once

#include <cstdint>
#include <functional>

#include "tests/unit/math/mpfr_reference.hpp"

namespace jitc::math_test {

/// The worst result seen, with its arguments; infinity where a special value is wrong.
struct Worst {
  double ulps = 0;
  double x = 0, y = 0, got = 0;
  uint64_t points = 0;  ///< tried

  /// Takes the other's place where that is worse; points add up.
  void merge(const Worst& other);
};

inline constexpr uint64_t kUsualSeed = 0x6a697463;

/// Of the native function for T (float or double). `on_point` is called now and then with the points done since.
template <typename T>
Worst measure(const Reference& reference, int random_points, uint64_t seed = kUsualSeed,
              const std::function<void(uint64_t)>& on_points = {});

/// At one pair of arguments.
template <typename T>
double error_at(const Reference& reference, T x, T y);

}  // namespace jitc::math_test
