/* Bessel functions of orders 0 and 1. Method: below 2 polynomials of x**2, below 5 of x - 3.5, then Hankel's expansion
   with polynomials for its P and Q. */
#pragma once

#include "bessel_tables.h"
#include "constants.h"

real FN(sin)(real x);
real FN(cos)(real x);
real FN(log)(real x);
real FN(rsqrt)(real x);

/* A table of x**2 up to 2, of x up to 5. */
#define NEAR(table, x) polynomial(table, DEGREE(table), (x) * (x))
#define MIDDLE(table, x) polynomial(table, DEGREE(table), (x)-R(3.5, 3.5))

typedef struct {
  real j, y;
} bessel_t;

/* For x >= 5. sqrt(2 / (pi x)) times the sine and the cosine of x - pi / 4 is (sin x -+ cos x) / sqrt(pi x). */
INLINE bessel_t large_bessel(real x, int order) {
  const real root = FN(rsqrt)(x), inverse = root * root;
  const real t = FMA(50 * inverse, inverse, -1);
  const real p = order == 0 ? polynomial(kFarP0, DEGREE(kFarP0), t) : polynomial(kFarP1, DEGREE(kFarP1), t);
  const real q = order == 0 ? polynomial(kFarQ0, DEGREE(kFarQ0), t) : polynomial(kFarQ1, DEGREE(kFarQ1), t);
  const real sine = FN(sin)(x), cosine = FN(cos)(x);
  const real sum = sine + cosine, difference = sine - cosine, rest = q * inverse;
  /* What the two and the scale lose: the one with the larger magnitude of sine and cosine is the one that was kept. */
  const int sine_leads = FABS(sine) > FABS(cosine);
  const real sum_low = sine_leads ? cosine - (sum - sine) : sine - (sum - cosine);
  const real difference_low = sine_leads ? (sine - difference) - cosine : sine - (difference + cosine);
  const real scale = root * INV_SQRT_PI, scale_low = FMA(root, INV_SQRT_PI_LOW, FMA(root, INV_SQRT_PI, -scale));
  const real first = order == 0 ? sum : difference, second = order == 0 ? difference : -sum;
  const real first_low = order == 0 ? sum_low : difference_low, second_low = order == 0 ? difference_low : -sum_low;
  const real j = first + FMA(p, first, FMA(-rest, second, first_low));
  const real y = second + FMA(p, second, FMA(rest, first, second_low));
  return (bessel_t){FMA(j, scale, j * scale_low), FMA(y, scale, y * scale_low)};
}

INLINE real bessel_j0(real x) {
  const real magnitude = FABS(x);
  if (magnitude < 2) return NEAR(kNearJ0, x);
  if (magnitude < 5) return MIDDLE(kMiddleJ0, magnitude);
  return magnitude == INF ? 0 : large_bessel(magnitude, 0).j;
}

INLINE real bessel_j1(real x) {
  const real magnitude = FABS(x);
  if (magnitude < 2) return x * NEAR(kNearJ1, x);
  const real value = magnitude < 5 ? MIDDLE(kMiddleJ1, magnitude) : large_bessel(magnitude, 1).j;
  const real result = magnitude == INF ? 0 : value;
  return x < 0 ? -result : result;
}

/* What else than a positive finite number gives. */
INLINE real special_y(real x) { return x == 0 ? -INF : x == INF ? 0 : NAN; }
INLINE int is_special_y(real x) { return !(x > 0 && x < INF); }

INLINE real bessel_y0(real x) {
  if (is_special_y(x)) return special_y(x);
  if (x < 2) return FMA(FN(log)(x) * TWO_OVER_PI, NEAR(kNearJ0, x), NEAR(kNearR0, x));
  return x < 5 ? MIDDLE(kMiddleY0, x) : large_bessel(x, 0).y;
}

INLINE real bessel_y1(real x) {
  if (is_special_y(x)) return special_y(x);
  if (x < 2) {
    const real regular = x * FMA(FN(log)(x) * TWO_OVER_PI, NEAR(kNearJ1, x), NEAR(kNearR1, x));
    return regular - TWO_OVER_PI / x;
  }
  return x < 5 ? MIDDLE(kMiddleY1, x) : large_bessel(x, 1).y;
}
