/* Constants in parts that several functions reduce their arguments with, or add at the end. */
#pragma once

#include "device.h"

/* pi/2 in parts of full width. */
#define HALF_PI_HIGH R(0x1.921fb6p+0, 0x1.921fb54442d18p+0)
#define HALF_PI_MIDDLE R(-0x1.777a5cp-25, 0x1.1a62633145c07p-54)
#define HALF_PI_LOW R(-0x1.ee59dap-50, -0x1.f1976b7ed8fbcp-110)

/* pi as a sum, 2 / pi and 1 / sqrt(pi). */
#define PI_HIGH (2 * HALF_PI_HIGH)
#define PI_LOW (2 * HALF_PI_MIDDLE)
#define TWO_OVER_PI R(0x1.45f306p-1, 0x1.45f306dc9c883p-1)
#define INV_SQRT_PI R(0x1.20dd76p-1, 0x1.20dd750429b6dp-1)
#define INV_SQRT_PI_LOW R(-0x1.f7ac92p-26, 0x1.1ae3a914fed80p-57)

/* Adding it rounds to an integer, which is then in the low bits. */
#define ROUNDER (R(1.5, 1.5) * IMPLICIT_BIT)

/* log(2), whose first part has 15 bits (f8: 42): times any exponent it is exact. */
#define LN2_HIGH R(0x1.62e4p-1, 0x1.62e42fefa38p-1)
#define LN2_LOW R(0x1.7f7d1cp-20, 0x1.ef35793c7673p-45)
/* log(2) as a sum of full width. */
#define LN2 R(0x1.62e43p-1, 0x1.62e42fefa39efp-1)
#define LN2_REST R(-0x1.05c61p-29, 0x1.abc9e3b39803fp-56)
/* 1 / log(2) */
#define LOG2_E R(0x1.715476p+0, 0x1.71547652b82fep+0)
#define LOG2_E_LOW R(0x1.4ae0cp-26, 0x1.777d0ffda0d24p-56)

/* A number of quarters of a turn and z + rest, where |z| is not above the quarters unless these are none: what the
   first sum loses is added with the rest. */
INLINE real turned(real quarters, real z, real rest) {
  const real base = quarters * HALF_PI_HIGH, sum = base + z;
  return sum + (((base - sum) + z) + FMA(quarters, HALF_PI_MIDDLE, rest));
}
