/* Logarithms of base 2 with more digits than the type has, and powers of two of such numbers.
   log2(x) = k + s (1 + R(s**2)) as a sum of two numbers, where x = 2**k m, m in [sqrt(1/2), sqrt(2)), and
   s = 2 / log(2) (m - 1) / (m + 1), so that s (1 + R) is the series of the inverse hyperbolic tangent. s, its square
   and the leading term of R are sums of two numbers. Polynomials: Sollya fpminimax, relative error of the logarithm
   2**-35.8 for f4, 2**-72.2 for f8; exp_core.h. The first value of 1 / (m + 1) is a polynomial too. */
#pragma once

#include "exp_core.h"
#include "sums.h"

#if JITC_REAL == 4
/* R / s**2 in s**2; the first coefficient has a second part. */
static const real kLog2[] = {0x1.47fd4p-5f, 0x1.7a338ep-9f, 0x1.0364e2p-12f, 0x1.9764eap-16f};
#define LOG2_LOW -0x1.d2ad8p-34f
/* 1 / x on [1.707, 2.4143] */
static const real kInverse[] = {0x1.7a4e3ep+0f, -0x1.71e43ap-1f, 0x1.deaba2p-4f};
#define SQRT_HALF_BITS 0x3f3504f3u
#else
static const real kLog2[] = {0x1.47fd3ffac83b4p-5,  0x1.7a3341fac5e27p-9,  0x1.03950187a09e5p-12,
                             0x1.8402256f0ec2cp-16, 0x1.310cf3240c103p-19, 0x1.f00e643e0c984p-23,
                             0x1.9d2efc7fa2dfp-26,  0x1.5bed3ea36d825p-29, 0x1.5453761cbf839p-32};
#define LOG2_LOW 0x1.c1573a7d5ac58p-59
static const real kInverse[] = {0x1.f868792abae4dp+0, -0x1.72d39be06606bp+0, 0x1.e23f2c95106bfp-2,
                                -0x1.d40d00ccc8a19p-5};
#define SQRT_HALF_BITS 0x3fe6a09e667f3bcdu
#endif

/* 1 / x for x in [1.707, 2.4143], hardly worse than rounded. */
INLINE real inverse_near_two(real x) {
  real r = polynomial(kInverse, DEGREE(kInverse), x);
  const real e = FMA(-x, r, 1);
  r = FMA(r, FMA(e, e, e), r);
  return PICK(r, FMA(r, FMA(-x, r, 1), r));
}

/* 2**k m, and what else m has if `is_sum` is not 0. */
typedef struct {
  real k, m, m_low;
  int is_sum;
} split_t;

/* Of a positive finite x; of all others something. */
INLINE split_t split(real x) {
  const binary_t parts = split_at(x, SQRT_HALF_BITS);
  return (split_t){parts.k, parts.m, 0, 0};
}

/* Of a normal x.high, or x.low = 0. */
INLINE split_t split_sum(sum_t x) {
  const split_t high = split(x.high);
  return (split_t){high.k, high.m, x.low * power_of_two(x.high < MIN_NORMAL ? 0 : -(int)high.k), 1};
}

INLINE sum_t log2_of_split(split_t x) {
  /* s = 2 LOG2_E f / d */
  const real f = x.m - 1, d = x.m + 1, d_lost = x.m - (d - 1);
  const real over = 2 * LOG2_E * f, over_lost = FMA(f, 2 * LOG2_E_LOW, FMA(f, 2 * LOG2_E, -over));
  const real d_low = x.is_sum ? d_lost + x.m_low : d_lost;
  const real over_low = x.is_sum ? FMA(x.m_low, 2 * LOG2_E, over_lost) : over_lost;
  const real inverse = inverse_near_two(d);
  const real s = over * inverse, s_low = (FMA(-s, d, over) + FMA(-s, d_low, over_low)) * inverse;

  const real square = s * s, square_low = FMA(2 * s, s_low, FMA(s, s, -square));
  const sum_t c = sum_of(kLog2[0], square * polynomial(kLog2 + 1, DEGREE(kLog2) - 1, square));
  const real r = square * c.high;
  const real r_low = FMA(square, c.high, -r) + FMA(square_low, c.high, square * (c.low + LOG2_LOW));
  const real more = s * r, more_low = FMA(s, r, -more) + FMA(s_low, r, FMA(s, r_low, s_low));

  const sum_t main = sum_of(s, more), all = sum_of(x.k, main.high);
  return sum_of(all.high, all.low + (main.low + more_low));
}

/* log2(x) of a positive finite x; of all others something. */
INLINE sum_t log2_of(real x) { return log2_of_split(split(x)); }

/* 2**(p.high + p.low) as (mantissa.high + mantissa.low) * 2**exponent, for |p.high| up to 2 * EXPONENT_BIAS. */
typedef struct {
  sum_t mantissa;
  int exponent;
} power_t;

INLINE power_t exp2_of(sum_t p) {
  const scaled_t e = scaled_exp2(p.high);
  return (power_t){{e.mantissa, FMA(e.mantissa * LN2, p.low, e.low)}, e.exponent};
}
