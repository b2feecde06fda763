/* sinh and cosh. Method: (exp(|x|) -+ exp(-|x|)) / 2, both from one reduction of x; sinh below 1, where that cancels,
   has a minimax polynomial in x**2 (Sollya fpminimax; relative error 2**-30.8 for f4, 2**-62.4 for f8). Error:
   docs/accuracy.md. */
#include "exp_core.h"

#if JITC_REAL == 4
/* (sinh(x) / x - 1) / x**2 in x**2 */
static const real kSinh[] = {0x1.555554p-3f, 0x1.11118cp-7f, 0x1.9fde28p-13f, 0x1.7ddad4p-19f};
#else
static const real kSinh[] = {0x1.5555555555555p-3,  0x1.1111111111173p-7,  0x1.a01a01a00fb73p-13,
                             0x1.71de3a5dfee9p-19,  0x1.ae644ea511818p-26, 0x1.61286955c2ca2p-33,
                             0x1.ac509cd39a745p-41, 0x1.0974028eaf5dep-48};
#endif

/* exp(|x|) / 2 as a sum, and half its inverse; the sum is finite wherever sinh and cosh are. */
typedef struct {
  real high, low, inverse;
} half_exp_t;

INLINE half_exp_t half_exp(real magnitude) {
  const scaled_t e = scaled_exp(clamp(magnitude, 0, R(90.0, 711.0)), 0);
  /* In two exact steps: the exponent alone may be one too large. */
  const real scale = power_of_two(e.exponent - 3);
  const real high = e.mantissa * scale * 4, low = e.low * scale * 4;
  const int is_wide = e.exponent > EXPONENT_BIAS / 2; /* then the inverse is nothing beside it */
  const real inverse = opposite_exp(e) * power_of_two(is_wide ? 1 - EXPONENT_BIAS : -1 - e.exponent);
  return (half_exp_t){high, low, inverse};
}

real FN(sinh)(real x) {
  const real magnitude = FABS(x), square = x * x;
  const real near = FMA(square * x, polynomial(kSinh, DEGREE(kSinh), square), x);
  const half_exp_t half = half_exp(magnitude);
  return magnitude < 1 ? near : COPYSIGN(half.high + (half.low - half.inverse), x);
}

real FN(cosh)(real x) {
  const half_exp_t half = half_exp(FABS(x));
  return half.high + (half.low + half.inverse);
}
