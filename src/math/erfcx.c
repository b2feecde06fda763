/* erfcx(x) = exp(x**2) erfc(x) and normcdf(x) = erfc(-x / sqrt(2)) / 2. Method: erf_near.h and erfc_core.h, for large x
   the series of 1 / x**2; erfcx(-x) is 2 exp(x**2) - erfcx(x); normcdf takes exp(-x**2 / 2) of the exact square. Error:
   below 2 ulp. */
#include "erf_near.h"
#include "erfc_core.h"

#define INV_SQRT_2 R(0x1.6a09e6p-1, 0x1.6a09e667f3bcdp-1)
#define INV_SQRT_2_LOW R(0x1.9fcef4p-27, -0x1.bdd3413b26456p-55)
#define SERIES_FROM R(10.0, 27.0)
/* (erfcx(x) x sqrt(pi) - 1) x**2 in 1 / x**2, DLMF 7.12.1. */
static const real kSeries[] = {-0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875, -1055.7421875, 7918.06640625};
#define SERIES_DEGREE PICK(4, 7)

real FN(erfcx)(real x) {
  const real magnitude = FABS(x);
  const sum_t v = erfcx_of(clamp(magnitude, 0, SERIES_FROM));
  /* Near zero exp(x**2) (1 - x + …), both in two parts. */
  const real square = magnitude * magnitude;
  const scaled_t growth = scaled_exp(clamp(square, 0, 1), FMA(magnitude, magnitude, -square));
  const real sum = 1 - x, lost = (1 - sum) - x, rest = FMA(-x, erf_rest(x), lost);
  const real high = sum + rest, low = (sum - high) + rest, product = high * growth.mantissa;
  const real product_low = FMA(high, growth.mantissa, -product) + FMA(high, growth.low, low * growth.mantissa);
  const real near = scale_by(product + product_low, growth.exponent);
  const real leading = INV_SQRT_PI / magnitude, inverse = 1 / magnitude, square_inverse = inverse * inverse;
  const real above =
      FMA(square_inverse, polynomial(kSeries, SERIES_DEGREE, square_inverse), INV_SQRT_PI_LOW / INV_SQRT_PI);
  const real series = FMA(leading, above, leading);
  const real positive = magnitude > SERIES_FROM ? series : v.high + v.low;
  /* Beyond the limit the result is infinite. */
  const real within = clamp(magnitude, 0, R(9.6, 26.8)), exponent = within * within;
  const scaled_t e = scaled_exp(exponent, FMA(within, within, -exponent));
  const real large = scale_by(2 * e.mantissa, e.exponent), large_low = scale_by(2 * e.low, e.exponent);
  const real difference = large - v.high;
  const real negative = is_inf(large) ? large : difference + (((large - difference) - v.high) + (large_low - v.low));
  return magnitude < R(0.75, 0.75) ? near : x < 0 ? negative : positive;
}

real FN(normcdf)(real x) {
  const real within = clamp(x, R(-15.0, -40.0), R(15.0, 40.0));
  const real t = within * INV_SQRT_2, t_low = FMA(within, INV_SQRT_2_LOW, FMA(within, INV_SQRT_2, -t));
  const real sum = 1 + t, lost = (1 - sum) + t, slope = erf_rest(t);
  const real near = R(0.5, 0.5) * (sum + FMA(t, slope, lost + FMA(t_low, slope, t_low)));
  const real a = FABS(t), a_low = t < 0 ? -t_low : t_low;
  sum_t v = erfcx_of(a);
  v.low = FMA(a_low, 2 * FMA(a, v.high, -INV_SQRT_PI), v.low);
  const real half = R(0.5, 0.5) * within, square = half * within;
  const scaled_erfc_t e = times_exp(v, square, FMA(half, within, -square));
  const real tail = scale_by(R(0.5, 0.5) * e.value, e.exponent);
  const real far = x > 0 ? 1 - tail : tail;
  return a < R(0.5, 0.5) ? near : far;
}
