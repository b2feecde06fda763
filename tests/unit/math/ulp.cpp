#include "tests/unit/math/ulp.hpp"

#include <algorithm>
#include <cmath>

#include "tests/unit/math/mpfr_reference.hpp"

namespace jitc::math_test {

namespace {

constexpr double kWrong = std::numeric_limits<double>::infinity();

/// |got - exact|, of which the last place is 2^(exponent - digits).
double distance(double got, mpfr_srcptr exact, long exponent, const Format& format) {
  Mpfr difference(mpfr_get_prec(exact) + 64);
  mpfr_sub_d(difference.get(), exact, got, MPFR_RNDN);
  mpfr_mul_2si(difference.get(), difference.get(), format.digits - exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.get(), MPFR_RNDN));
}

/// `got` is infinite or `exact` is.
double error_at_infinity(double got, mpfr_srcptr exact, const Format& format) {
  if (!std::isinf(got) || std::signbit(got) != (mpfr_signbit(exact) != 0)) return kWrong;
  if (mpfr_inf_p(exact) || mpfr_get_exp(exact) > format.max_exponent) return 0;
  Mpfr largest(64), magnitude(mpfr_get_prec(exact)), behind(64);
  mpfr_set_ui_2exp(behind.get(), 1, format.max_exponent, MPFR_RNDN);
  mpfr_set_ui_2exp(largest.get(), 1, format.max_exponent - format.digits, MPFR_RNDN);
  mpfr_sub(largest.get(), behind.get(), largest.get(), MPFR_RNDN);
  mpfr_abs(magnitude.get(), exact, MPFR_RNDN);
  if (mpfr_lessequal_p(magnitude.get(), largest.get())) return kWrong;
  mpfr_sub(behind.get(), behind.get(), magnitude.get(), MPFR_RNDN);
  mpfr_mul_2si(behind.get(), behind.get(), format.digits - format.max_exponent, MPFR_RNDN);
  return mpfr_get_d(behind.get(), MPFR_RNDN);
}

}  // namespace

int counting_exponent(long exponent, const Format& format, double floor) {
  const int least = floor > 0 && std::isfinite(floor) ? std::ilogb(floor) + 1 : format.min_exponent;
  return static_cast<int>(std::max({exponent, long{least}, long{format.min_exponent}}));
}

double ulp_error(double got, mpfr_srcptr exact, const Format& format, double floor) {
  if (mpfr_nan_p(exact) || std::isnan(got)) return mpfr_nan_p(exact) && std::isnan(got) ? 0 : kWrong;
  if (mpfr_zero_p(exact) && floor == 0) return got == 0 && std::signbit(got) == (mpfr_signbit(exact) != 0) ? 0 : kWrong;
  if (std::isinf(got) || mpfr_inf_p(exact)) return error_at_infinity(got, exact, format);
  const long exponent = mpfr_zero_p(exact) ? format.min_exponent : mpfr_get_exp(exact);
  return distance(got, exact, counting_exponent(exponent, format, floor), format);
}

}  // namespace jitc::math_test
