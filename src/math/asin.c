/* asin and acos, branch-free. Method: up to 1/2, x plus x**3 times a minimax polynomial in x**2 (Sollya fpminimax;
   relative error 2**-30.2 for f4, 2**-58.1 for f8); above, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)). Error: below 0.9
   ulp. */
#include "constants.h"
#include "newton.h"

/* (asin(x) / x - 1) / x**2 in x**2 */
#if JITC_REAL == 4
static const real kAsin[] = {0x1.555554p-3f, 0x1.3334c8p-4f, 0x1.6d4032p-5f,
                             0x1.ff9494p-6f, 0x1.10abf6p-6f, 0x1.1a258cp-5f};
#else
static const real kAsin[] = {0x1.5555555555556p-3, 0x1.3333333332dcdp-4, 0x1.6db6db6e4397cp-5, 0x1.f1c71c14da09dp-6,
                             0x1.6e8bb2fe23249p-6, 0x1.1c4d1bf9d334fp-6, 0x1.c9d1cecf1ae4bp-7, 0x1.780cd7fb43236p-7,
                             0x1.52df0d1d760c3p-7, 0x1.60a47dd676cbap-8, 0x1.205df5a3ad668p-6, -0x1.f07d843de6c03p-7,
                             0x1.da672fe6ba39fp-6};
#endif

/* asin(high), as high and what is to be added: of |x| up to 1/2, else of sqrt((1 - |x|) / 2). */
INLINE sum_t half_angle(real magnitude, int is_large) {
  const real square = is_large ? FMA(R(-0.5, -0.5), magnitude, R(0.5, 0.5)) : magnitude * magnitude;
  const sum_t root = square_root(is_large ? square : 0);
  const real high = is_large ? root.high : magnitude;
  return (sum_t){high, FMA(high * square, polynomial(kAsin, DEGREE(kAsin), square), root.low)};
}

real FN(asin)(real x) {
  const real magnitude = FABS(x);
  const int is_large = magnitude > R(0.5, 0.5);
  const sum_t angle = half_angle(magnitude, is_large);
  const real factor = is_large ? -2 : 1;
  const real result = turned(is_large ? 1 : 0, factor * angle.high, factor * angle.low);
  return magnitude <= 1 ? COPYSIGN(result, x) : NAN;
}

real FN(acos)(real x) {
  const real magnitude = FABS(x);
  const int is_large = magnitude > R(0.5, 0.5), is_above = x > 0;
  /* Quarters of a turn: none near 1, two near -1, one between. */
  const real quarters = is_large ? (is_above ? 0 : 2) : 1;
  const real factor = is_large ? (is_above ? 2 : -2) : (is_above ? -1 : 1);
  const sum_t angle = half_angle(magnitude, is_large);
  const real result = turned(quarters, factor * angle.high, factor * angle.low);
  return magnitude <= 1 ? result : NAN;
}
