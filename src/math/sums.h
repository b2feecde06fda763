/* Numbers as unevaluated sums high + low, where |low| is at most about the last place of `high`. */
#pragma once

#include "device.h"

typedef struct {
  real high, low;
} sum_t;

/* The rounded sum and what it lost, for |a| >= |b| or a = 0 (Dekker's fast two-sum). */
INLINE sum_t sum_of(real a, real b) {
  const real sum = a + b;
  return (sum_t){sum, (a - sum) + b};
}

/* The same for any a and b (Knuth's two-sum). */
INLINE sum_t any_sum_of(real a, real b) {
  const real sum = a + b, back = sum - a;
  return (sum_t){sum, (a - (sum - back)) + (b - back)};
}

INLINE sum_t product_of(real a, real b) {
  const real product = a * b;
  return (sum_t){product, FMA(a, b, -product)};
}

INLINE sum_t times(sum_t a, sum_t b) {
  const sum_t product = product_of(a.high, b.high);
  return (sum_t){product.high, FMA(a.high, b.low, FMA(a.low, b.high, product.low))};
}

INLINE sum_t scaled_sum(sum_t a, real b) {
  const sum_t product = product_of(a.high, b);
  return (sum_t){product.high, FMA(a.low, b, product.low)};
}

INLINE sum_t plus(sum_t a, real b) {
  const sum_t sum = any_sum_of(a.high, b);
  return (sum_t){sum.high, sum.low + a.low};
}
