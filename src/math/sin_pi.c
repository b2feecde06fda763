/* sin(pi x) and cos(pi x), branch-free. Method: x = n / 2 + r with |r| <= 1/4, exactly; minimax polynomials of r
   (Sollya fpminimax; relative error 2**-33.0 and 2**-30.9 for f4, 2**-62.9 and 2**-61.4 for f8), of which pi r comes in
   two parts. Error: docs/accuracy.md. */
#include "constants.h"

/* (sin(pi r) / r - pi) / r**2 and (cos(pi r) - 1) / r**2, in r**2 */
#if JITC_REAL == 4
static const real kSin[] = {-0x1.4abbcep2f, 0x1.466b88p1f, -0x1.32b826p-1f, 0x1.4786p-4f};
static const real kCos[] = {-0x1.3bd3ccp2f, 0x1.03c1b6p2f, -0x1.55b684p0f, 0x1.d61e28p-3f};
#else
static const real kSin[] = {-0x1.4abbce625be53p2,  0x1.466bc6775ab4ap1,   -0x1.32d2cce6337fap-1, 0x1.507834907b28ep-4,
                            -0x1.e3075920b3743p-8, 0x1.e8f7e0e7f9085p-12, -0x1.6ebbb084b505cp-16};
static const real kCos[] = {-0x1.3bd3cc9be45dep2,   0x1.03c1f081b5a54p2,   -0x1.55d3c7e3bf48bp0,
                            0x1.e1f50672187d7p-3,   -0x1.a6d1dbb215c4dp-6, 0x1.f9b9e937f86d7p-10,
                            -0x1.a7d4ece3bd1dfp-14, -0x1.3f1d71e51f38fp-17};
#endif

/* sin(pi (x + quarters / 2)) */
INLINE real sin_of_turned(real x, int quarters) {
  const real within = FMA(-2, RINT(x * R(0.5, 0.5)), x);
  const real rounded = FMA(2, within, ROUNDER);
  const real r = FMA(R(-0.5, -0.5), rounded - ROUNDER, within), square = r * r;
  const int quadrant = (int)(BITS(rounded) - BITS(ROUNDER)) + quarters;
  const real high = r * PI_HIGH, low = FMA(r, PI_HIGH, -high);
  const real sine = high + FMA(r, FMA(square, polynomial(kSin, DEGREE(kSin), square), PI_LOW), low);
  const real cosine = FMA(square, polynomial(kCos, DEGREE(kCos), square), 1);
  const real value = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? -value : value;
}

/* Zeros at integers have the sign of x. */
real FN(sinpi)(real x) {
  const real value = sin_of_turned(x, 0);
  return value == 0 ? COPYSIGN((real)0, x) : value;
}

/* Zeros are positive. */
real FN(cospi)(real x) { return sin_of_turned(x, 1) + 0; }
