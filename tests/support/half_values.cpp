#include "tests/support/half_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jitc::reference {

namespace {

struct Format {
  int digits;           ///< of the significand
  int lowest_exponent;  ///< of the last digit of the smallest numbers
  int end_exponent;     ///< all numbers are below 2 to this
};

Format format_of(DType half) { return half == DType::f2 ? Format{11, -24, 16} : Format{8, -133, 128}; }

}  // namespace

double half_value(DType half, Bits bits) {
  const Format f = format_of(half);
  const int field = static_cast<int>((bits & 0x7fff) >> (f.digits - 1));
  const int mantissa = static_cast<int>(bits & ((1U << (f.digits - 1)) - 1)), hidden = 1 << (f.digits - 1);
  double magnitude = std::ldexp(mantissa, f.lowest_exponent);
  if (field != 0) magnitude = std::ldexp(mantissa + hidden, f.lowest_exponent + field - 1);
  if (field == (1 << (16 - f.digits)) - 1) {
    magnitude = mantissa == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits >> 15) != 0 ? -magnitude : magnitude;
}

Bits half_bits(DType half, long double value) {
  const Format f = format_of(half);
  const Bits sign = std::signbit(value) ? 0x8000 : 0, infinity = ((1U << (16 - f.digits)) - 1) << (f.digits - 1);
  if (std::isnan(value)) return infinity | 1;
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(std::fabs(value), &exponent);
  const int last = std::max(exponent - f.digits, f.lowest_exponent);
  const long double units = std::nearbyint(std::ldexp(std::fabs(value), -last));
  if (std::ldexp(units, last) >= std::ldexp(1.0L, f.end_exponent)) return sign | infinity;
  // Counting in units of the last digit, each doubling of the unit is one more in the exponent's field.
  return sign | (static_cast<Bits>(units) + (static_cast<Bits>(last - f.lowest_exponent) << (f.digits - 1)));
}

Bits half_fma(DType half, double a, double b, double c) {
  const double product = a * b, sum = product + c;
  if (!std::isfinite(sum)) return half_bits(half, sum);
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (c - part);
  // The sum's neighbours are far from each other in this precision: a quarter of the way says which side is right.
  const long double beside = std::nextafter(sum, lost > 0 ? HUGE_VAL : -HUGE_VAL);
  return half_bits(half, lost == 0 ? static_cast<long double>(sum) : sum + (beside - sum) / 4);
}

}  // namespace jitc::reference
