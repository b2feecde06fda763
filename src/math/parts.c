/* frexp, ldexp, nextafter: the exponent and the bits of a number. All exact (ldexp rounds once, into a subnormal). */
#include "device.h"

/* Position of the leading bit decides how far a subnormal is shifted up; the exponent then goes below its minimum. */
typedef struct {
  bits_t mantissa; /* with the leading bit at MANTISSA_BITS */
  int exponent;    /* biased; value = mantissa * 2**(exponent - bias - MANTISSA_BITS) */
} parts_t;

INLINE parts_t split(bits_t magnitude) {
  if (magnitude >= IMPLICIT_BIT) {
    return (parts_t){(magnitude & MANTISSA_MASK) | IMPLICIT_BIT, (int)(magnitude >> MANTISSA_BITS)};
  }
  const int shift = LEADING_ZEROS(magnitude) - (TYPE_BITS - 1 - MANTISSA_BITS);
  return (parts_t){magnitude << shift, 1 - shift};
}

INLINE int has_exponent(bits_t magnitude) { return magnitude != 0 && magnitude < INF_BITS; }

real FN(frexp_mant)(real x) {
  const bits_t magnitude = magnitude_bits(x);
  if (!has_exponent(magnitude)) return x;
  const bits_t half_exponent = (bits_t)(EXPONENT_BIAS - 1) << MANTISSA_BITS;
  return FROM_BITS((BITS(x) & SIGN_BIT) | half_exponent | (split(magnitude).mantissa & MANTISSA_MASK));
}

int32_t FN(frexp_exp)(real x) {
  const bits_t magnitude = magnitude_bits(x);
  return has_exponent(magnitude) ? split(magnitude).exponent - (EXPONENT_BIAS - 1) : 0;
}

real FN(ldexp)(real x, int32_t n) {
  const bits_t magnitude = magnitude_bits(x);
  if (!has_exponent(magnitude)) return x;
  const parts_t parts = split(magnitude);
  /* Beyond this range every finite number overflows or rounds to zero; the clamp keeps the sum from wrapping. */
  const int limit = 4 * EXPONENT_BIAS;
  const int exponent = parts.exponent + (n > limit ? limit : n < -limit ? -limit : n);
  const bits_t sign = BITS(x) & SIGN_BIT;
  if (exponent > 2 * EXPONENT_BIAS) return FROM_BITS(sign | INF_BITS);
  if (exponent >= 1) { return FROM_BITS(sign | (bits_t)exponent << MANTISSA_BITS | (parts.mantissa & MANTISSA_MASK)); }
  if (exponent < -MANTISSA_BITS) return FROM_BITS(sign);
  /* Built 2**(MANTISSA_BITS + 1) too large, then brought down by one multiplication, which rounds to even. */
  const bits_t raised = (bits_t)(exponent + MANTISSA_BITS + 1) << MANTISSA_BITS;
  return FROM_BITS(sign | raised | (parts.mantissa & MANTISSA_MASK)) * power_of_two(-MANTISSA_BITS - 1);
}

real FN(nextafter)(real x, real y) {
  if (is_nan(x) || is_nan(y)) return NAN;
  if (x == y) return y;
  if (x == 0) return COPYSIGN(FROM_BITS(1), y);
  /* Away from zero the magnitude's bit pattern counts up. */
  const int away = (x < y) == (x > 0);
  return FROM_BITS(BITS(x) + (away ? 1 : -(bits_t)1));
}
