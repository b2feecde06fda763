/* atan and atan2, branch-free. Method: atan(x) = pi/2 - atan(1/x) above 1; on [0, 1] x plus x**3 times a minimax
   polynomial in x**2 (Sollya fpminimax; relative error 2**-28.6 for f4, 2**-58.0 for f8). What the reciprocal and the
   subtraction round away is added. Error: docs/accuracy.md. */
#include "constants.h"
#include "newton.h"

/* (atan(x) / x - 1) / x**2 in x**2 */
#if JITC_REAL == 4
static const real kAtan[] = {-0x1.555556p-2f, 0x1.9999b8p-3f,  -0x1.249002p-3f, 0x1.c69708p-4f,  -0x1.6fa246p-4f,
                             0x1.248d34p-4f,  -0x1.9ef2f2p-5f, 0x1.c83f28p-6f,  -0x1.44d7e2p-7f, 0x1.b092fap-10f};
#else
static const real kAtan[] = {-0x1.5555555555555p-2, 0x1.999999999987dp-3, -0x1.249249248a2dfp-3,  0x1.c71c71c3cae8bp-4,
                             -0x1.745d16e4bbaddp-4, 0x1.3b13aa3c5fbeep-4, -0x1.1110b93cf782ap-4,  0x1.e1dbb410a5d98p-5,
                             -0x1.aefeffa2a0786p-5, 0x1.8543df3e5cf55p-5, -0x1.60d8685c9f688p-5,  0x1.3d12a94e03a4cp-5,
                             -0x1.142b2ce799abbp-5, 0x1.c2cad4aab904bp-6, -0x1.4a9f5a6bc1549p-6,  0x1.a05a430f31bb8p-7,
                             -0x1.acd7a7f9b7b63p-8, 0x1.55d5dd5301a3dp-9, -0x1.87a8b829f2e4bp-11, 0x1.1d0b7a1f651b4p-13,
                             -0x1.8a1ab3a7def21p-17};
#endif

/* atan(z + z_low) - z for |z| up to 1. */
INLINE real atan_rest(real z, real z_low) {
  const real square = z * z;
  /* The slope of atan, as far as z_low matters. */
  const real slope = FMA(square, R(-0.5, -0.5), 1);
  return FMA(square * z, polynomial(kAtan, DEGREE(kAtan), square), z_low * slope);
}

real FN(atan)(real x) {
  const real magnitude = FABS(x);
  const int is_large = magnitude > 1;
  const real wide = clamp(magnitude, 1, R(0x1p60, 0x1p60)), inverse = reciprocal(wide);
  const real z = is_large ? -inverse : magnitude, z_low = is_large ? -reciprocal_low(wide, inverse) : 0;
  return COPYSIGN(turned(is_large ? 1 : 0, z, atan_rest(z, z_low)), x);
}

/* The smaller of both by the larger one, which is brought near 1 first. */
real FN(atan2)(real y, real x) {
  const real width = FABS(x), height = FABS(y);
  const int is_steep = height > width, is_left = is_negative(x);
  const real larger = is_steep ? height : width, smaller = is_steep ? width : height;
  const bits_t exponent = BITS(larger) & INF_BITS, least = IMPLICIT_BIT;
  const real scale = FROM_BITS(INF_BITS - (exponent > least ? exponent : least));
  /* Infinity by infinity is 1, by it 0; nothing by nothing is 0. */
  const int is_plain = larger < INF && larger > 0;
  const real under = is_plain ? larger * scale : 1;
  const real over = is_plain ? smaller * scale : smaller == INF ? 1 : 0;
  const real inverse = reciprocal(under), ratio = over * inverse;
  const real ratio_low = FMA(-ratio, under, over) * inverse;
  const real sign = is_steep == is_left ? 1 : -1;
  const real z = sign * ratio, rest = atan_rest(z, sign * ratio_low);
  const real result = turned(is_steep ? 1 : is_left ? 2 : 0, z, rest);
  return is_nan(x) || is_nan(y) ? NAN : COPYSIGN(result, y);
}
