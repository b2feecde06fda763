/* log(exp(x) + exp(y)) = max + log1p(exp(-|x - y|)), which neither overflows nor loses the smaller term. */
#include "exp_core.h"
#include "log_core.h"

/* log1p(exp(low - high)) for low < high, with what the difference and the power round away. */
INLINE real log_of_one_plus_ratio(real high, real low) {
  const real difference = low - high;
  if (!(difference > R(-104.0, -746.0))) return is_nan(difference) ? difference : 0;
  const real back = difference - low;
  const real lost = (low - (difference - back)) - (high + back);
  const scaled_t e = scaled_exp(difference, lost);
  const real ratio = scale_by(e.mantissa, e.exponent);
  return log1p_of_sum(ratio, scale_by(e.low, e.exponent));
}

real FN(logaddexp)(real x, real y) {
  /* Equal infinities have no difference. */
  if (x == y) return x + R(0.69314718, 0.69314718055994530942);
  return x > y ? x + log_of_one_plus_ratio(x, y) : y + log_of_one_plus_ratio(y, x);
}
