/* Logarithms of numbers and of sums. Method: x = 2**k (1 + f) with 1 + f in [2/3, 4/3); log(1 + f) is f - f**2/2 + f**3
   times a minimax polynomial in f (Sollya fpminimax; relative error 2**-26.9 for f4, 2**-58.5 for f8). The exponent's
   part comes in two steps (Cody and Waite, the first exact) and is added with what the addition loses. */
#pragma once

#include "constants.h"
#include "sums.h"

#if JITC_REAL == 4
/* (log(1 + f) - f + f**2 / 2) / f**3 */
static const real kLog[] = {0x1.55552cp-2f, -0x1.ffff88p-3f, 0x1.99bfdep-3f, -0x1.5581d2p-3f,
                            0x1.1fd6bcp-3f, -0x1.f62d52p-4f, 0x1.19b0e6p-3f, -0x1.012632p-3f};
#define TWO_THIRDS_BITS 0x3f2aaaabu
/* log10(2), of 15 bits first. */
#define LOG10_2_HIGH 0x1.344p-2f
#define LOG10_2_LOW 0x1.3509f8p-18f
#define LOG10_E 0x1.bcb7b2p-2f
#define LOG10_E_LOW -0x1.5b235ep-27f
#else
static const real kLog[] = {0x1.555555555554dp-2, -0x1.fffffffffffd2p-3, 0x1.999999999c3aap-3, -0x1.555555555a761p-3,
                            0x1.249249229a08ep-3, -0x1.fffffff9b5c44p-4, 0x1.c71c73220c14p-4,  -0x1.99999b7eb8a0bp-4,
                            0x1.745cd5bd3637fp-4, -0x1.555502045e10fp-4, 0x1.3b1b1c9f61d39p-4, -0x1.249b103384e71p-4,
                            0x1.108aff803120ep-4, -0x1.fed43e0a6bb52p-5, 0x1.edb7a0b85fdd5p-5, -0x1.d3bf5c7359c8ap-5,
                            0x1.5ec7561da912dp-5, -0x1.470421a49513cp-5, 0x1.543cbaaa8c191p-4, -0x1.4a67dc57d3dedp-4};
#define TWO_THIRDS_BITS 0x3fe5555555555555u
/* Of 42 bits. */
#define LOG10_2_HIGH 0x1.34413509f78p-2
#define LOG10_2_LOW 0x1.fef311f12b358p-46
#define LOG10_E 0x1.bcb7b1526e50ep-2
#define LOG10_E_LOW 0x1.95355baaafad3p-57
#endif

/* x = 2**k (1 + f) */
typedef struct {
  real f, k;
} reduced_t;

/* Of a positive finite x; of all others something. */
INLINE reduced_t reduce(real x) {
  const binary_t parts = split_at(x, TWO_THIRDS_BITS);
  return (reduced_t){parts.m - 1, parts.k};
}

/* What else than a positive finite x gives, or `result`, its logarithm. */
INLINE real log_or_special(real x, real result) {
  const int is_usual = BITS(x) - 1 < INF_BITS - 1;
  const real special = x < 0 ? NAN : x == 0 ? -INF : x;
  return is_usual ? result : special;
}

/* log(1 + f) - f + small: of the first term, -f**2 / 2, not even the rounding is lost. */
INLINE real log_rest(real f, real small) {
  const real half = R(-0.5, -0.5) * f, term = half * f;
  const real cube = -2 * term * f;
  return term + FMA(cube, polynomial(kLog, DEGREE(kLog), f), FMA(half, f, -term) + small);
}

/* k (high + low) + main as a sum, where |main| is below |high|. */
INLINE sum_t add_exponent(real k, real high, real low, real main) {
  const real exact = k * high;
  const sum_t sum = sum_of(exact, main);
  return (sum_t){sum.high, low == 0 ? sum.low : FMA(k, low, sum.low)};
}

/* log(1 + x + low) for finite x above -1, of which low is a small part. */
INLINE real log1p_of_sum(real x, real low) {
  const bits_t above = BITS(1 + x) - TWO_THIRDS_BITS;
  const int k = (int)((sbits_t)above >> MANTISSA_BITS);
  const real whole = FROM_BITS((above & MANTISSA_MASK) + TWO_THIRDS_BITS) - 1;
  const real scale = power_of_two(-k);
  const int is_large = x > 2 * (real)IMPLICIT_BIT;
  const real scaled = x * scale, shift = scale - 1;
  const real near = scaled + shift, shifted = near - scaled;
  const real lost = (scaled - (near - shifted)) + (shift - shifted) + low * scale;
  const real f = is_large ? whole : near, f_low = is_large ? 0 : lost;
  const sum_t sum = add_exponent((real)k, LN2_HIGH, LN2_LOW, f);
  return sum.high + log_rest(f, FMA(-f, f_low, f_low) + sum.low);
}
