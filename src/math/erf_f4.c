/* erf in f4, branch-free. Method: below 1 erf_near.h, else 1 - 2**p(|x|) with p a minimax polynomial of log2(erfc)
   (Sollya remez with the weight erfc, fpminimax; error of the result 2**-27.7). Error: docs/accuracy.md. */
#include "erf_near.h"
#include "exp_core.h"

#define BORDER 1.0f
/* log2(erfc(x)) up to 4, in x - BORDER, where erfc is largest */
static const real kLogErfc[] = {-0x1.558eaep+1f, -0x1.e7531ap+1f, -0x1.3763ep+0f, -0x1.ea5dfap-5f,
                                0x1.d307b8p-7f,  -0x1.580ca4p-9f, 0x1.169284p-12f};

f4 jitc_erf_f4(f4 x) {
  const f4 magnitude = FABS(x);
  const f4 near = FMA(x, erf_rest(x), x);
  /* Beyond the limit the result is 1. */
  const scaled_t e = scaled_exp2(polynomial(kLogErfc, DEGREE(kLogErfc), clamp(magnitude - BORDER, 0, 3)));
  const f4 far = FMA(-e.mantissa, power_of_two(e.exponent), 1);
  return magnitude < BORDER ? near : COPYSIGN(far, x);
}
