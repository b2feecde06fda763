/* The functions of fastmath=True on a CPU; PTX has approximate instructions for them (src/codegen/native_fast.cpp). For
   f8 they are the ordinary ones. Method, f4: powers and logarithms of base 2, and the others by one multiplication,
   whose rounding costs exp about |x| ulp; sin and cos by Cody and Waite in two parts, good up to some 10,000;
   polynomials by Sollya fpminimax, relative errors 2**-21.1 (2**x), 2**-22.4 (log2), 2**-22.7 (sin), 2**-30.0 (1 -
   cos). Infinities, nan and the signs of pow are as they should be. Errors: docs/fastmath.md. */
#if JITC_REAL == 4
#include "exp_core.h"
#include "log_core.h"

/* (2**r - 1) / r */
static const real kShortExp2[] = {0x1.62e42ep-1f, 0x1.ebfa4ep-3f, 0x1.c6b31ep-5f, 0x1.3cbe66p-7f, 0x1.5d413ap-10f};
/* log2(1 + f) / f */
static const real kShortLog2[] = {0x1.715472p+0f, -0x1.715458p-1f, 0x1.ec82a2p-2f, -0x1.717178p-2f,
                                  0x1.24682ap-2f, -0x1.e51fdp-3f,  0x1.f9dfeep-3f, -0x1.c62b38p-3f};
/* (sin(r) / r - 1) / r**2 and (cos(r) - 1) / r**2 in r**2 */
static const real kShortSin[] = {-0x1.555552p-3f, 0x1.110be2p-7f, -0x1.9ab224p-13f};
static const real kShortCos[] = {-0x1p-1f, 0x1.55554ep-5f, -0x1.6c0e64p-10f, 0x1.9a7f1cp-16f};

INLINE real short_exp2(real x) {
  const real within = clamp(x, -151.0f, 129.0f), rounded = within + ROUNDER, r = within - (rounded - ROUNDER);
  return scale_by(FMA(polynomial(kShortExp2, DEGREE(kShortExp2), r), r, 1), (int)(BITS(rounded) - BITS(ROUNDER)));
}

INLINE real short_log2(real x) {
  const reduced_t r = reduce(x);
  return log_or_special(x, FMA(r.f, polynomial(kShortLog2, DEGREE(kShortLog2), r.f), r.k));
}

/* sin(x + quarters pi/2), x >= 0 */
INLINE real short_sin(real x, int quarters) {
  const real rounded = FMA(x, TWO_OVER_PI, ROUNDER), n = rounded - ROUNDER;
  const real r = FMA(-n, HALF_PI_MIDDLE, FMA(-n, HALF_PI_HIGH, x)), square = r * r;
  const real sine = FMA(r * square, polynomial(kShortSin, DEGREE(kShortSin), square), r);
  const real cosine = FMA(square, polynomial(kShortCos, DEGREE(kShortCos), square), 1);
  const bits_t quadrant = BITS(rounded) + (bits_t)quarters;
  return FROM_BITS(BITS(quadrant & 1 ? cosine : sine) ^ (quadrant & 2) << 30);
}

real FN(tanh)(real x);

real FN(fast_exp)(real x) { return short_exp2(x * LOG2_E); }
real FN(fast_exp2)(real x) { return short_exp2(x); }
real FN(fast_log)(real x) { return short_log2(x) * LN2; }
real FN(fast_log2)(real x) { return short_log2(x); }
real FN(fast_log10)(real x) { return short_log2(x) * 0x1.344136p-2f; }
INLINE real odd_short_sin(real x) { return FROM_BITS(BITS(short_sin(FABS(x), 0)) ^ (BITS(x) & SIGN_BIT)); }

real FN(fast_sin)(real x) { return odd_short_sin(x); }
real FN(fast_cos)(real x) { return short_sin(FABS(x), 1); }
real FN(fast_tan)(real x) { return odd_short_sin(x) / short_sin(FABS(x), 1); }
real FN(fast_tanh)(real x) { return FN(tanh)(x); }

real FN(fast_pow)(real x, real y) {
  const real power = short_exp2(y * short_log2(FABS(x))), parity = FABS(y - 2 * TRUNC(0.5f * y));
  const real of_negative = parity == 1 ? -power : parity == 0 || FABS(y) == INF ? power : NAN;
  return y == 0 ? 1 : x < 0 ? of_negative : power;
}

#else
#include "device.h"

/* Each is the ordinary function. */
#define SAME(name)       \
  real FN(name)(real x); \
  real FN(fast_##name)(real x) { return FN(name)(x); }
SAME(exp)
SAME(exp2)
SAME(log)
SAME(log2)
SAME(log10)
SAME(sin)
SAME(cos)
SAME(tan)
SAME(tanh)
real FN(pow)(real x, real y);
real FN(fast_pow)(real x, real y) { return FN(pow)(x, y); }
#endif

real FN(fast_divide)(real x, real y) { return x / y; }
real FN(fast_sqrt)(real x) { return SQRT(x); }
