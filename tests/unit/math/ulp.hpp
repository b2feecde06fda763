// How far a result is from the exact one, in units of the exact one's last place.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jitc::math_test {

/// Error of `got` in ulp; 0 where both are the same special value or `got` is the overflow of `exact`; infinity where
/// one is nan, infinite or a zero of the wrong sign and the other is not. `floor` is the least magnitude whose last
/// place counts (0: subnormals are as exact as their spacing allows).
template <typename T>
double ulp_error(T got, mpfr_srcptr exact, double floor = 0) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<T>;
  if (mpfr_nan_p(exact) || std::isnan(got)) return mpfr_nan_p(exact) && std::isnan(got) ? 0 : kWrong;
  if (mpfr_zero_p(exact) && floor == 0) return got == 0 && std::signbit(got) == (mpfr_signbit(exact) != 0) ? 0 : kWrong;
  if (std::isinf(got) || mpfr_inf_p(exact)) {
    mpfr_t largest;
    mpfr_init2(largest, 64);
    mpfr_set_d(largest, static_cast<double>(Limits::max()), MPFR_RNDN);
    const bool overflows = mpfr_cmpabs(exact, largest) > 0;
    mpfr_clear(largest);
    return std::isinf(got) && overflows && std::signbit(got) == (mpfr_signbit(exact) != 0) ? 0 : kWrong;
  }
  const int floor_exponent = floor > 0 && std::isfinite(floor) ? std::ilogb(floor) + 1 : Limits::min_exponent;
  const long magnitude = mpfr_zero_p(exact) ? Limits::min_exponent : mpfr_get_exp(exact);
  const long exponent = std::max({magnitude, long{floor_exponent}, long{Limits::min_exponent}});
  mpfr_t difference;
  mpfr_init2(difference, mpfr_get_prec(exact) + 64);
  mpfr_sub_d(difference, exact, static_cast<double>(got), MPFR_RNDN);
  mpfr_mul_2si(difference, difference, Limits::digits - exponent, MPFR_RNDN);
  const double ulps = std::fabs(mpfr_get_d(difference, MPFR_RNDN));
  mpfr_clear(difference);
  return ulps;
}

}  // namespace jitc::math_test
