/* asinh, acosh and atanh, branch-free, as logarithms of 1 + t:
     asinh  t = x + x**2 / (1 + sqrt(x**2 + 1))
     acosh  t = u + sqrt(u (u + 2)), u = x - 1
     atanh  half of it, t = 2 x / (1 - x)
   Above LARGE the first two are log(x) + log(2). Error: docs/accuracy.md. */
#include "log_core.h"
#include "newton.h"

#define LARGE R(0x1p28, 0x1p57)
#define LN2 R(0x1.62e43p-1, 0x1.62e42fefa39efp-1)

INLINE real log_of_twice(real x, real t, real t_low) {
  const int is_large = x > LARGE;
  return log1p_of_sum(is_large ? x : t, is_large ? 0 : t_low) + (is_large ? LN2 : 0);
}

real FN(asinh)(real x) {
  const real magnitude = FABS(x), m = magnitude < LARGE ? magnitude : LARGE;
  const real square = FMA(m, m, 1);
  const sum_t root = square_root_of_sum((sum_t){square, FMA(m, m, 1 - square)});
  const real more = (root.high - 1) + root.low, t = m + more;
  const real result = log_of_twice(magnitude, t, (m - t) + more);
  return magnitude < INF ? COPYSIGN(result, x) : x;
}

real FN(acosh)(real x) {
  const real u = (x < LARGE ? x : LARGE) - 1;
  const real product = FMA(u, u, 2 * u);
  const sum_t root = square_root_of_sum((sum_t){product, FMA(u, u, 2 * u - product)});
  const sum_t t = sum_of(root.high, u);
  const real result = log_of_twice(x, t.high, t.low + root.low);
  return x >= 1 ? (x < INF ? result : x) : NAN;
}

real FN(atanh)(real x) {
  const real magnitude = FABS(x);
  const real below = 1 - magnitude, below_low = (1 - below) - magnitude;
  const real inverse = reciprocal(below);
  const real t = 2 * magnitude * inverse;
  const real t_low = FMA(-t, below_low, FMA(-t, below, 2 * magnitude)) * inverse;
  const real result = R(0.5, 0.5) * log1p_of_sum(t, t_low);
  const real special = magnitude == 1 ? INF : NAN;
  return COPYSIGN(magnitude < 1 ? result : special, x);
}
