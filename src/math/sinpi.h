/* |sin(pi x)|, for the reflection formulas of gamma and lgamma. The reduction to |r| <= 1/2 is exact; minimax-like
   polynomial (Chebyshev interpolation, 300 bits) with relative error 2**-25.0 for f4, 2**-54.6 for f8. */
#pragma once

#include "device.h"

#if JITC_REAL == 4
static const real kSinPi[] = {0x1.921fb6p+1f, -0x1.4abbc4p+2f, 0x1.4668fp+1f, -0x1.32531ep-1f, 0x1.3e142p-4f};
static const real kSinPiLow = -0x1.b1839cp-24f;
#else
static const real kSinPi[] = {0x1.921fb54442d18p+1,  -0x1.4abbce625be52p+2, 0x1.466bc6775aa7dp+1,
                              -0x1.32d2cce627c86p-1, 0x1.5078348551854p-4,  -0x1.e3074dfaf87afp-8,
                              0x1.e8f3675ee37ddp-12, -0x1.6f7acdb8f658p-16, 0x1.9d462020fcc78p-21};
static const real kSinPiLow = 0x1.18e26d3ec321cp-53;
#endif

INLINE real abs_sin_pi(real x) {
  const real r = FABS(x - RINT(x));
  const real square = r * r;
  return FMA(r, polynomial(kSinPi, DEGREE(kSinPi), square), r * kSinPiLow);
}
