/* erf in f8, branch-free. Method: below 1 erf_near.h, else 1 - erfc(|x|). Error: docs/accuracy.md. */
#include "erf_near.h"
#include "erfc_core.h"

f8 jitc_erf_f8(f8 x) {
  const f8 magnitude = FABS(x);
  const f8 near = FMA(x, erf_rest(x), x);
  /* Beyond the limit the result is 1. */
  const scaled_erfc_t e = scaled_erfc(clamp(magnitude, 1, 6));
  const f8 far = FMA(-e.value, power_of_two(e.exponent), 1);
  return magnitude < 1 ? near : COPYSIGN(far, x);
}
