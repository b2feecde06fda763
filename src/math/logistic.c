/* logistic(x) = 1 / (1 + exp(-x)), branch-free. Method: exp(-|x|), which cannot overflow, over or under its sum with 1,
   both in two parts; below zero the power of two comes last, so that subnormal results are rounded once. Error:
   docs/accuracy.md. */
#include "exp_core.h"
#include "newton.h"

real FN(logistic)(real x) {
  /* Beyond the limit the result is 0 or 1. */
  const scaled_t e = scaled_exp(-clamp(FABS(x), 0, R(104.0, 746.0)), 0);
  const int is_nothing = e.exponent < -EXPONENT_BIAS / 2; /* beside 1 */
  const real scale = power_of_two(is_nothing ? -EXPONENT_BIAS / 2 : e.exponent);
  const sum_t under = sum_of(1, e.mantissa * scale);
  const sum_t over = x < 0 ? (sum_t){e.mantissa, e.low} : (sum_t){1, 0};
  const sum_t ratio = ratio_of(over, (sum_t){under.high, FMA(e.low, scale, under.low)});
  return scale_by(ratio.high + ratio.low, x < 0 ? e.exponent : 0);
}
