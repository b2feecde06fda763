/* log(exp(x) + exp(y)) = max + log1p(exp(-|x - y|)), which neither overflows nor loses the smaller term. */
#include "device.h"

real FN(exp)(real x);
real FN(log1p)(real x);

/* log1p(exp(low - high)) for low < high. The difference's rounding error would count as often as it is large. */
INLINE real log_of_one_plus_ratio(real high, real low) {
  const real difference = low - high;
  if (!(difference > R(-200.0, -800.0))) return is_nan(difference) ? difference : 0;
  const real back = difference - low;
  const real lost = (low - (difference - back)) - (high + back);
  const real ratio = FN(exp)(difference);
  return FN(log1p)(FMA(ratio, lost, ratio));
}

real FN(logaddexp)(real x, real y) {
  /* Equal infinities have no difference. */
  if (x == y) return x + R(0.69314718, 0.69314718055994530942);
  return x > y ? x + log_of_one_plus_ratio(x, y) : y + log_of_one_plus_ratio(y, x);
}
