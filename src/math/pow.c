/* pow: C99's special values. Method: log2|x| = k + s (1 + R(s**2)) as a sum of two numbers, where |x| = 2**k m, m in
   [sqrt(1/2), sqrt(2)), and s = 2 / log(2) (m - 1) / (m + 1), so that s (1 + R) is the series of the inverse hyperbolic
   tangent; then 2**(y log2|x|) with the low part of that product. s, its square and the leading term of R are sums of
   two numbers: |y log2|x|| goes up to 1075 (f4: 150), and its absolute error is the result's relative one. Polynomials:
   Sollya fpminimax, relative error of the logarithm 2**-35.8 for f4, 2**-72.2 for f8; exp_core.h. The first value of
   1 / (m + 1) is a polynomial too. Error: below 1 ulp. */
#include "exp_core.h"

#if JITC_REAL == 4
/* R / s**2 in s**2; the first coefficient has a second part. */
static const real kLog2[] = {0x1.47fd4p-5f, 0x1.7a338ep-9f, 0x1.0364e2p-12f, 0x1.9764eap-16f};
#define LOG2_LOW -0x1.d2ad8p-34f
/* 1 / x on [1.707, 2.4143] */
static const real kInverse[] = {0x1.7a4e3ep+0f, -0x1.71e43ap-1f, 0x1.deaba2p-4f};
#define SQRT_HALF_BITS 0x3f3504f3u
#define TWICE_LOG2_E 0x1.715476p+1f
#define TWICE_LOG2_E_LOW 0x1.4ae0cp-25f
#else
static const real kLog2[] = {0x1.47fd3ffac83b4p-5,  0x1.7a3341fac5e27p-9,  0x1.03950187a09e5p-12,
                             0x1.8402256f0ec2cp-16, 0x1.310cf3240c103p-19, 0x1.f00e643e0c984p-23,
                             0x1.9d2efc7fa2dfp-26,  0x1.5bed3ea36d825p-29, 0x1.5453761cbf839p-32};
#define LOG2_LOW 0x1.c1573a7d5ac58p-59
static const real kInverse[] = {0x1.f868792abae4dp+0, -0x1.72d39be06606bp+0, 0x1.e23f2c95106bfp-2,
                                -0x1.d40d00ccc8a19p-5};
#define SQRT_HALF_BITS 0x3fe6a09e667f3bcdu
#define TWICE_LOG2_E 0x1.71547652b82fep+1
#define TWICE_LOG2_E_LOW 0x1.777d0ffda0d24p-55
#endif

typedef struct {
  real high, low;
} sum_t;

/* For |high| >= |low|, or high = 0. */
INLINE sum_t sum_of(real high, real low) {
  const real sum = high + low;
  return (sum_t){sum, (high - sum) + low};
}

/* 1 / x for x in [1.707, 2.4143], hardly worse than rounded. */
INLINE real inverse_near_two(real x) {
  real r = polynomial(kInverse, DEGREE(kInverse), x);
  const real e = FMA(-x, r, 1);
  r = FMA(r, FMA(e, e, e), r);
  return PICK(r, FMA(r, FMA(-x, r, 1), r));
}

/* log2(x) of a positive finite x; of all others something. */
INLINE sum_t log2_of(real x) {
  const int is_tiny = x < MIN_NORMAL;
  const bits_t above = BITS(is_tiny ? x * IMPLICIT_BIT : x) - SQRT_HALF_BITS;
  const real k = (real)((int)((sbits_t)above >> MANTISSA_BITS) - (is_tiny ? MANTISSA_BITS : 0));
  const real m = FROM_BITS((above & MANTISSA_MASK) + SQRT_HALF_BITS);

  /* s = TWICE_LOG2_E * f / d */
  const real f = m - 1, d = m + 1, d_low = m - (d - 1);
  const real over = f * TWICE_LOG2_E, over_low = FMA(f, TWICE_LOG2_E_LOW, FMA(f, TWICE_LOG2_E, -over));
  const real inverse = inverse_near_two(d);
  const real s = over * inverse, s_low = (FMA(-s, d, over) + FMA(-s, d_low, over_low)) * inverse;

  const real square = s * s, square_low = FMA(2 * s, s_low, FMA(s, s, -square));
  const sum_t c = sum_of(kLog2[0], square * polynomial(kLog2 + 1, DEGREE(kLog2) - 1, square));
  const real r = square * c.high;
  const real r_low = FMA(square, c.high, -r) + FMA(square_low, c.high, square * (c.low + LOG2_LOW));
  const real more = s * r, more_low = FMA(s, r, -more) + FMA(s_low, r, FMA(s, r_low, s_low));

  const sum_t main = sum_of(s, more), all = sum_of(k, main.high);
  return sum_of(all.high, all.low + (main.low + more_low));
}

/* 2**(p.high + p.low), for |p.high| below 2.1 * EXPONENT_BIAS. */
INLINE real exp2_of(sum_t p) {
  const real rounded = p.high + ROUNDER, r = p.high - (rounded - ROUNDER);
  const real minus_one = r * polynomial(kExp2, DEGREE(kExp2), r);
  const real mantissa = 1 + minus_one, low = (1 - mantissa) + minus_one;
  return scale_by(mantissa + FMA(mantissa * R(0.693147181, 0.693147180559945309417), p.low, low),
                  (int)(BITS(rounded) - BITS(ROUNDER)));
}

/* Beyond, any x but 1 overflows, underflows or gives 1 as infinity does. */
#define LARGE_EXPONENT R(0x1p34, 0x1p66)
/* Beyond, results are infinite or zero. */
#define LARGE_PRODUCT (2 * (real)EXPONENT_BIAS)

real FN(pow)(real x, real y) {
  const real magnitude = FABS(x);
  const sum_t log2 = log2_of(magnitude);
  const real exponent = clamp(y, -LARGE_EXPONENT, LARGE_EXPONENT);
  const real product = exponent * log2.high;
  const real low = FMA(exponent, log2.high, -product) + exponent * log2.low;
  const int is_large = FABS(product) > LARGE_PRODUCT;
  const real power = exp2_of((sum_t){clamp(product, -LARGE_PRODUCT, LARGE_PRODUCT), is_large ? 0 : low});

  const int is_end = magnitude == 0 || magnitude == INF;
  const real of_end = (magnitude == 0) == (y < 0) ? INF : 0;
  const real parity = FABS(exponent - 2 * TRUNC(R(0.5, 0.5) * exponent));
  const real of_negative = parity == 1 ? -1 : parity == 0 || is_end ? 1 : NAN;
  const real magnitude_of_result = is_end ? of_end : power;
  const real result = is_negative(x) ? magnitude_of_result * of_negative : magnitude_of_result;
  return x == 1 || y == 0 ? 1 : __builtin_isunordered(x, y) ? NAN : result;
}
