/* + - * / 1/x sqrt fma rounded down, up and to zero, branch-free. Method: the operation rounded to nearest, the exact
   sign of what it lacks (from error-free transformations: T. J. Dekker 1971; for fma S. Boldo and J.-M. Muller, "Exact
   and approximated error of the FMA", 2011), and a step to the neighbour. Where these would leave the range of normal
   numbers, they are done on scaled operands. Every bit is right. */
#include "directed.h"

INLINE real add(real x, real y, int mode) {
  const int in_order = magnitude_bits(x) >= magnitude_bits(y);
  const real large = in_order ? x : y, small = in_order ? y : x;
  const real sum = x + y, lack = small - (sum - large);
  const real rounded = round_toward(sum, lack_of_overflow(sum, is_finite(large), lack), mode);
  return zero_sum(rounded, lack, x, y, mode);
}

/* Products below this lack what is no number any more. */
#define SMALL_PRODUCT R(0x1p-98, 0x1p-964)
#define PRODUCT_SCALE R(0x1p48, 0x1p128)

INLINE real multiply(real x, real y, int mode) {
  const real product = x * y;
  const int is_small = FABS(product) < SMALL_PRODUCT;
  const real scale = is_small ? PRODUCT_SCALE : 1;
  const real lack = FMA(x * scale, y * scale, -(product * scale * scale));
  /* Far below the least number there is the sign alone. */
  const int vanished = product == 0 && x != 0 && y != 0;
  const real sign = COPYSIGN((real)1, product);
  const int finite = is_finite(x) && is_finite(y);
  return round_toward(product, lack_of_overflow(product, finite, vanished ? sign : lack), mode);
}

INLINE real divide(real x, real y, int mode) {
  const real quotient = x / y;
  const split_t a = split_number(x), b = split_number(y);
  const real q = scale_exactly(quotient, b.exponent - a.exponent);
  const real remainder = FMA(-q, b.mantissa, a.mantissa);
  const real lack = is_negative(y) ? -remainder : remainder;
  const int finite = is_finite(x) && is_finite(y) && y != 0;
  return round_toward(quotient, lack_of_overflow(quotient, finite, is_inf(y) ? 0 : lack), mode);
}

INLINE real root(real x, int mode) {
  const real nearest = SQRT(x);
  const int is_small = x < R(0x1p-60, 0x1p-500);
  const real up = is_small ? R(0x1p96, 0x1p600) : 1, half_up = is_small ? R(0x1p48, 0x1p300) : 1;
  const real r = nearest * half_up;
  return round_toward(nearest, FMA(-r, r, x * up), mode);
}

/* Beyond this many exponents between product and addend one of them is a sign to the other. */
#define FAR PICK(60, 120)

INLINE real fused(real x, real y, real z, int mode) {
  const real nearest = FMA(x, y, z);
  const split_t a = split_number(x), b = split_number(y), c = split_number(z);
  const int exponent = a.exponent + b.exponent, above = c.exponent - exponent;
  const int product_is_zero = x == 0 || y == 0;
  const real sign = COPYSIGN((real)1, x) * COPYSIGN((real)1, y);
  /* The scaled product is in [1, 4), and the scaled addend not far from it. */
  const int product_is_far_below = above > FAR;
  const int kept = above < -FAR ? -FAR : above > FAR ? FAR : above;
  const real addend = c.mantissa * power_of_two(kept);
  const real result = scale_exactly(nearest, -exponent);
  const real high = a.mantissa * b.mantissa, low = FMA(a.mantissa, b.mantissa, -high);
  /* low + addend and high + (their sum), each with what it loses. */
  const real s1 = low + addend, t1 = s1 - low, e1 = (low - (s1 - t1)) + (addend - t1);
  const real s2 = high + s1, t2 = s2 - high, e2 = (high - (s2 - t2)) + (s1 - t2);
  const real lack = ((s2 - result) + e2) + e1;
  /* Beside a large addend the result is the addend, and lacks the product. */
  const real small_lack = z != 0 && product_is_far_below ? sign : lack;
  const int finite = is_finite(x) && is_finite(y) && is_finite(z);
  const real all = product_is_zero || !finite ? 0 : small_lack;
  const real rounded = round_toward(nearest, lack_of_overflow(nearest, finite, all), mode);
  return zero_sum(rounded, all, sign, z, mode);
}

#define DIRECTED(suffix, mode)                                           \
  real FN(add_##suffix)(real x, real y) { return add(x, y, mode); }      \
  real FN(sub_##suffix)(real x, real y) { return add(x, -y, mode); }     \
  real FN(mul_##suffix)(real x, real y) { return multiply(x, y, mode); } \
  real FN(div_##suffix)(real x, real y) { return divide(x, y, mode); }   \
  real FN(reciprocal_##suffix)(real x) { return divide(1, x, mode); }    \
  real FN(sqrt_##suffix)(real x) { return root(x, mode); }               \
  real FN(fma_##suffix)(real x, real y, real z) { return fused(x, y, z, mode); }

DIRECTED(rd, DOWN)
DIRECTED(ru, UP)
DIRECTED(rz, TO_ZERO)
