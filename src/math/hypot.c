/* hypot: sqrt(x**2 + y**2) without overflow or underflow on the way; infinite where an argument is, even beside nan.
   Method: both are brought near 1 by the power of two of the larger, exactly, and the root is newton.h's. Error:
   docs/accuracy.md, a quarter of it the sum of squares'. */
#include "newton.h"

real FN(hypot)(real x, real y) {
  const real a = FABS(x), b = FABS(y), large = a > b ? a : b, small = a > b ? b : a;
  /* 2**e of the larger as bits, and 2**-e: both normal. */
  const bits_t exponent = BITS(large) & INF_BITS, least = IMPLICIT_BIT, most = INF_BITS - 2 * IMPLICIT_BIT;
  const bits_t power = exponent < least ? least : exponent > most ? most : exponent;
  const real scale = FROM_BITS(most + least - power);
  const real u = large * scale, v = small * scale;
  const sum_t root = square_root(FMA(u, u, v * v));
  const real result = (root.high + root.low) * FROM_BITS(power);
  return a == INF || b == INF ? INF : __builtin_isunordered(x, y) ? NAN : result;
}
