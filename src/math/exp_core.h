/* exp as mantissa * 2**exponent, so that a caller may combine it with more factors before the one rounding into the
   subnormal range. Method: n = rint(x / ln 2), r = x - n ln 2 in two steps (Cody and Waite, the first exact), and a
   minimax polynomial for exp(r) on |r| <= ln(2)/2 (Sollya fpminimax; relative error 2**-28.2 for f4, 2**-57.8 for f8).
 */
#pragma once

#include "constants.h"

typedef struct {
  real mantissa; /* in [0.7, 1.5] */
  real low;      /* what the mantissa's last rounding lost */
  real reduced;  /* what is left of the argument: the mantissa is its exponential */
  int exponent;
} scaled_t;

#if JITC_REAL == 4
/* (exp(r) - 1 - r) / r**2 */
static const real kExp[] = {0x1.fffffcp-2f, 0x1.55549p-3f, 0x1.5558a2p-5f, 0x1.123adp-7f, 0x1.6a5e34p-10f};
/* (2**r - 1) / r */
static const real kExp2[] = {0x1.62e43p-1f, 0x1.ebfbd8p-3f,  0x1.c6af76p-5f,
                             0x1.3b30ap-7f, 0x1.5f0b82p-10f, 0x1.3fa206p-13f};
#else
static const real kExp[] = {0x1.000000000000ap-1,  0x1.55555555554fcp-3,  0x1.555555555067bp-5,  0x1.1111111127257p-7,
                            0x1.6c16c1848d831p-10, 0x1.a01a012dd5481p-13, 0x1.a01999128ca8fp-16, 0x1.71df1ce6681ccp-19,
                            0x1.28ae4e475fcb6p-22, 0x1.ad8dcc540e8c5p-26};
static const real kExp2[] = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c5a6p-3,  0x1.c6b08d704a12cp-5,  0x1.3b2ab6fb9fda6p-7,
                             0x1.5d87fe789e96fp-10, 0x1.4309130f6cbdbp-13, 0x1.ffcbfc6685f06p-17, 0x1.62bfc6596be12p-20,
                             0x1.b52522bc15f8fp-24, 0x1.e61d43321746dp-28, 0x1.e973179a994acp-32};
#endif

/* mantissa * 2**exponent with one rounding, for |exponent| up to 2 * EXPONENT_BIAS. */
INLINE real scale_by(real mantissa, int exponent) {
  const int half = exponent >> 1;
  return mantissa * power_of_two(half) * power_of_two(exponent - half);
}

/* exp(x + low) for |x| below 1.1 times the type's overflow threshold and |low| below the last place of x; nan gives
   nan. */
INLINE scaled_t scaled_exp(real x, real low) {
  const real rounded = FMA(x, LOG2_E, ROUNDER);
  const real n = rounded - ROUNDER;
  const real r = FMA(-n, LN2_LOW, FMA(-n, LN2_HIGH, x)) + low;
  const real slope = FMA(polynomial(kExp, DEGREE(kExp), r), r, 1), mantissa = FMA(slope, r, 1);
  return (scaled_t){mantissa, FMA(slope, r, 1 - mantissa), r, (int)(BITS(rounded) - BITS(ROUNDER))};
}

/* 2**x for |x| below 1.1 times the type's overflow threshold; nan gives nan. */
INLINE scaled_t scaled_exp2(real x) {
  const real rounded = x + ROUNDER, r = x - (rounded - ROUNDER);
  const real slope = polynomial(kExp2, DEGREE(kExp2), r), mantissa = FMA(slope, r, 1);
  return (scaled_t){mantissa, FMA(slope, r, 1 - mantissa), r, (int)(BITS(rounded) - BITS(ROUNDER))};
}

/* The inverse of the mantissa of scaled_exp(). */
INLINE real opposite_exp(scaled_t e) {
  const real r = -e.reduced;
  return FMA(FMA(polynomial(kExp, DEGREE(kExp), r), r, 1), r, 1);
}
