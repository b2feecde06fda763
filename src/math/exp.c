/* exp, exp2 and expm1, branch-free. Method: exp_core.h; expm1 is 2**n (exp(r) - 1) + (2**n - 1); exp2 reduces exactly
   and has a polynomial of its own (relative error 2**-28.0 for f4, 2**-57.3 for f8). Error:
   docs/accuracy.md, subnormal results included. */
#include "exp_core.h"

real FN(exp)(real x) {
  /* Beyond the limits every result is 0 or infinite. */
  const scaled_t e = scaled_exp(clamp(x, R(-104.0, -746.0), R(89.0, 710.0)), 0);
  return scale_by(e.mantissa, e.exponent);
}

real FN(exp2)(real x) {
  const scaled_t e = scaled_exp2(clamp(x, R(-151.0, -1076.0), R(129.0, 1025.0)));
  return scale_by(e.mantissa, e.exponent);
}

/* exp(r) - 1 as a sum, r too: near zero nothing else hides what either rounds away. */
real FN(expm1)(real x) {
  const real within = clamp(x, R(-20.0, -40.0), R(89.0, 710.0));
  const real rounded = FMA(within, LOG2_E, ROUNDER), n = rounded - ROUNDER;
  const real near = FMA(-n, LN2_HIGH, within);
  const real r = FMA(-n, LN2_LOW, near), r_low = FMA(-n, LN2_LOW, near - r);
  const real curve = r * r * polynomial(kExp, DEGREE(kExp), r), above = r + curve;
  const real above_low = ((r - above) + curve) + FMA(r, r_low, r_low);
  const real half = power_of_two((int)(BITS(rounded) - BITS(ROUNDER)) - 1); /* 2**n itself may be too large */
  const real shift = half - R(0.5, 0.5), shift_low = (half - shift) - R(0.5, 0.5);
  const real sum = FMA(above, half, shift), sum_low = FMA(above, half, shift - sum) + shift_low;
  /* Half of the least numbers would be none. */
  return FABS(x) < 4 * MIN_NORMAL ? x : 2 * (sum + FMA(above_low, half, sum_low));
}
