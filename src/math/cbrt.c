/* cbrt, branch-free. Method: Newton's method for x**(-1/3) with steps of fourth order, from a first value made of the
   bits; the root is x y**2, corrected by what its cube lacks. Error: below 0.6 ulp. */
#include "device.h"

#define CBRT_STEPS PICK(2, 3)
/* Small numbers, whose cube lacks what is no number any more, are computed as larger ones. */
#define SMALL R(0x1p-60, 0x1p-900)
#define CBRT_SCALE R(0x1p72, 0x1p300)
#define CBRT_UNSCALE R(0x1p-24, 0x1p-100)

real FN(cbrt)(real x) {
  const real magnitude = FABS(x);
  const int is_small = magnitude < SMALL;
  const real m = is_small ? magnitude * CBRT_SCALE : magnitude;
  real y = FROM_BITS(PICK(0x54a21d2au, 0x553ef0ff289dd796u) - BITS(m) / 3);
#pragma clang loop unroll(full)
  for (int i = 0; i < CBRT_STEPS; ++i) {
    const real e = FMA(-(m * y), y * y, 1);
    const real factor = FMA(FMA(e, R(0x1.61f9aep-3, 0x1.61f9add3c0ca4p-3), R(0x1.c71c72p-3, 0x1.c71c71c71c71cp-3)), e,
                            R(0x1.555556p-2, 0x1.5555555555555p-2));
    y = FMA(y * e, factor, y);
  }
  const real square = y * y, root = m * square;
  const real power = root * root, power_low = FMA(root, root, -power);
  const real lack = FMA(-power, root, m) - power_low * root;
  const real result = FMA(lack * square, R(0x1.555556p-2, 0x1.5555555555555p-2), root);
  return magnitude > 0 && magnitude < INF ? COPYSIGN(is_small ? result * CBRT_UNSCALE : result, x) : x;
}
