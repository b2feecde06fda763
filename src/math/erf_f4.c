/* erf in f4, branch-free. Method: below 1 erf_near.h, else 1 - exp(p(|x|)) with p a minimax
   polynomial of log(erfc) (Sollya fpminimax; error of the result 2**-28.7). Error: docs/accuracy.md. */
#include "erf_near.h"
#include "exp_core.h"

#define BORDER 1.0f
/* log(erfc(x)) up to 4 */
static const real kLogErfc[] = {0x1.313174p-12f, -0x1.214f8ap+0f, -0x1.439734p-1f,  -0x1.c2314ap-4f, 0x1.af5b2ep-6f,
                                -0x1.35d7dcp-8f, 0x1.357426p-11f, -0x1.7c05a8p-15f, 0x1.ad813p-20f};

f4 jitc_erf_f4(f4 x) {
  const f4 magnitude = FABS(x);
  const f4 near = FMA(x, erf_rest(x), x);
  /* Beyond the limit the result is 1. */
  const scaled_t e = scaled_exp(polynomial(kLogErfc, DEGREE(kLogErfc), clamp(magnitude, BORDER, 4)), 0);
  const f4 far = FMA(-e.mantissa, power_of_two(e.exponent), 1);
  return magnitude < BORDER ? near : COPYSIGN(far, x);
}
