/* sin, cos and tan for every argument. Method: trig_reduction.h, then minimax polynomials on |r| <= pi/4 (Sollya
   fpminimax; relative error 2**-32.2 for f4, 2**-57.9 for f8), with the reduced argument's low part to first order; tan
   is the quotient of both with their low parts. Error: below 1 ulp. */
#include "trig_reduction.h"

typedef struct {
  real high, low;
} pair_t;

#if JITC_REAL == 4
/* (sin(r) / r - 1) / r**2 in r**2 */
static const real kSin[] = {-0x1.555556p-3f, 0x1.111164p-7f, -0x1.a0485ep-13f, 0x1.77de1p-19f};
/* (cos(r) - 1 + r**2 / 2) / r**4 in r**2 */
static const real kCos[] = {0x1.55554ap-5f, -0x1.6c0c2ap-10f, 0x1.99e8fcp-16f};
#else
static const real kSin[] = {-0x1.5555555555548p-3, 0x1.111111110f751p-7,   -0x1.a01a019befb93p-13,
                            0x1.71de355c5f14p-19,  -0x1.ae5e52092adc7p-26, 0x1.5d8d6e1091e0bp-33};
static const real kCos[] = {0x1.555555555554bp-5,   -0x1.6c16c16c1500cp-10, 0x1.a01a019c8d949p-16,
                            -0x1.27e4f7f008783p-22, 0x1.1ee9da88f4795p-29,  -0x1.8fa5c165deabdp-37};
#endif

/* The correctly rounded sum and what it lost, for |high| > |low|. */
INLINE pair_t sum_of(real high, real low) {
  const real sum = high + low;
  return (pair_t){sum, (high - sum) + low};
}

INLINE pair_t sin_of_reduced(reduced_t r) {
  const real square = r.high * r.high;
  const real low = FMA(R(-0.5, -0.5) * square, r.low, r.low);
  return sum_of(r.high, FMA(r.high * square, polynomial(kSin, DEGREE(kSin), square), low));
}

INLINE pair_t cos_of_reduced(reduced_t r) {
  const real square = r.high * r.high, half = R(0.5, 0.5) * square;
  const real one_minus = 1 - half;
  const real rest = FMA(square * square, polynomial(kCos, DEGREE(kCos), square), -r.high * r.low);
  return sum_of(one_minus, ((1 - one_minus) - half) + rest);
}

/* sin(x) for a quadrant that is one less for cos(x). */
INLINE real sin_in_quadrant(reduced_t r, int quadrant) {
  const real sine = sin_of_reduced(r).high, cosine = cos_of_reduced(r).high;
  const real magnitude = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? -magnitude : magnitude;
}

real FN(sin)(real x) {
  if (!is_finite(x)) return NAN;
  const reduced_t r = reduce(x);
  /* The sums lose the sign of a zero. */
  return x == 0 ? x : sin_in_quadrant(r, r.quadrant);
}

real FN(cos)(real x) {
  if (!is_finite(x)) return NAN;
  const reduced_t r = reduce(x);
  return sin_in_quadrant(r, r.quadrant + 1);
}

real FN(tan)(real x) {
  if (!is_finite(x)) return NAN;
  const reduced_t r = reduce(x);
  const pair_t sine = sin_of_reduced(r), cosine = cos_of_reduced(r);
  const int is_odd = r.quadrant & 1;
  const pair_t over = is_odd ? cosine : sine, under = is_odd ? sine : cosine;
  const real quotient = over.high / under.high;
  const real lost = FMA(-quotient, under.high, over.high) + FMA(-quotient, under.low, over.low);
  const real result = quotient + lost / under.high;
  return x == 0 ? x : is_odd ? -result : result;
}
