/* The gamma function. Zeros give the infinity of their sign, negative integers and -inf give nan (C99 tgamma).
   Method: near zero 1/x; up to kStirlingFrom in magnitude, a polynomial for gamma(1 + v), v in [0, 1], times or over
   the exact factors between x and v, as a compensated product; above, Stirling's formula with a polynomial in 1/x for
   its series, x**(x - 1/2) as the square of a half power so that it overflows no earlier than the result; below
   -kStirlingFrom, the reflection -pi / (x sin(pi x) gamma(x)). Polynomials: interpolation at Chebyshev nodes computed
   with 300 bits; relative error 2**-26.6 and 2**-31.5 for f4, 2**-54.7 and 2**-62.8 for f8. */
#include "sinpi.h"

real FN(exp)(real x);
real FN(pow)(real x, real y);

#if JITC_REAL == 4
/* gamma(3/2 + s), s in [-1/2, 1/2] */
static const real kGamma[] = {0x1.c5bf8ap-1f, 0x1.08ea4ep-5f,  0x1.a8c4ep-2f,  -0x1.b7717ep-4f,
                              0x1.2838bcp-3f, -0x1.3e555cp-4f, 0x1.e133a6p-5f, -0x1.291e44p-5f,
                              0x1.946236p-6f, -0x1.84c736p-6f, 0x1.03e9ep-6f};
static const real kGammaLow = -0x1.c96212p-26f;
/* gamma(x) / (x**(x - 1/2) exp(-x)) in 1/x, x >= kStirlingFrom */
static const real kStirling[] = {0x1.40d932p+1f, 0x1.abcc3p-3f, 0x1.1d6c1p-7f, -0x1.c00a52p-8f, 0x1.dc3eaap-13f};
static const real kStirlingFrom = 6;
#else
static const real kGamma[] = {
    0x1.c5bf891b4ef6bp-1,  0x1.08ea88ee561bp-5,    0x1.a8c4dba620c08p-2,  -0x1.b77ac1ca2e82ap-4,
    0x1.283bd37505389p-3,  -0x1.3d88cfe528c43p-4,  0x1.e022b72a04033p-5,  -0x1.374fd5bbb581fp-5,
    0x1.a752ccf6d9af4p-6,  -0x1.1a2c2dab649e5p-6,  0x1.7990f5370f825p-7,  -0x1.f7fb20be2bce9p-8,
    0x1.50637fe2d2087p-8,  -0x1.c0bdf0153ac91p-9,  0x1.29fe79163794cp-9,  -0x1.8d6653728eceap-10,
    0x1.15139c02edd48p-10, -0x1.71759e5b83295p-11, 0x1.5c3859742eb2bp-12, -0x1.d04ef72b50b52p-13,
    0x1.8dfdff69832dap-12, -0x1.09546451e99c8p-12};
static const real kGammaLow = -0x1.6157fc29fde1bp-56;
static const real kStirling[] = {
    0x1.40d931ff62706p+1, 0x1.abcc42a9d895bp-3,  0x1.1d32d71be8eebp-7,   -0x1.b8792fcba9c57p-8,  -0x1.2d92294ce41b7p-11,
    0x1.0197db120d571p-9, 0x1.6f6e5fbb3ffccp-13, -0x1.87031ee10f179p-10, -0x1.ec8debc7a85d9p-15, 0x1.d54ca6d750b69p-10};
static const real kStirlingFrom = 13;
#endif

/* Results at and beyond: infinite, and on the negative side zero. */
#define OVERFLOW_AT R(36.0, 172.0)
#define UNDERFLOW_AT R(-44.0, -186.0)

/* gamma(1 + v) for v in [0, 1]. */
INLINE real gamma_of_one_plus(real v) {
  const real s = v - R(0.5, 0.5);
  return FMA(s, polynomial(kGamma + 1, DEGREE(kGamma) - 1, s), kGammaLow) + kGamma[0];
}

/* The unevaluated product high * factor keeps what high loses. */
typedef struct {
  real high, low;
} product_t;

INLINE product_t times(product_t p, real factor) {
  const real high = p.high * factor;
  return (product_t){high, FMA(p.low, factor, FMA(p.high, factor, -high))};
}

/* x in (-kStirlingFrom, kStirlingFrom), not a pole. */
INLINE real gamma_by_recurrence(real x) {
  product_t factors = {1, 0};
  real v = x;
  if (x >= 1) {
    /* gamma(x) = (x - 1) (x - 2) … (v + 1) gamma(v + 1) */
    for (v = x - 1; v >= 1; v -= 1) factors = times(factors, v);
    const real g = gamma_of_one_plus(v);
    return FMA(g, factors.high, g * factors.low);
  }
  /* gamma(x) = gamma(v + 1) / (x (x + 1) … v) */
  for (; v < 0; v += 1) factors = times(factors, v);
  factors = times(factors, v);
  const real quotient = gamma_of_one_plus(v) / factors.high;
  return FMA(-quotient, factors.low / factors.high, quotient);
}

/* gamma(x) = rest * half_power, for x >= kStirlingFrom. */
typedef struct {
  real rest, half_power;
} stirling_t;

INLINE stirling_t stirling(real x) {
  const real series = polynomial(kStirling, DEGREE(kStirling), 1 / x);
  const real half_power = FN(pow)(x, FMA(R(0.5, 0.5), x, R(-0.25, -0.25)));
  return (stirling_t){series * FN(exp)(-x) * half_power, half_power};
}

/* gamma is negative between -1 and 0, positive between -2 and -1, … */
INLINE real with_sign_of_gamma(real magnitude, real x) {
  const real half = FLOOR(x) * R(0.5, 0.5);
  return half == FLOOR(half) ? magnitude : -magnitude;
}

/* For x <= -kStirlingFrom; the quotients are ordered so that only the last may leave the normal range. */
INLINE real gamma_by_reflection(real x) {
  const stirling_t s = stirling(-x);
  const real magnitude = R(3.14159265, 3.14159265358979323846) / (-x * abs_sin_pi(x)) / s.rest / s.half_power;
  return with_sign_of_gamma(magnitude, x);
}

real FN(gamma)(real x) {
  if (is_nan(x)) return x;
  if (FABS(x) < power_of_two(-MANTISSA_BITS - 2)) return 1 / x;
  if (x >= OVERFLOW_AT) return INF;
  if (x < 0 && x == FLOOR(x)) return NAN;
  if (x <= UNDERFLOW_AT) return with_sign_of_gamma(0, x);
  if (FABS(x) < kStirlingFrom) return gamma_by_recurrence(x);
  if (x < 0) return gamma_by_reflection(x);
  const stirling_t s = stirling(x);
  return s.rest * s.half_power;
}
