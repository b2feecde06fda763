/* exp and exp2, branch-free. Method: exp_core.h; exp2 reduces exactly and has a polynomial of its own (relative error
   2**-28.0 for f4, 2**-57.3 for f8). Error: below 0.9 ulp, subnormal results included. */
#include "exp_core.h"

real FN(exp)(real x) {
  /* Beyond the limits every result is 0 or infinite. */
  const scaled_t e = scaled_exp(clamp(x, R(-104.0, -746.0), R(89.0, 710.0)), 0);
  return scale_by(e.mantissa, e.exponent);
}

real FN(exp2)(real x) {
  x = clamp(x, R(-151.0, -1076.0), R(129.0, 1025.0));
  const real rounded = x + ROUNDER;
  const real r = x - (rounded - ROUNDER);
  const real mantissa = FMA(polynomial(kExp2, DEGREE(kExp2), r), r, 1);
  return scale_by(mantissa, (int)(BITS(rounded) - BITS(ROUNDER)));
}
