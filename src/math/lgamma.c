/* log |gamma(x)|. Poles and infinities give +inf.
   Method: lgamma(2 + t) = t Q(t) for |t| <= 1/2 and lgamma(1 + u) = u P(u) for u in [-0.3, 0.5], with polynomials Q and
   P, so that both zeros keep their digits. Below 1/2 two steps of the recurrence are taken, below 0.7 one; from 5/2 to
   kStirlingFrom the factors are multiplied into one logarithm; above, Stirling's series in 1/x**2. Negative arguments
   by reflection: near the zeros between the poles only the absolute error is small. Polynomials: interpolation at
   Chebyshev nodes computed with 300 bits; relative error 2**-25.2 for f4, 2**-54.2 for f8. Error:
   docs/math-accuracy.md. */
#include "sinpi.h"

real FN(log)(real x);
real FN(log1p)(real x);

#if JITC_REAL == 4
/* lgamma(2 + t) / t */
static const real kLgamma[] = {0x1.b0ee6p-2f,  0x1.4a34ccp-2f,   -0x1.13ep-4f,    0x1.513598p-6f,  -0x1.e40b3p-8f,
                               0x1.7956cep-9f, -0x1.374ac2p-10f, 0x1.2af9d4p-11f, -0x1.06bbbcp-12f};
static const real kLgammaLow = 0x1.c824f4p-28f;
/* lgamma(1 + u) / u */
static const real kLgammaOne[] = {-0x1.2788dp-1f,  0x1.a51a66p-1f, -0x1.9a4d4cp-2f, 0x1.151308p-2f,
                                  -0x1.a8bf84p-3f, 0x1.5b51fep-3f, -0x1.26761ep-3f, 0x1.fe062p-4f,
                                  -0x1.d0c7bep-4f, 0x1.cac142p-4f, -0x1.8598fap-4f, 0x1.53a208p-5f};
static const real kLgammaOneLow = 0x1.b2c8p-28f;
/* Stirling's series times x, in 1/x**2, x >= kStirlingFrom */
static const real kSeries[] = {0x1.555556p-4f, -0x1.6c0e8cp-9f, 0x1.93a396p-11f};
static const real kStirlingFrom = 6;
#else
static const real kLgamma[] = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa7p-2,  -0x1.13e001a557607p-4,  0x1.51322ac7d7fd2p-6,
    -0x1.e404fc218ecffp-8,  0x1.7add6eae5b8fdp-9,  -0x1.38ac5c2c96006p-10, 0x1.0b36af3424c5p-11,
    -0x1.d3fd4bda4f97bp-13, 0x1.a127dd231f4b2p-14, -0x1.78de85fa0bf74p-15, 0x1.5806d7786fbc2p-16,
    -0x1.3cb5f201754a6p-17, 0x1.2640a5e8ab73ep-18, -0x1.125408d7ee6ebp-19, 0x1.edf317afe0c72p-21,
    -0x1.d06b46182e294p-22, 0x1.2b4bb069ee6a9p-22, -0x1.1be56b7e101c6p-23};
static const real kLgammaLow = 0x1.6cb90701fbfabp-58;
static const real kLgammaOne[] = {
    -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1,  -0x1.9a4d55beab2e2p-2, 0x1.151322ac7d88cp-2,  -0x1.a8b9c17aa4737p-3,
    0x1.5b40cb1003cccp-3,  -0x1.2703a1ddaa124p-3, 0x1.010b36b364be6p-3,  -0x1.c8067017347f3p-4, 0x1.9a01e197c6637p-4,
    -0x1.748c3d414adcfp-4, 0x1.556b1e0c542d2p-4,  -0x1.3b1d03148253ap-4, 0x1.24909a7b818afp-4,  -0x1.1113cc0c43c9p-4,
    0x1.005355ca44145p-4,  -0x1.e2baf453c1cbcp-5, 0x1.c2b432654b6bdp-5,  -0x1.a2f746bcbc602p-5, 0x1.a151160674349p-5,
    -0x1.c8a4aff80a083p-5, 0x1.bb33f1258b8ap-5,   -0x1.1aab4927074f3p-5, 0x1.483b5760fa421p-7};
static const real kLgammaOneLow = 0x1.83effa60ebfa9p-58;
static const real kSeries[] = {0x1.5555555555555p-4,   -0x1.6c16c16c149f4p-9, 0x1.a01a017dcf9e1p-11,
                               -0x1.38134d4f8896fp-11, 0x1.b92c33f9445e5p-11, -0x1.ef8d748aeb0f2p-10,
                               0x1.4bffc9d8b455bp-8};
static const real kStirlingFrom = 8;
#endif

/* (log(2 pi) - 1) / 2 and log(pi) */
#define STIRLING_CONSTANT R(0.41893853, 0.41893853320467274178)
#define LOG_PI R(1.1447298, 1.14472988584940017414)

/* lgamma(2 + t) for |t| <= 1/2. */
INLINE real lgamma_near_two(real t) {
  const real q = FMA(t, polynomial(kLgamma + 1, DEGREE(kLgamma) - 1, t), kLgammaLow) + kLgamma[0];
  return t * q;
}

/* lgamma(1 + u) for u in [-0.3, 0.5]. */
INLINE real lgamma_near_one(real u) {
  const real p = FMA(u, polynomial(kLgammaOne + 1, DEGREE(kLgammaOne) - 1, u), kLgammaOneLow) + kLgammaOne[0];
  /* The sum makes lgamma(1) +0. */
  return FMA(u, p, 0);
}

INLINE real lgamma_of_moderate(real x) {
  real product = 1, t = x - 2;
  for (; t > R(0.5, 0.5); t -= 1) product *= t + 1;
  return FN(log)(product) + lgamma_near_two(t);
}

INLINE real lgamma_of_large(real x) {
  const real inverse = 1 / x;
  const real series = inverse * polynomial(kSeries, DEGREE(kSeries), inverse * inverse);
  /* Past 2**(MANTISSA_BITS + 3) the 1/2 and the constants vanish; x (log x - 1) overflows when the result does. */
  return FMA(x - R(0.5, 0.5), FN(log)(x) - 1, STIRLING_CONSTANT + series);
}

INLINE real lgamma_of_positive(real x) {
  if (x < R(0.5, 0.5)) return lgamma_near_two(x) - FN(log1p)(x) - FN(log)(x);
  if (x < R(0.7, 0.7)) return lgamma_near_two(x - 1) - FN(log)(x);
  if (x < R(1.5, 1.5)) return lgamma_near_one(x - 1);
  if (x < kStirlingFrom) return lgamma_of_moderate(x);
  return lgamma_of_large(x);
}

real FN(lgamma)(real x) {
  if (is_nan(x)) return x;
  if (is_inf(x) || (x <= 0 && x == FLOOR(x))) return INF;
  const real magnitude = FABS(x);
  if (magnitude < power_of_two(-MANTISSA_BITS - 2)) return -FN(log)(magnitude);
  if (x > 0) return lgamma_of_positive(x);
  /* gamma(x) gamma(-x) = -pi / (x sin(pi x)) */
  return LOG_PI - FN(log)(magnitude * abs_sin_pi(x)) - lgamma_of_positive(magnitude);
}
