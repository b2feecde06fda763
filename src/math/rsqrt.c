/* 1 / sqrt(x) and 1 / cbrt(x), branch-free. Method: Newton's method with steps of third and fourth order from a first
   value made of the bits, and a last step with what the result's power lacks in two parts. Error: below 0.51 ulp. rsqrt
   then asks on which side of the middle to its neighbours the exact result lies: it is correctly rounded (in f4 tried
   for every mantissa). */
#include "inverse_cbrt.h"
#include "newton.h"

/* Of a positive normal number. */
INLINE real corrected_inverse_root(real x) {
  const real r = inverse_root(x);
  const real root = x * r, root_low = FMA(x, r, -root);
  const real lack = FMA(-root_low, r, FMA(-root, r, 1));
  return FMA(r * R(0.5, 0.5), lack, r);
}

/* 1 - x (r + step / 2)**2: the first difference is exact where it is small. */
INLINE real lack_of_middle(real x, real r, real step) {
  const real root = x * r, root_low = FMA(x, r, -root), half = R(0.5, 0.5) * step;
  return (FMA(-root, r, 1) - step * root) - FMA(root_low, r + step, x * half * half);
}

INLINE real nearest_inverse_root(real x) {
  const real r = corrected_inverse_root(x);
  const real step = FROM_BITS(BITS(r) & INF_BITS) * power_of_two(-MANTISSA_BITS);
  const real up = lack_of_middle(x, r, step) > 0 ? step : 0;
  return r + (lack_of_middle(x, r, -step) < 0 ? -step : up);
}

real FN(rsqrt)(real x) {
  const int is_tiny = x < MIN_NORMAL;
  const real result = nearest_inverse_root(is_tiny ? x * R(0x1p48, 0x1p108) : x);
  const real special = x == 0 ? COPYSIGN(INF, x) : x == INF ? 0 : NAN;
  return x > 0 && x < INF ? result * (is_tiny ? R(0x1p24, 0x1p54) : 1) : special;
}

real FN(rcbrt)(real x) {
  const real magnitude = FABS(x);
  const int is_small = magnitude<CBRT_SMALL, is_large = magnitude> CBRT_LARGE;
  const real m = magnitude * (is_small ? CBRT_SCALE : is_large ? 1 / CBRT_SCALE : 1);
  const real y = inverse_cbrt(m);
  const real first = m * y, first_low = FMA(m, y, -first), square = y * y, square_low = FMA(y, y, -square);
  const real lack = FMA(-first_low, square, FMA(-first, square_low, FMA(-first, square, 1)));
  const real result = FMA(y * THIRD, lack, y) * (is_small ? 1 / CBRT_UNSCALE : is_large ? CBRT_UNSCALE : 1);
  const real special = x == 0 ? INF : magnitude == INF ? 0 : NAN;
  return COPYSIGN(magnitude > 0 && magnitude < INF ? result : special, x);
}
