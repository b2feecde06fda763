/* j0, j1, y0, y1. Method: bessel.h. Error: docs/accuracy.md, in ulp of the larger of the result and min(1, sqrt(2 / (pi
   x))): near the zeros there is no better promise. */
#include "bessel.h"

real FN(j0)(real x) { return bessel_j0(x); }
real FN(j1)(real x) { return bessel_j1(x); }
real FN(y0)(real x) { return bessel_y0(x); }
real FN(y1)(real x) { return bessel_y1(x); }
