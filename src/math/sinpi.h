/* |sin(pi x)|, for the reflection formulas of gamma and lgamma. The reduction to |r| <= 1/2 is exact; polynomial by
   Sollya fpminimax, relative error 2**-29.6 for f4, 2**-58.1 for f8. */
#pragma once

#include "constants.h"
#include "sums.h"

#if JITC_REAL == 4
/* (sin(pi r) / r - pi) / r**2 in r**2 */
static const real kSinPi[] = {-0x1.4abbcep+2f, 0x1.466b9cp+1f, -0x1.32c8cep-1f, 0x1.4eaa8p-4f, -0x1.a42942p-8f};
#else
static const real kSinPi[] = {-0x1.4abbce625be53p+2,  0x1.466bc6775ab26p+1,  -0x1.32d2cce62e403p-1,
                              0x1.50783488f762ep-4,   -0x1.e3075022b7432p-8, 0x1.e8f417cf85382p-12,
                              -0x1.6f97b80205391p-16, 0x1.a114859173e7ap-21};
#endif

INLINE sum_t abs_sin_pi(real x) {
  const real r = FABS(x - RINT(x)), square = r * r;
  const sum_t slope = sum_of(PI_HIGH, square * polynomial(kSinPi, DEGREE(kSinPi), square));
  return scaled_sum((sum_t){slope.high, slope.low + PI_LOW}, r);
}
