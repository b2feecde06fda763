/* jn and yn, Bessel functions of any order >= 0; nan for a negative one. Method: the recurrence upwards from orders 0
   and 1 for yn, and for jn where the order is not above x; above, J. C. P. Miller's recurrence downwards (British
   Association Tables X, 1952), scaled by the known order 0 or 1. The error grows with the order. */
#include "device.h"

real FN(j0)(real x);
real FN(j1)(real x);
real FN(y0)(real x);
real FN(y1)(real x);
real FN(log)(real x);

/* `order` steps of f(k + 1) = 2 k / x f(k) - f(k - 1), from f(0) and f(1); an infinity stays. */
INLINE real upwards(int32_t order, real x, real below, real value) {
  for (int32_t k = 1; k < order && value > -INF; ++k) {
    const real next = FMA(2 * (real)k / x, value, -below);
    below = value;
    value = next;
  }
  return value;
}

/* Where a start is far enough above the order: it is negligible beside the value at the order. */
INLINE int32_t first_order(int32_t order, real x) {
  const real extra = R(16.0, 40.0) + SQRT(R(16.0, 60.0) * (real)order);
  return order + (int32_t)extra + (x > 1 ? 2 : 0);
}

#define LARGE R(0x1p40, 0x1p400)

/* For 0 < x < order. */
INLINE real downwards(int32_t order, real x) {
  real above = 0, value = R(0x1p-60, 0x1p-500), wanted = 0;
  const real twice = 2 / x;
  for (int32_t k = first_order(order, x); k > 0; --k) {
    const real next = FMA((real)k * twice, value, -above);
    above = value;
    value = next;
    if (k - 1 == order) wanted = value;
    const real scale = FABS(value) > LARGE ? 1 / LARGE : 1;
    above *= scale, value *= scale, wanted *= scale;
  }
  /* value and above stand for the orders 0 and 1: the larger of them is the better measure. */
  const real j0 = FN(j0)(x), j1 = FN(j1)(x);
  return FABS(j0) >= FABS(j1) ? wanted / value * j0 : wanted / above * j1;
}

/* (e x / (2 n))**n, which a result is below, is no number. */
INLINE int vanishes(int32_t order, real x) {
  const real n = (real)order;
  return n * (FN(log)(R(1.359141, 1.3591409142295226) * (x / n))) < R(-105.0, -750.0);
}

real FN(jn)(int32_t order, real x) {
  if (order < 0 || x != x) return NAN;
  if (order == 0) return FN(j0)(x);
  if (order == 1) return FN(j1)(x);
  const real magnitude = FABS(x), sign = x < 0 && (order & 1) != 0 ? -1 : 1;
  if (magnitude == 0 || magnitude == INF || vanishes(order, magnitude)) return sign * 0;
  if ((real)order <= magnitude) return sign * upwards(order, magnitude, FN(j0)(magnitude), FN(j1)(magnitude));
  return sign * downwards(order, magnitude);
}

real FN(yn)(int32_t order, real x) {
  if (order < 0) return NAN;
  if (order == 0) return FN(y0)(x);
  return upwards(order, x, FN(y0)(x), FN(y1)(x));
}
