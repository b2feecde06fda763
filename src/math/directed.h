/* Rounding that is not to nearest: the nearest result and the sign of what it lacks say which neighbour is wanted. */
#pragma once

#include "device.h"

enum { DOWN, UP, TO_ZERO };

/* The exact result, given the nearest one and a number with the sign of (exact - nearest). */
INLINE real round_toward(real nearest, real lack, int mode) {
  const int is_below_zero = is_negative(nearest);
  const int down = lack < 0 && (mode == DOWN || (mode == TO_ZERO && !is_below_zero));
  const int up = lack > 0 && (mode == UP || (mode == TO_ZERO && is_below_zero));
  /* Away from zero the magnitude's bits count up; from a zero to the least number of the other side, too. */
  const bits_t magnitude = magnitude_bits(nearest);
  const int away = up ? !is_below_zero || magnitude == 0 : is_below_zero || magnitude == 0;
  const bits_t moved = away ? magnitude + 1 : magnitude - 1;
  const bits_t sign = magnitude == 0 ? (down ? SIGN_BIT : 0) : BITS(nearest) & SIGN_BIT;
  return down || up ? FROM_BITS(moved | sign) : nearest;
}

/* What an operation of finite numbers that gave infinity lacks. */
INLINE real lack_of_overflow(real nearest, int is_finite_operation, real lack) {
  return is_finite_operation && is_inf(nearest) ? -nearest : lack;
}

/* A sum of `a` and `b` that is exactly zero is -0 when rounding down, but for two zeros that are not negative. */
INLINE real zero_sum(real sum, real lack, real a, real b, int mode) {
  const int is_zero = sum == 0 && lack == 0;
  return is_zero && mode == DOWN && (is_negative(a) || is_negative(b)) ? -(real)0 : sum;
}

/* mantissa * 2**exponent, the mantissa's magnitude in [1, 2); of zero, infinities and nan the number itself. */
typedef struct {
  real mantissa;
  int exponent;
} split_t;

INLINE split_t split_number(real x) {
  const int is_tiny = FABS(x) < MIN_NORMAL;
  const real scaled = is_tiny ? x * (2 * (real)IMPLICIT_BIT) : x;
  const int exponent = (int)(magnitude_bits(scaled) >> MANTISSA_BITS) - EXPONENT_BIAS;
  const real mantissa = FROM_BITS((BITS(scaled) & (SIGN_BIT | MANTISSA_MASK)) | BITS((real)1));
  const int is_special = x == 0 || !is_finite(x);
  return (split_t){is_special ? x : mantissa, is_special ? 0 : exponent - (is_tiny ? MANTISSA_BITS + 1 : 0)};
}

/* x * 2**exponent for |exponent| up to three times the range, exact where x and the result are no subnormal numbers or
   x alone is. */
INLINE real scale_exactly(real x, int exponent) {
  const int third = exponent / 3, rest = exponent - 2 * third;
  return x * power_of_two(third) * power_of_two(third) * power_of_two(rest);
}
