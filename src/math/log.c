/* log, log2, log10 and log1p, branch-free. Method: log_core.h; log1p has f = x 2**-k + (2**-k - 1) as a sum of two
   numbers. Error: docs/accuracy.md. */
#include "log_core.h"

real FN(log)(real x) {
  const reduced_t r = reduce(x);
  const sum_t sum = add_exponent(r.k, LN2_HIGH, LN2_LOW, r.f);
  return log_or_special(x, sum.high + log_rest(r.f, sum.low));
}

/* Times 1 / log(base), which has a low part; log_rest() in its two parts. */
INLINE real log_in_base(real x, real factor, real factor_low, real high, real low) {
  const reduced_t r = reduce(x);
  const real main = r.f * factor;
  const sum_t sum = add_exponent(r.k, high, low, main);
  const real small = FMA(r.f, factor_low, FMA(r.f, factor, -main) + sum.low);
  const real half = R(-0.5, -0.5) * r.f, term = half * r.f;
  const real cube = -2 * term * r.f;
  const real curve = FMA(cube, polynomial(kLog, DEGREE(kLog), r.f), FMA(half, r.f, -term));
  return log_or_special(x, sum.high + FMA(term, factor, FMA(curve, factor, small)));
}

real FN(log2)(real x) { return log_in_base(x, LOG2_E, LOG2_E_LOW, 1, 0); }

real FN(log10)(real x) { return log_in_base(x, LOG10_E, LOG10_E_LOW, LOG10_2_HIGH, LOG10_2_LOW); }

real FN(log1p)(real x) {
  const real special = x < -1 ? NAN : x == -1 ? -INF : x;
  return x > -1 && x < INF && x != 0 ? log1p_of_sum(x, 0) : special;
}
