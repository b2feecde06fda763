/* tanh, branch-free. Method: below 1 a minimax polynomial in x**2 (Sollya fpminimax; relative error 2**-28.6 for f4,
   2**-57.8 for f8), else 1 - 2 / (exp(2 |x|) + 1). Error: docs/accuracy.md. */
#include "exp_core.h"
#include "newton.h"

/* (tanh(x) / x - 1) / x**2 in x**2 */
#if JITC_REAL == 4
static const real kTanh[] = {-0x1.555556p-2f, 0x1.11112cp-3f, -0x1.ba1af6p-5f,  0x1.660068p-6f,
                             -0x1.1eada6p-7f, 0x1.acf0eap-9f, -0x1.faea1ep-11f, 0x1.437b6ep-13f};
#else
static const real kTanh[] = {
    -0x1.5555555555555p-2,  0x1.111111111106cp-3,  -0x1.ba1ba1ba10ccdp-5,  0x1.664f4880381c1p-6,
    -0x1.226e350a76cf8p-7,  0x1.d6d3c35d5de29p-9,  -0x1.7da2aa018ddefp-10, 0x1.35511acb48516p-11,
    -0x1.f51aeb7cf15bap-13, 0x1.9480168817fe8p-14, -0x1.41c4f710b638cp-15, 0x1.e903f39ca48bp-17,
    -0x1.4d2be6a546b43p-18, 0x1.6f452f2e41716p-20, -0x1.175f5424e22c4p-22, 0x1.a94745da69691p-26};
#endif

real FN(tanh)(real x) {
  const real square = x * x, magnitude = FABS(x);
  const real near = FMA(square * x, polynomial(kTanh, DEGREE(kTanh), square), x);
  /* Beyond the limit the result is 1. */
  const scaled_t e = scaled_exp(2 * clamp(magnitude, 0, R(10.0, 20.0)), 0);
  const real far = FMA(-2, reciprocal(FMA(e.mantissa, power_of_two(e.exponent), 1)), 1);
  return COPYSIGN(magnitude < 1 ? near : far, x);
}
