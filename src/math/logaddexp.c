/* log(exp(x) + exp(y)) = max + log1p(exp(-|x - y|)), which neither overflows nor loses the smaller term. */
#include "device.h"

real FN(exp)(real x);
real FN(log1p)(real x);

real FN(logaddexp)(real x, real y) {
  /* Equal infinities have no difference. */
  if (x == y) return x + R(0.69314718, 0.69314718055994530942);
  const real difference = x - y;
  if (difference > 0) return x + FN(log1p)(FN(exp)(-difference));
  if (difference <= 0) return y + FN(log1p)(FN(exp)(difference));
  return NAN;
}
