/* Argument reduction of sin, cos and tan: x = quadrant * pi/2 + (high + low), |high| <= pi/4 and a little.
   Moderate arguments: Cody and Waite with pi/2 in three full-width parts; x - n * (first part) is exact as one fma.
   Huge ones: Payne and Hanek. Of m * 2**e * (2/pi) only the bits of 2/pi from place e - 1 on matter, the rest are
   multiples of 4; three words of them leave the reduced argument with a relative error below 2**-70 (f4: 2**-36), as
   no f8 comes closer to a multiple of pi/2 than 2**-61 (f4: 2**-30) of it. */
#pragma once

#include "constants.h"

typedef struct {
  real high, low;
  int quadrant; /* modulo 4 */
} reduced_t;

#if JITC_REAL == 4
typedef uint64_t wide_t;
#define TWO_OVER_PI 0x1.45f306p-1f
#define HUGE_FROM 0x1p20f
/* 2/pi after the point, most significant word first, below one word of zeros. */
static const bits_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                    0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a};
#else
typedef unsigned __int128 wide_t;
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define HUGE_FROM 0x1p30
static const bits_t kTwoOverPi[] = {0,
                                    0xa2f9836e4e441529,
                                    0xfc2757d1f534ddc0,
                                    0xdb6295993c439041,
                                    0xfe5163abdebbc561,
                                    0xb7246e3a424dd2e0,
                                    0x06492eea09d1921c,
                                    0xfe1deb1cb129a73e,
                                    0xe88235f52ebb4484,
                                    0xe99c7026b45f7e41,
                                    0x3991d639835339f4,
                                    0x9c845f8bbdf9283b,
                                    0x1ff897ffde05980f,
                                    0xef2f118b5a0a6d1f,
                                    0x6d367ecf27cb09b7,
                                    0x4f463f669e5fea2d,
                                    0x7527bac7ebe5f17b,
                                    0x3d0739f78a5292ea,
                                    0x6bfb5fb11f8d5d08,
                                    0x56033046fc7b6bab,
                                    0xf0cfbc209af4361d};
#endif

/* The sum with its own rounding error as low part. */
INLINE reduced_t normalized(real high, real low, int quadrant) {
  const real sum = high + low;
  return (reduced_t){sum, (high - sum) + low, quadrant};
}

INLINE reduced_t reduce_moderate(real x) {
  const real rounder = R(1.5, 1.5) * IMPLICIT_BIT;
  const real rounded = FMA(x, TWO_OVER_PI, rounder);
  const real n = rounded - rounder;
  const real r = FMA(-n, HALF_PI_HIGH, x);
  /* r - n * middle, exactly: a product and a difference in two parts each. */
  const real product = n * HALF_PI_MIDDLE, product_low = FMA(n, HALF_PI_MIDDLE, -product);
  const real high = r - product, back = high - r;
  const real lost = (r - (high - back)) - (product + back);
  const real low = FMA(-n, HALF_PI_LOW, lost - product_low);
  return normalized(high, low, (int)(BITS(rounded) - BITS(rounder)) & 3);
}

/* TYPE_BITS bits of a two-word number from bit `shift` on, counted from the top. */
INLINE bits_t window(bits_t first, bits_t second, int shift) {
  return first << shift | second >> 1 >> (TYPE_BITS - 1 - shift);
}

/* In bounds, though meaningless, for infinities and nan too. */
INLINE reduced_t reduce_huge(real x) {
  const bits_t mantissa = (BITS(x) & MANTISSA_MASK) | IMPLICIT_BIT;
  const int exponent = (int)(magnitude_bits(x) >> MANTISSA_BITS) - EXPONENT_BIAS - MANTISSA_BITS;
  const int offset = TYPE_BITS + exponent - 2, shift = offset % TYPE_BITS;
  const bits_t* words = kTwoOverPi + offset / TYPE_BITS;
  const bits_t a = window(words[0], words[1], shift), b = window(words[1], words[2], shift);
  const bits_t c = window(words[2], words[3], shift);

  /* mantissa * abc modulo its word size: two integer bits, the quadrant, then the fraction. */
  const wide_t lower = (wide_t)mantissa * c;
  const wide_t middle = (wide_t)mantissa * b + (bits_t)(lower >> TYPE_BITS);
  const bits_t upper = mantissa * a + (bits_t)(middle >> TYPE_BITS);
  const int quadrant = (int)(upper >> (TYPE_BITS - 2));
  bits_t f0 = window(upper, (bits_t)middle, 2), f1 = window((bits_t)middle, (bits_t)lower, 2);
  bits_t f2 = (bits_t)lower << 2;

  /* To the nearest multiple: a fraction above 1/2 becomes a negative one (its complement, but for the last bit). */
  const bits_t flip = -(f0 >> (TYPE_BITS - 1));
  f0 ^= flip, f1 ^= flip, f2 ^= flip;
  const int zeros = LEADING_ZEROS(f0 | 1);
  const bits_t n0 = window(f0, f1, zeros), n1 = window(f1, f2, zeros);
  const int spare = TYPE_BITS - 1 - MANTISSA_BITS;
  const real top = (real)(n0 >> spare << spare) * power_of_two(-TYPE_BITS - zeros);
  const real rest = (real)(n0 << (MANTISSA_BITS + 1)) * power_of_two(-TYPE_BITS - zeros - MANTISSA_BITS - 1) +
                    (real)n1 * power_of_two(-2 * TYPE_BITS - zeros);

  const real high = top * HALF_PI_HIGH;
  const real low = FMA(top, HALF_PI_HIGH, -high) + FMA(top, HALF_PI_MIDDLE, rest * HALF_PI_HIGH);
  const int is_negated = (flip != 0) != is_negative(x);
  const int signed_quadrant = is_negative(x) ? -(quadrant + (int)(flip & 1)) : quadrant + (int)(flip & 1);
  return normalized(is_negated ? -high : high, is_negated ? -low : low, signed_quadrant & 3);
}

INLINE reduced_t reduce(real x) { return FABS(x) < HUGE_FROM ? reduce_moderate(x) : reduce_huge(x); }
