/* Integer powers by squaring; they wrap. */
#include "device.h"

uint64_t jitc_upow(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  while (exponent != 0) {
    if (exponent & 1) result *= base;
    base *= base;
    exponent >>= 1;
  }
  return result;
}

int64_t jitc_ipow(int64_t base, int64_t exponent) {
  if (exponent >= 0) return (int64_t)jitc_upow((uint64_t)base, (uint64_t)exponent);
  /* 1 / base**n truncated: only a base of 1 or -1 has an inverse, and 0**-n is 0. */
  if (base == 1) return 1;
  if (base == -1) return exponent & 1 ? -1 : 1;
  return 0;
}
