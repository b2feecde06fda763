/* erf near zero, which erf and erfc share: minimax polynomials in x**2 on [0, 1] (Sollya fpminimax; error of the result
   2**-30.1 for f4, 2**-56.3 for f8). */
#pragma once

#include "device.h"

#if JITC_REAL == 4
static const real kErf[] = {0x1.06eba8p-3f, -0x1.812744p-2f,  0x1.ce2eap-4f,   -0x1.b821e6p-6f,
                            0x1.55dcc6p-8f, -0x1.b99eb6p-11f, 0x1.c77348p-14f, -0x1.1fd45cp-17f};
#else
static const real kErf[] = {0x1.06eba8214db69p-3,   -0x1.812746b0379fdp-2,  0x1.ce2f21a04362dp-4,
                            -0x1.b82ce312abf08p-6,  0x1.565bcd12991cp-8,    -0x1.c02db49b09505p-11,
                            0x1.f9a335388d29ep-14,  -0x1.f4d333884a982p-17, 0x1.b9ee9585006dbp-20,
                            -0x1.5f9828c4b19bbp-23, 0x1.fc78cbc3e67ap-27,   -0x1.46794fc9c028ap-30,
                            0x1.29782fdae98a5p-34};
#endif

/* erf(x) / x - 1 */
INLINE real erf_rest(real x) { return polynomial(kErf, DEGREE(kErf), x * x); }
