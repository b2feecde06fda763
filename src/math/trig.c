/* sin, cos and tan for every argument. Method: trig_reduction.h, then minimax polynomials on |r| <= pi/4 (Sollya
   fpminimax; relative error 2**-32.2, 2**-30.3 for tan, in f4; 2**-57.9 and 2**-58.0 in f8), with the reduced
   argument's low part to first order; in odd quadrants the tangent is -1 / tan(r). Signs are those of the parity, so
   that zeros keep theirs. Error: docs/accuracy.md. */
#include "newton.h"
#include "trig_reduction.h"

#if JITC_REAL == 4
/* (sin(r) / r - 1) / r**2 in r**2 */
static const real kSin[] = {-0x1.555556p-3f, 0x1.111164p-7f, -0x1.a0485ep-13f, 0x1.77de1p-19f};
/* (cos(r) - 1 + r**2 / 2) / r**4 in r**2 */
static const real kCos[] = {0x1.55554ap-5f, -0x1.6c0c2ap-10f, 0x1.99e8fcp-16f};
/* (tan(r) / r - 1) / r**2 in r**2 */
static const real kTan[] = {0x1.555556p-2f, 0x1.1110c6p-3f, 0x1.ba2d96p-5f,  0x1.6575bcp-6f,
                            0x1.266672p-7f, 0x1.da34fcp-9f, 0x1.ceef3ep-11f, 0x1.6ff776p-10f};
#else
static const real kSin[] = {-0x1.5555555555548p-3, 0x1.111111110f751p-7,   -0x1.a01a019befb93p-13,
                            0x1.71de355c5f14p-19,  -0x1.ae5e52092adc7p-26, 0x1.5d8d6e1091e0bp-33};
static const real kCos[] = {0x1.555555555554bp-5,   -0x1.6c16c16c1500cp-10, 0x1.a01a019c8d949p-16,
                            -0x1.27e4f7f008783p-22, 0x1.1ee9da88f4795p-29,  -0x1.8fa5c165deabdp-37};
static const real kTan[] = {0x1.5555555555555p-2,  0x1.1111111111159p-3,  0x1.ba1ba1ba1cf4p-5,   0x1.664f4880b29c1p-6,
                            0x1.226e35efe01d1p-7,  0x1.d6d3a890427bep-9,  0x1.7da6c8701aa03p-10, 0x1.3527ff34f6364p-11,
                            0x1.f92aab7dce4ffp-13, 0x1.7d394cefa609ep-14, 0x1.c427cffbda22bp-15, -0x1.28aeb245cd911p-17,
                            0x1.22e58541bd48dp-15, -0x1.23d59e00c19dp-16, 0x1.15b8e205921b7p-17};
#endif

INLINE real sin_of_reduced(reduced_t r) {
  const real square = r.high * r.high;
  const real low = FMA(R(-0.5, -0.5) * square, r.low, r.low);
  return r.high + FMA(r.high * square, polynomial(kSin, DEGREE(kSin), square), low);
}

INLINE real cos_of_reduced(reduced_t r) {
  const real square = r.high * r.high, half = R(0.5, 0.5) * square;
  const real one_minus = 1 - half;
  const real rest = FMA(square * square, polynomial(kCos, DEGREE(kCos), square), -r.high * r.low);
  return one_minus + (((1 - one_minus) - half) + rest);
}

/* x, or -x where bit 0 of `parity` is set. */
INLINE real with_parity(real x, bits_t parity) { return FROM_BITS(BITS(x) ^ parity << (TYPE_BITS - 1)); }

/* sin(r + quadrant pi/2) */
INLINE real sin_in_quadrant(reduced_t r, int quadrant) {
  return with_parity(quadrant & 1 ? cos_of_reduced(r) : sin_of_reduced(r), (bits_t)quadrant >> 1);
}

real FN(sin)(real x) {
  const reduced_t r = reduce(FABS(x));
  return with_parity(sin_in_quadrant(r, r.quadrant), is_negative(x));
}

real FN(cos)(real x) {
  const reduced_t r = reduce(FABS(x));
  return sin_in_quadrant(r, r.quadrant + 1);
}

real FN(tan)(real x) {
  const reduced_t r = reduce(FABS(x));
  const real square = r.high * r.high, square_low = FMA(r.high, r.high, -square);
  const real cube = r.high * square, cube_low = FMA(r.high, square_low, FMA(r.high, square, -cube));
  const real factor = polynomial(kTan, DEGREE(kTan), square);
  const real near = FMA(cube, factor, r.high);
  const real more = FMA(cube, factor, FMA(near * near, r.low, FMA(cube_low, factor, r.low)));
  const real tangent = r.high + more, low = (r.high - tangent) + more;
  const real inverse = reciprocal(tangent);
  const real cotangent = FMA(FMA(-tangent, inverse, 1) - low * inverse, inverse, inverse);
  const int is_odd = r.quadrant & 1;
  return with_parity(is_odd ? cotangent : tangent, is_odd ^ is_negative(x));
}
