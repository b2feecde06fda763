/* 10**x, branch-free. Method: exp(x log(10)) with the product in two parts. Error: docs/accuracy.md. */
#include "exp_core.h"

#define LN10 R(0x1.26bb1cp+1, 0x1.26bb1bbb55516p+1)
#define LN10_LOW R(-0x1.12aabap-25, -0x1.f48ad494ea3e9p-53)

real FN(exp10)(real x) {
  /* Beyond the limits every result is 0 or infinite. */
  const real within = clamp(x, R(-46.0, -324.5), R(39.0, 309.0));
  const real product = within * LN10;
  const scaled_t e = scaled_exp(product, FMA(within, LN10_LOW, FMA(within, LN10, -product)));
  return scale_by(e.mantissa, e.exponent);
}
