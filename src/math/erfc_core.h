/* erfc without a branch. Method (M. Shepherd and J. Laframboise, Math. Comp. 36, 1981): exp(a**2) erfc(a) (1 + 2 a) is
   nearly constant over all a >= 0, and a polynomial of q = (a - K) / (a + K) (Sollya fpminimax; relative error 2**-27.2
   for f4, 2**-54.4 for f8). exp(-a**2) takes the square with what its rounding loses. */
#pragma once

#include "exp_core.h"
#include "newton.h"

#if JITC_REAL == 4
static const real kErfc[] = {0x1.46e80ep+0f,   -0x1.7bf5e8p-4f,  -0x1.5407a6p-3f, 0x1.4ff9e4p-3f,
                             -0x1.bc2d58p-5f,  -0x1.072134p-7f,  0x1.1dca98p-7f,  0x1.48a094p-10f,
                             -0x1.7abb7ep-10f, -0x1.ad476cp-12f, 0x1.875f4ep-13f, 0x1.782326p-14f};
#else
static const real kErfc[] = {
    0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a29bp-3,  0x1.f7f5df66fcb7dp-7,   0x1.16ecefcfa5f4dp-4,
    -0x1.9ddb23c3e59d9p-4,  0x1.7fee004df8fe9p-4,   -0x1.0fb06dfe86d15p-4,  0x1.3079edf9a7e0ap-5,
    -0x1.0962387a83f02p-6,  0x1.49c671a9f61a6p-8,   -0x1.8d4aa392f6ef2p-11, -0x1.a1de94d66deadp-13,
    0x1.3be0fe3d8c983p-13,  -0x1.99680086aa093p-16, -0x1.78ad413aac096p-17, 0x1.7f9eb8d3a8fc3p-18,
    0x1.44c97c40d09e3p-22,  -0x1.bf4052098748fp-21, 0x1.0b63ace4c7fbap-24,  0x1.e881f50d4c81bp-24,
    -0x1.10a8b4e6fa5afp-27, -0x1.c3ad5b789898ep-27, -0x1.bdf7ba7eaea55p-30};
#endif
#define ERFC_CENTRE R(2.0, 4.0)

/* exp(a**2) erfc(a) as a sum, for a in [0, 2**50]. */
INLINE sum_t erfcx_of(real a) {
  const real above = a - ERFC_CENTRE, inverse = reciprocal(a + ERFC_CENTRE);
  const real first = above * inverse;
  const real q = FMA(inverse, FMA(-first, a, FMA(-first, ERFC_CENTRE, above)), first);
  const real slope = polynomial(kErfc + 1, DEGREE(kErfc) - 1, q);
  const real p = FMA(slope, q, kErfc[0]), p_low = FMA(slope, q, kErfc[0] - p);
  const real under = FMA(2, a, 1), under_low = FMA(2, a, 1 - under), over = reciprocal(under);
  const real v = p * over;
  return (sum_t){v, FMA(-v, under_low, FMA(-v, under, p) + p_low) * over};
}

/* value * 2**exponent */
typedef struct {
  real value;
  int exponent;
} scaled_erfc_t;

/* v exp(-(square + low)) */
INLINE scaled_erfc_t times_exp(sum_t v, real square, real low) {
  const scaled_t e = scaled_exp(-square, -low);
  const real product = v.high * e.mantissa;
  const real rest = FMA(v.high, e.mantissa, -product) + FMA(v.high, e.low, v.low * e.mantissa);
  return (scaled_erfc_t){product + rest, e.exponent};
}

/* erfc(a), for a from 0 to where it is nothing. */
INLINE scaled_erfc_t scaled_erfc(real a) {
  const real square = a * a;
  return times_exp(erfcx_of(a), square, FMA(a, a, -square));
}
