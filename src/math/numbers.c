/* Roundings, exponents and parts of numbers, as C has them. All exact, or rounded once. */
#include "device.h"

real FN(round)(real x) {
  const real whole = TRUNC(x);
  const real rounded = FABS(x - whole) >= R(0.5, 0.5) ? whole + COPYSIGN((real)1, x) : whole;
  return COPYSIGN(rounded, x);
}

/* Of a finite number that is not zero. */
INLINE int exponent_of(real x) {
  const bits_t magnitude = magnitude_bits(x);
  const int zeros = LEADING_ZEROS(magnitude | 1) - (TYPE_BITS - 1 - MANTISSA_BITS);
  return (magnitude < IMPLICIT_BIT ? 1 - zeros : (int)(magnitude >> MANTISSA_BITS)) - EXPONENT_BIAS;
}

real FN(logb)(real x) {
  const real special = x == 0 ? -INF : x * x;
  return x != 0 && is_finite(x) ? (real)exponent_of(x) : special;
}

int32_t FN(ilogb)(real x) {
  const int32_t special = is_inf(x) ? INT32_MAX : INT32_MIN;
  return x != 0 && is_finite(x) ? exponent_of(x) : special;
}

real FN(modf_whole)(real x) { return TRUNC(x); }
real FN(modf_fraction)(real x) { return COPYSIGN(is_inf(x) ? 0 : x - TRUNC(x), x); }

real FN(fdim)(real x, real y) { return x <= y ? 0 : x - y; }

real FN(saturate)(real x) {
  const real positive = x > 0 ? x : 0;
  return positive > 1 ? 1 : positive;
}

real FN(reciprocal)(real x) { return 1 / x; }
