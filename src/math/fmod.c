/* fmod, remainder, remquo and Python's float // and %: exact for any quotient.
   Method: long division of the integer mantissas, several quotient bits a step (as many as the integer has bits above
   the mantissa: 8 for f4, 11 for f8), so that a quotient below 2**8 (2**11) costs one integer remainder. */
#include "device.h"

#define STEP_BITS (TYPE_BITS - 1 - MANTISSA_BITS)

typedef struct {
  bits_t mantissa;
  int exponent; /* value = mantissa * 2**(exponent - bias - MANTISSA_BITS) */
} scaled_t;

/* Subnormals keep their short mantissa: the exponent is what the division needs. */
INLINE scaled_t scale(bits_t magnitude) {
  const int exponent = (int)(magnitude >> MANTISSA_BITS);
  const bits_t mantissa = magnitude & MANTISSA_MASK;
  if (exponent == 0) return (scaled_t){mantissa, 1};
  return (scaled_t){mantissa | IMPLICIT_BIT, exponent};
}

/* The magnitude mantissa * 2**(exponent - bias - MANTISSA_BITS), mantissa < 2**(MANTISSA_BITS + 1), exponent >= 1. */
INLINE bits_t pack(bits_t mantissa, int exponent) {
  if (mantissa == 0) return 0;
  const int wanted_shift = LEADING_ZEROS(mantissa) - STEP_BITS;
  const int shift = wanted_shift < exponent ? wanted_shift : exponent - 1;
  const bits_t shifted = mantissa << shift;
  if (shifted < IMPLICIT_BIT) return shifted;
  return ((bits_t)(exponent - shift) << MANTISSA_BITS) + (shifted & MANTISSA_MASK);
}

typedef struct {
  bits_t remainder; /* magnitude bits */
  bits_t quotient;  /* truncated, its lower bits */
} division_t;

/* |x| = quotient * |y| + remainder for finite x and finite y != 0. */
INLINE division_t divide(bits_t x, bits_t y) {
  if (x < y) return (division_t){x, 0};
  const scaled_t a = scale(x), b = scale(y);
  bits_t quotient = a.mantissa / b.mantissa;
  bits_t remainder = a.mantissa - quotient * b.mantissa;
  int left = a.exponent - b.exponent;
  while (left > 0) {
    const int step = left < STEP_BITS ? left : STEP_BITS;
    const bits_t raised = remainder << step;
    const bits_t digit = raised / b.mantissa;
    remainder = raised - digit * b.mantissa;
    quotient = quotient << step | digit;
    left -= step;
  }
  return (division_t){pack(remainder, b.exponent), quotient};
}

/* |x| is nearer to the next multiple of the divisor, whose multiple is even in a tie. */
INLINE int rounds_up(division_t division, real divisor) {
  const real rest = FROM_BITS(division.remainder);
  /* divisor - rest is exact near the tie and monotonic elsewhere. */
  const real complement = divisor - rest;
  return rest > complement || (rest == complement && (division.quotient & 1) != 0);
}

INLINE int is_invalid(real x, real y) { return is_nan(y) || y == 0 || !is_finite(x); }

real FN(fmod)(real x, real y) {
  if (is_invalid(x, y)) return NAN;
  if (is_inf(y)) return x;
  const division_t division = divide(magnitude_bits(x), magnitude_bits(y));
  return FROM_BITS(division.remainder | (BITS(x) & SIGN_BIT));
}

real FN(remainder)(real x, real y) {
  if (is_invalid(x, y)) return NAN;
  if (is_inf(y)) return x;
  const division_t division = divide(magnitude_bits(x), magnitude_bits(y));
  const real divisor = FABS(y);
  real rest = FROM_BITS(division.remainder);
  if (rounds_up(division, divisor)) rest -= divisor;
  /* A zero keeps the sign of x. */
  return FROM_BITS(BITS(rest) ^ (BITS(x) & SIGN_BIT));
}

/* 0 where remainder gives nan. */
int32_t FN(remquo)(real x, real y) {
  if (is_invalid(x, y) || is_inf(y)) return 0;
  const division_t division = divide(magnitude_bits(x), magnitude_bits(y));
  const bits_t quotient = division.quotient + (bits_t)rounds_up(division, FABS(y));
  const int32_t lower = (int32_t)(quotient & 0x7fffffff);
  return is_negative(x) != is_negative(y) ? -lower : lower;
}

typedef struct {
  real quotient, remainder;
} divmod_t;

/* CPython's float_divmod, in the type. */
INLINE divmod_t divmod(real x, real y) {
  real remainder = FN(fmod)(x, y);
  if (y == 0) return (divmod_t){x / y, remainder};
  real quotient = (x - remainder) / y;
  if (remainder != 0) {
    if ((y < 0) != (remainder < 0)) {
      remainder += y;
      quotient -= 1;
    }
  } else {
    remainder = COPYSIGN((real)0, y);
  }
  if (quotient == 0) return (divmod_t){COPYSIGN((real)0, x / y), remainder};
  real floored = FLOOR(quotient);
  if (quotient - floored > (real)0.5) floored += 1;
  return (divmod_t){floored, remainder};
}

real FN(floordiv)(real x, real y) { return divmod(x, y).quotient; }

real FN(pymod)(real x, real y) { return divmod(x, y).remainder; }
