/* Python's round(x, n): scale by 10**n, round half to even, scale back. The scaling's rounding error is recovered with
   one fma, so that a tie is one of the exact value, as CPython's decimal rounding sees it (round(2.675, 2) == 2.67).
   Exact while 10**|n| is (|n| <= 22, f4: 10); beyond, within 1 ulp. */
#include "device.h"

/* Largest power of ten the type holds exactly, and its largest finite one. */
#define EXACT_POWER PICK(10, 22)
#define MAX_POWER PICK(38, 308)

INLINE real power_of_ten(int n) {
  real result = 1, base = 10;
  for (; n > 0; n >>= 1) {
    if (n & 1) result *= base;
    base *= base;
  }
  return result;
}

/* scaled + error rounded half to even, for |scaled| < 2**(MANTISSA_BITS + 1) and error below its last place. */
INLINE real round_sum(real scaled, real error) {
  const real nearest = RINT(scaled);
  const real distance = scaled - nearest;
  if (distance == (real)0.5 && error > 0) return nearest + 1;
  if (distance == (real)-0.5 && error < 0) return nearest - 1;
  return nearest;
}

INLINE real round_digits(real x, int n) {
  if (n > MAX_POWER + EXACT_POWER) return x;
  const int exact = n < EXACT_POWER ? n : EXACT_POWER;
  const real power = power_of_ten(n - exact), exact_power = power_of_ten(exact);
  const real raised = x * power;
  const real scaled = raised * exact_power;
  /* x has no digits beyond the n-th (or the product overflowed). */
  if (!(FABS(scaled) < power_of_two(MANTISSA_BITS + 1))) return x;
  const real error = FMA(raised, exact_power, -scaled);
  return COPYSIGN(round_sum(scaled, error) / exact_power / power, x);
}

INLINE real round_tens(real x, int tens) {
  if (tens > MAX_POWER) return COPYSIGN((real)0, x);
  const real power = power_of_ten(tens);
  const real scaled = x / power;
  /* Its last place is worth more than 10**tens. */
  if (FABS(scaled) >= power_of_two(MANTISSA_BITS + 1)) return x;
  const real error = FMA(-scaled, power, x);
  return COPYSIGN(round_sum(scaled, error) * power, x);
}

real FN(round_n)(real x, int32_t n) {
  if (!is_finite(x)) return x;
  if (n >= 0) return round_digits(x, n);
  return round_tens(x, n < -MAX_POWER ? MAX_POWER + 1 : -n);
}
