/* pow: C99's special values. Method: 2**(y log2|x|), with log2|x| and the product as sums of two numbers (pow_core.h):
   the product goes up to 1075 (f4: 150), and its absolute error is the result's relative one. Error: docs/accuracy.md.
 */
#include "pow_core.h"

/* Beyond, any x but 1 overflows, underflows or gives 1 as infinity does. */
#define LARGE_EXPONENT R(0x1p34, 0x1p66)
/* Beyond, results are infinite or zero. */
#define LARGE_PRODUCT (2 * (real)EXPONENT_BIAS)

real FN(pow)(real x, real y) {
  const real magnitude = FABS(x);
  const sum_t log2 = log2_of(magnitude);
  const real exponent = clamp(y, -LARGE_EXPONENT, LARGE_EXPONENT);
  const real product = exponent * log2.high;
  const real low = FMA(exponent, log2.high, -product) + exponent * log2.low;
  const int is_large = FABS(product) > LARGE_PRODUCT;
  const power_t scaled = exp2_of((sum_t){clamp(product, -LARGE_PRODUCT, LARGE_PRODUCT), is_large ? 0 : low});
  const real power = scale_by(scaled.mantissa.high + scaled.mantissa.low, scaled.exponent);

  const int is_end = magnitude == 0 || magnitude == INF;
  const real of_end = (magnitude == 0) == (y < 0) ? INF : 0;
  const real parity = FABS(exponent - 2 * TRUNC(R(0.5, 0.5) * exponent));
  const real of_negative = parity == 1 ? -1 : parity == 0 || is_end ? 1 : NAN;
  const real magnitude_of_result = is_end ? of_end : power;
  const real result = is_negative(x) ? magnitude_of_result * of_negative : magnitude_of_result;
  return x == 1 || y == 0 ? 1 : __builtin_isunordered(x, y) ? NAN : result;
}
