/* erfc, branch-free, in f4 and f8. Method: below 0.75 in magnitude 1 - erf(x), from erf_near.h; else erfc_core.h, and
   erfc(-x) = 2 - erfc(x). Error: docs/accuracy.md. */
#include "erf_near.h"
#include "erfc_core.h"

real FN(erfc)(real x) {
  const real magnitude = FABS(x);
  const real sum = 1 - x, lost = (1 - sum) - x;
  const real near = sum + FMA(-x, erf_rest(x), lost);
  const scaled_erfc_t e = scaled_erfc(clamp(magnitude, R(0.75, 0.75), R(10.1, 27.3)));
  const real tail = scale_by(e.value, e.exponent);
  return magnitude < R(0.75, 0.75) ? near : x < 0 ? 2 - tail : tail;
}
