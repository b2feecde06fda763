/* erfinv, erfcinv and normcdfinv. Method (M. Giles, "Approximating the erfinv function", GPU Computing Gems 2, 2011):
   erfinv(x) = x P(w) with w = -log((1 - x) (1 + x)), which has no cancellation; P by pieces, erfinv_tables.h. Error:
   below 2 ulp. */
#include "erfinv_tables.h"
#include "newton.h"

real FN(log)(real x);
real FN(log1p)(real x);

#define HALF_SQRT_PI R(0x1.c5bf8ap-1, 0x1.c5bf891b4ef6bp-1)
#define HALF_SQRT_PI_LOW R(-0x1.c96212p-26, -0x1.618f13eb7ca89p-55)
#define SQRT_2 R(0x1.6a09e6p+0, 0x1.6a09e667f3bcdp+0)
#define SQRT_2_LOW R(0x1.9fcef4p-26, -0x1.bdd3413b26456p-54)

/* P(w) - sqrt(w) for sqrt(w) = s from 1.7 to what the least number gives. */
INLINE real above_root(real s) {
#if JITC_REAL == 4
  const real u = reciprocal(s + 1);
  if (s < 5.2f) return polynomial(kSecond, DEGREE(kSecond), FMA(u, 0x1.38995ep+3f, -0x1.49ad44p+1f));
  return polynomial(kThird, DEGREE(kThird), FMA(u, 0x1.b79798p+4f, -0x1.b73738p+1f));
#else
  if (s < 4) return polynomial(kSecond, DEGREE(kSecond), FMA(s, 0x1.c3825d1563ef9p-1, -0x1.43825d1563ef9p+1));
  if (s < 6.25) return polynomial(kThird, DEGREE(kThird), FMA(s, 0x1.c71c71c71c71cp-1, -0x1.238e38e38e38ep+2));
  return polynomial(kFourth, DEGREE(kFourth), FMA(reciprocal(s + 5), 0x1.134b4b4b4b4b5p+5, -0x1.0787878787878p+1));
#endif
}

/* x (high + low) */
INLINE sum_t multiplied(real x, real high, real low) {
  const real rest = x * low, product = FMA(x, high, rest);
  return (sum_t){product, FMA(x, high, -product) + rest};
}

/* x P(w) */
INLINE sum_t times_inverse(real x, real w) {
  if (w < 3) {
    const real rest = FMA(w, polynomial(kFirst, DEGREE(kFirst), FMA(w, R(0x1.555556p-1, 0x1.5555555555555p-1), -1)),
                          HALF_SQRT_PI_LOW);
    return multiplied(x, HALF_SQRT_PI, rest);
  }
  const sum_t root = square_root(w);
  return multiplied(x, root.high, root.low + above_root(root.high));
}

/* The inverse of x = 1 - q, or q - 1, for q in (0, 1]: whichever is exact decides how w is computed. */
INLINE sum_t inverse(real x, real q) {
  return times_inverse(x, q < R(0.5, 0.5) ? -FN(log)(q * (2 - q)) : -FN(log1p)(-(x * x)));
}

real FN(erfinv)(real x) {
  const real magnitude = FABS(x);
  const real special = magnitude == 1 ? x * INF : NAN;
  return magnitude < 1 ? COPYSIGN(inverse(magnitude, 1 - magnitude).high, x) : special;
}

INLINE sum_t erfcinv(real x) {
  if (x > 0 && x < 2) return inverse(1 - x, x < 1 ? x : 2 - x);
  return (sum_t){x == 0 ? INF : x == 2 ? -INF : NAN, 0};
}

real FN(erfcinv)(real x) { return erfcinv(x).high; }

real FN(normcdfinv)(real x) {
  const sum_t y = erfcinv(2 * x);
  const real result = FMA(y.high, SQRT_2, FMA(y.high, SQRT_2_LOW, y.low * SQRT_2));
  return is_inf(y.high) ? -y.high : 0 - result;
}
