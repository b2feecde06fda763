/* log |gamma(x)|. Poles and infinities give +inf.
   Method: gamma_core.h, as a difference of logarithms in two parts; between kLowest and kHighest, where they nearly
   cancel, (x - 1) (x - 2) times a polynomial, so that both zeros keep their digits (Sollya fpminimax of a Chebyshev
   interpolant, relative error 2**-29.4 for f4, 2**-56.2 for f8). Near the zeros between the poles only the absolute
   error is small. Error: docs/accuracy.md. */
#include "gamma_core.h"

#if JITC_REAL == 4
/* lgamma(x) / (x - 1) (x - 2) in x - 3/2; the first coefficient has a second part. */
static const real kLgamma[] = {0x1.eeb95cp-2f,  -0x1.2aed04p-3f, 0x1.01af66p-4f,  -0x1.007bfp-5f,  0x1.13332ep-6f,
                               -0x1.348a52p-7f, 0x1.64fa74p-8f,  -0x1.adf6eap-9f, 0x1.fac4dcp-10f, -0x1.e83d18p-11f,
                               0x1.4e26f2p-11f, -0x1.a53efp-11f, 0x1.cebaa6p-12f};
#define LGAMMA_LOW -0x1.f109ep-27f
#else
static const real kLgamma[] = {
    0x1.eeb95b094c191p-2,  -0x1.2aed059bd6084p-3,  0x1.01af62a292a9ap-4,  -0x1.007aa83cef7bp-5,
    0x1.1334235265e99p-6,  -0x1.34dbda1317821p-7,  0x1.64f0665ee5d9cp-8,  -0x1.a50352f68ffep-9,
    0x1.f814b37d2bfbfp-10, -0x1.313e6ddc4996dp-10, 0x1.750b50b125c6dp-11, -0x1.cb4a08101adcfp-12,
    0x1.1c6e09212db1fp-12, -0x1.61ef53a74c8e6p-13, 0x1.bb7eaaef53ecdp-14, -0x1.18b242d44f733p-14,
    0x1.5bad58e504de3p-15, -0x1.99639cc15f023p-16, 0x1.20d9fd62554adp-16, -0x1.f5059adf5b17ap-17,
    0x1.c6cdbc6ea9eb6p-18, 0x1.7b30c8dc2e1c7p-20,  0x1.9b6f54b5aa708p-20, -0x1.830dc3d683ca7p-18,
    0x1.70d59dbcbdc45p-19};
#define LGAMMA_LOW 0x1.e0322b5c7fe2p-57
#endif
#define LOWEST R(0.85, 0.85)
#define HIGHEST R(2.2, 2.2)

/* Of x in [LOWEST, HIGHEST]. */
INLINE real lgamma_near_zeros(real x) {
  const real t = x - R(1.5, 1.5);
  const sum_t factor = sum_of(kLgamma[0], t * polynomial(kLgamma + 1, DEGREE(kLgamma) - 1, t));
  const sum_t result = times(product_of(x - 1, x - 2), (sum_t){factor.high, factor.low + LGAMMA_LOW});
  /* +0 at both. */
  return result.high + result.low + 0;
}

/* Beyond, products with the logarithm might overflow: they are made of a part of x, where all other terms vanish. */
#define LARGE R(0x1p60, 0x1p900)
#define PART_OF_LARGE R(0x1p-24, 0x1p-60)

real FN(lgamma)(real x) {
  const real z = FABS(x);
  const int is_shifted = z < kShift, is_tiny = z < power_of_two(-MANTISSA_BITS - 6), is_reflected = x < 0 && !is_tiny;
  const real shifted = is_shifted ? z + kShift : z, part = z > LARGE ? PART_OF_LARGE : 1;
  const sum_t g = log2_gamma(shifted, is_shifted ? z - (shifted - kShift) : 0, part);

  /* log2 of what gamma(shifted) is more than gamma(z), and of pi over z sin(pi z) where that is wanted. */
  const sum_t product = factors_from(z, 1), factors = is_shifted ? product : (sum_t){1, 0};
  const sum_t over = is_reflected ? times((sum_t){PI_HIGH, PI_LOW}, factors) : factors;
  const sum_t under = is_reflected ? scaled_sum(abs_sin_pi(z), z) : (sum_t){1, 0};
  const sum_t ratio = ratio_of(over, under),
              log2 = log2_of_split(split_sum((sum_t){ratio.high, is_tiny ? 0 : ratio.low}));
  const sum_t difference = any_sum_of(g.high, -log2.high);
  const real low = difference.low + (g.low - log2.low);
  const sum_t result = times((sum_t){difference.high, low}, (sum_t){LN2, LN2_REST});
  const real magnitude = (result.high + result.low) * (z > LARGE ? 1 / PART_OF_LARGE : 1);
  const real of_far = is_reflected ? -magnitude : magnitude;

  const int is_near = x > LOWEST && x < HIGHEST, is_pole = x <= 0 && x == FLOOR(x);
  return is_nan(x) ? x : is_pole || z == INF ? INF : is_near ? lgamma_near_zeros(x) : of_far;
}
