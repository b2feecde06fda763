/* m**(-1/3), which cbrt and rcbrt share: Newton's method with steps of fourth order, from a first value made of the
   bits. */
#pragma once

#include "device.h"

#define CBRT_STEPS PICK(2, 3)
/* Numbers whose cube lacks what is no number any more, or whose inverse square is none, are computed as others. */
#define CBRT_SMALL R(0x1p-60, 0x1p-900)
#define CBRT_LARGE R(0x1p60, 0x1p900)
#define CBRT_SCALE R(0x1p72, 0x1p300)
#define CBRT_UNSCALE R(0x1p-24, 0x1p-100)
#define THIRD R(0x1.555556p-2, 0x1.5555555555555p-2)

/* A third of a number's bits; for f8 of the upper word's, as a loop with a division of 64 bits stays scalar. */
#if JITC_REAL == 4
INLINE bits_t third_of_bits(real m) { return BITS(m) / 3; }
#else
INLINE bits_t third_of_bits(real m) { return (bits_t)((uint32_t)(BITS(m) >> 32) / 3) << 32; }
#endif

INLINE real inverse_cbrt(real m) {
  real y = FROM_BITS(PICK(0x54a21d2au, 0x553ef0ff289dd796u) - third_of_bits(m));
#pragma clang loop unroll(full)
  for (int i = 0; i < CBRT_STEPS; ++i) {
    const real e = FMA(-(m * y), y * y, 1);
    const real factor =
        FMA(FMA(e, R(0x1.61f9aep-3, 0x1.61f9add3c0ca4p-3), R(0x1.c71c72p-3, 0x1.c71c71c71c71cp-3)), e, THIRD);
    y = FMA(y * e, factor, y);
  }
  return y;
}
