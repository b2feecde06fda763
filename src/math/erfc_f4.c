/* erfc for f4. Method: below 1/2, 1 - erf(x) with a polynomial for erf(x) / x; above, exp(-x**2) times a polynomial for
   erfcx(x) (1 + 2 x) in u = (x - 3) / (x + 3), over 1 + 2 x. The square's rounding error goes into exp, and the product
   is formed before it is scaled, so that subnormal results round once. Polynomials: interpolation at Chebyshev nodes
   computed with 300 bits; relative error 2**-27.5. Error: below 2.5 ulp. */
#include "exp_core.h"

/* erf(x) / x in x**2, on [0, 1/4]; the first coefficient goes on in kErfLow. */
static const f4 kErf[] = {0x1.20dd74p+0f, -0x1.812732p-2f, 0x1.ce251p-4f, -0x1.b6661p-6f, 0x1.354512p-8f};
static const f4 kErfLow = 0x1.fb7eb4p-25f;
/* erfcx(x) (1 + 2 x) in u, on [0.47, 10.2]. */
static const f4 kErfcx[] = {0x1.40c522p+0f, -0x1.15c07cp-3f, -0x1.85a148p-5f, 0x1.0981fap-3f, -0x1.e88c6ep-4f,
                            0x1.17eaf2p-4f, -0x1.854682p-6f, 0x1.390edcp-9f,  0x1.df986p-10f, -0x1.152882p-11f};

INLINE f4 erfc_tail(f4 x) {
  const f4 square = x * x, lost = FMA(x, x, -square);
  const scaled_t e = scaled_exp(-square, -lost);
  const f4 product = polynomial(kErfcx, DEGREE(kErfcx), (x - 3) / (x + 3));
  /* The quotient of the product and 1 + 2 x, and then its product with exp, each with its rounding error. */
  const f4 divisor = FMA(2, x, 1), divisor_low = FMA(2, x, 1 - divisor);
  const f4 quotient = product / divisor;
  const f4 quotient_low = FMA(-quotient, divisor_low, FMA(-quotient, divisor, product)) / divisor;
  const f4 low = FMA(e.low, quotient, e.mantissa * quotient_low);
  return scale_by(FMA(e.mantissa, quotient, low), e.exponent);
}

f4 jitc_erfc_f4(f4 x) {
  const f4 magnitude = FABS(x);
  if (magnitude < 0.5f) {
    const f4 square = x * x;
    return 1 - FMA(x, polynomial(kErf, DEGREE(kErf), square), x * kErfLow);
  }
  const f4 tail = erfc_tail(clamp(magnitude, 0, 10.3f));
  return x < 0 ? 2 - tail : tail;
}
