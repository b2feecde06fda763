/* cbrt, branch-free. Method: inverse_cbrt.h; the root is x y**2, corrected by what its cube lacks. Error: below 0.6
   ulp. */
#include "inverse_cbrt.h"

real FN(cbrt)(real x) {
  const real magnitude = FABS(x);
  const int is_small = magnitude < CBRT_SMALL;
  const real m = is_small ? magnitude * CBRT_SCALE : magnitude;
  const real y = inverse_cbrt(m);
  const real square = y * y, root = m * square;
  const real power = root * root, power_low = FMA(root, root, -power);
  const real lack = FMA(-power, root, m) - power_low * root;
  const real result = FMA(lack * square, THIRD, root);
  return magnitude > 0 && magnitude < INF ? COPYSIGN(is_small ? result * CBRT_UNSCALE : result, x) : x;
}
