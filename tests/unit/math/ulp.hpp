// How far a result is from the exact one, in units of the exact one's last place.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <limits>

namespace jitc::math_test {

/// The same number, zeros with the same sign; or both are nan.
template <typename T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// A binary floating-point format, in the terms of std::numeric_limits.
struct Format {
  int digits, min_exponent, max_exponent;
};
inline constexpr Format kF2 = {11, -13, 16}, kBf16 = {8, -125, 128};
template <typename T>
constexpr Format format_of() {
  using Limits = std::numeric_limits<T>;
  return {Limits::digits, Limits::min_exponent, Limits::max_exponent};
}

/// The exponent (as frexp's) whose last place counts where the exact magnitude has `exponent`. `floor` is the least
/// magnitude whose last place counts (0: subnormals are as exact as their spacing allows).
int counting_exponent(long exponent, const Format& format, double floor);

/// Error of `got`, which has the format, in ulp; 0 where both are the same special value; infinity where one is nan,
/// infinite or a zero of the wrong sign and the other is not. An infinity for a finite number that is too large counts
/// as the power of two behind the largest one.
double ulp_error(double got, mpfr_srcptr exact, const Format& format, double floor = 0);

template <typename T>
double ulp_error(T got, mpfr_srcptr exact, double floor = 0) {
  return ulp_error(static_cast<double>(got), exact, format_of<T>(), floor);
}

}  // namespace jitc::math_test
