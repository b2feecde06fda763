/* What gamma and lgamma are made of. For z >= kShift Stirling's formula with base 2,
     (z - 1/2) log2(z) - z log2(e) + log2(2 pi) / 2 + M(1 / z**2) / z,
   summed in two parts (pow_core.h; M is Sollya's fpminimax of a Chebyshev interpolant, absolute error 2**-30.1 for f4,
   2**-57.2 for f8). Smaller z by gamma(z + kShift) and the factors between them, which pair up to z (z + kShift - 1)
   and constants. Negative arguments by the reflection gamma(x) = -pi / (x sin(pi x) gamma(-x)). */
#pragma once

#include "newton.h"
#include "pow_core.h"
#include "sinpi.h"

#if JITC_REAL == 4
static const real kStirling[] = {0x1.ec709ep-4f, -0x1.06a3bp-8f, 0x1.2c075cp-10f, -0x1.93cccap-11f};
static const real kShift = 4;
#else
static const real kStirling[] = {0x1.ec709dc3a03fdp-4,   -0x1.06a276462f058p-8, 0x1.2c27626a706fap-10,
                                 -0x1.c23aa2ff32aa2p-11, 0x1.3e353a3709d99p-10, -0x1.64ad0e146414bp-9,
                                 0x1.d735bc2e8f22fp-8};
static const real kShift = 8;
#endif
/* log2(2 pi) / 2 */
#define HALF_LOG2_TWO_PI R(0x1.53643ap+0, 0x1.536439a4c6efcp+0)
#define HALF_LOG2_TWO_PI_LOW R(-0x1.6ce442p-26, -0x1.49e49a361efebp-54)

/* log2(gamma(x + low)) for x >= kShift, with `low` a small part of x; `part` times that, where x log2(x)
   might be infinite: a power of two that leaves the constants nothing to say. */
INLINE sum_t log2_gamma(real x, real low, real part) {
  const real inverse = reciprocal(x * part);
  const sum_t log2 = log2_of(x);
  const sum_t power = scaled_sum(log2, (x - R(0.5, 0.5)) * part);
  const sum_t linear = product_of(x * part, LOG2_E);
  const sum_t main = sum_of(power.high, -linear.high);
  const sum_t all = sum_of(main.high, HALF_LOG2_TWO_PI);
  /* The derivative is log2(x) - log2(e) / 2 x and less. */
  const real of_low = low * FMA(R(-0.5, -0.5) * LOG2_E, inverse, log2.high);
  const real series = inverse * polynomial(kStirling, DEGREE(kStirling), inverse * inverse);
  const real lost =
      main.low + all.low + (power.low - linear.low) + FMA(-x * part, LOG2_E_LOW, HALF_LOG2_TWO_PI_LOW) + of_low;
  return sum_of(all.high, series + lost);
}

/* z (z + 1) … (z + kShift - 1) times a power of two, for z below kShift. */
INLINE sum_t factors_from(real z, real power) {
  const sum_t t = scaled_sum(sum_of(kShift - 1, z), z), first = {t.high * power, t.low * power};
  return PICK(times(first, plus(t, 2)), times(times(first, plus(t, 6)), times(plus(t, 10), plus(t, 12))));
}
