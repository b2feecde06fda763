/* The gamma function. Zeros give the infinity of their sign, negative integers and -inf give nan (C99 tgamma).
   Method: gamma_core.h. Numerator and denominator are sums of two numbers beside a power of two, so that nothing leaves
   the range before the last rounding. Error: docs/accuracy.md. */
#include "gamma_core.h"

/* Results there are infinite, those of -kLargest zero. */
static const real kLargest = R(48.0, 192.0);

/* gamma is negative between -1 and 0, positive between -2 and -1, … */
INLINE bits_t sign_of_gamma(real x) {
  const real half = R(0.5, 0.5) * FLOOR(x);
  return x < 0 && half != FLOOR(half) ? SIGN_BIT : 0;
}

/* Brings the smallest arguments into the range of reciprocals. */
#define UP (TYPE_BITS + MANTISSA_BITS)

real FN(gamma)(real x) {
  const real magnitude = FABS(x), z = clamp(magnitude, 0, kLargest);
  const int is_shifted = z < kShift, is_tiny = z < power_of_two(-MANTISSA_BITS - 6);
  const real shifted = is_shifted ? z + kShift : z;
  const power_t g = exp2_of(log2_gamma(shifted, is_shifted ? z - (shifted - kShift) : 0, 1));
  const sum_t product = factors_from(z, is_tiny ? power_of_two(UP) : 1), factors = is_shifted ? product : (sum_t){1, 0};

  /* Tiny negative arguments: as positive ones, both are near 1 / x. */
  const int is_reflected = x < 0 && !is_tiny;
  const sum_t over = is_reflected ? times((sum_t){PI_HIGH, PI_LOW}, factors) : g.mantissa;
  const sum_t under = is_reflected ? scaled_sum(times(abs_sin_pi(magnitude), g.mantissa), magnitude) : factors;
  const sum_t ratio = ratio_of(over, under);
  const int exponent = is_reflected ? -g.exponent : is_tiny ? g.exponent + UP : g.exponent;
  const real result = FROM_BITS(BITS(scale_by(ratio.high + ratio.low, exponent)) | sign_of_gamma(x));
  const int is_pole = x < 0 && x == FLOOR(x);
  return x == 0 ? COPYSIGN(INF, x) : is_pole || is_nan(x) ? NAN : result;
}
