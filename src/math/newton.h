/* Reciprocals and square roots by Newton's method with cubic steps, from a first value that is made of the bits: the
   same on all targets, and without the branch that an exact division has on a GPU. */
#pragma once

#include "sums.h"

/* Steps from an error of 12 % below the last place. */
#define NEWTON_STEPS PICK(2, 3)

/* 1 / x for |x| in [2**-100, 2**100] (f8: 2**-1000, 2**1000); nan gives nan. Error: below 0.6 ulp, before
 * `reciprocal_low`. */
INLINE real reciprocal(real x) {
  real r = FROM_BITS(PICK(0x7ef311c7u, 0x7fde623822fc16e6u) - BITS(x));
#pragma clang loop unroll(full)
  for (int i = 0; i < NEWTON_STEPS; ++i) {
    const real e = FMA(-x, r, 1);
    r = FMA(r, FMA(e, e, e), r);
  }
  return r;
}
/* What 1 / x is more than r. */
INLINE real reciprocal_low(real x, real r) { return FMA(-x, r, 1) * r; }

/* 1 / sqrt(x) for a positive normal x, or something that x makes 0; some ulp wrong. */
INLINE real inverse_root(real x) {
  real r = FROM_BITS(PICK(0x5f3759dfu, 0x5fe6eb50c7b537a9u) - (BITS(x) >> 1));
#pragma clang loop unroll(full)
  for (int i = 0; i < NEWTON_STEPS; ++i) {
    const real e = FMA(-(x * r), r, 1);
    r = FMA(r * e, FMA(R(0.375, 0.375), e, R(0.5, 0.5)), r);
  }
  return r;
}

/* The square root of x in {0} and [2**-60, 2**60] (f8: 2**-120, 2**120), of which x.low is a small part, as a sum. */
INLINE sum_t square_root_of_sum(sum_t x) {
  const real r = inverse_root(x.high), high = x.high * r;
  return (sum_t){high, (FMA(-high, high, x.high) + x.low) * r * R(0.5, 0.5)};
}

INLINE sum_t square_root(real x) {
  const real r = inverse_root(x), high = x * r;
  return (sum_t){high, FMA(-high, high, x) * r * R(0.5, 0.5)};
}

/* a / b, for b in the domain of reciprocal(). */
INLINE sum_t ratio_of(sum_t a, sum_t b) {
  const real inverse = reciprocal(b.high), ratio = a.high * inverse;
  return (sum_t){ratio, FMA(-ratio, b.low, FMA(-ratio, b.high, a.high) + a.low) * inverse};
}
