/* float ** int by repeated squaring in the type, compensated: each factor is an unevaluated sum high + low, so that the
   result is within 1.5 ulp (1 above the subnormal range) for |n| < 2**20 and exact wherever the exact power is
   representable. A negative exponent powers the reciprocal, which cannot overflow on the way to a representable result.
 */
#include "device.h"

typedef struct {
  real high, low;
} pair_t;

INLINE pair_t multiply(pair_t a, pair_t b) {
  const real high = a.high * b.high;
  const real low = FMA(a.high, b.low, FMA(a.low, b.high, FMA(a.high, b.high, -high)));
  /* Past overflow the low part would be nan. */
  return (pair_t){high, is_finite(high) ? low : 0};
}

INLINE pair_t reciprocal(real x) {
  const real high = 1 / x;
  const real low = FMA(-high, x, 1) / x;
  return (pair_t){high, is_finite(high) && is_finite(x) ? low : 0};
}

real FN(powi)(real x, int64_t n) {
  pair_t base = n < 0 ? reciprocal(x) : (pair_t){x, 0};
  pair_t result = {1, 0};
  uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
  while (1) {
    if (left & 1) result = multiply(result, base);
    left >>= 1;
    if (left == 0) break;
    base = multiply(base, base);
  }
  /* The sum would lose the sign of a zero. */
  return result.high == 0 ? result.high : result.high + result.low;
}
