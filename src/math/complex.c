/* Functions of complex numbers, made of the real ones; C99 Annex G has the values at infinities, NaNs and signed zeros.
   Each comes as two functions, of the real and of the imaginary part: a kernel that uses both shares their work once
   they are inlined. Methods: W. Kahan, "Branch cuts for complex elementary functions" (1987); the cut into ranges is
   that of FreeBSD's msun (sqrt, exp, sinh, cosh, tanh) and of CPython's cmath (the inverse functions, pow). */
#include "device.h"

real FN(exp)(real x);
real FN(log)(real x);
real FN(log1p)(real x);
real FN(sin)(real x);
real FN(cos)(real x);
real FN(tan)(real x);
real FN(sinh)(real x);
real FN(cosh)(real x);
real FN(asinh)(real x);
real FN(atan2)(real y, real x);
real FN(hypot)(real x, real y);
real FN(pow)(real x, real y);

typedef struct {
  real re, im;
} complex_t;

#define LARGEST R(0x1.fffffep+127, 0x1.fffffffffffffp+1023)
#define SQRT_LARGEST R(0x1p+63, 0x1p+511) /* below the square root of LARGEST / 4 */
#define SQRT_SMALLEST R(0x1p-63, 0x1p-511)
#define LN2 R(0.69314718, 0.69314718055994530942)
#define HALF_PI R(1.57079633, 1.57079632679489661923)

/* From here on exp(x) may overflow where its product with a sine does not. */
#define EXP_LARGE R(85.0, 700.0)
/* From here on tanh is 1. */
#define TANH_LARGE R(11.0, 22.0)

INLINE real scale_of_exp(real x) { return FN(exp)(x * R(0.5, 0.5)); }

/* Division as NumPy has it: R. L. Smith, "Algorithm 116", CACM 5 no. 8 (1962). */
INLINE complex_t cdiv(real a, real b, real c, real d) {
  if (FABS(c) >= FABS(d)) {
    if (c == 0 && d == 0) return (complex_t){a / FABS(c), b / FABS(d)};
    const real ratio = d / c, scale = 1 / (c + d * ratio);
    return (complex_t){(a + b * ratio) * scale, (b - a * ratio) * scale};
  }
  const real ratio = c / d, scale = 1 / (d + c * ratio);
  return (complex_t){(a * ratio + b) * scale, (b * ratio - a) * scale};
}

INLINE complex_t sqrt_of_scaled(real x, real y) {
  const real t = SQRT((FABS(x) + FN(hypot)(x, y)) * R(0.5, 0.5));
  return x >= 0 ? (complex_t){t, y / (2 * t)} : (complex_t){FABS(y) / (2 * t), COPYSIGN(t, y)};
}

INLINE complex_t csqrt(real x, real y) {
  if (x == 0 && y == 0) return (complex_t){0, y};
  if (is_inf(y)) return (complex_t){INF, y};
  if (is_nan(x)) return (complex_t){x, NAN};
  if (is_inf(x)) {
    return x < 0 ? (complex_t){FABS(y - y), COPYSIGN(x, y)} : (complex_t){x, is_nan(y) ? y : COPYSIGN((real)0, y)};
  }
  const real larger = FABS(x) > FABS(y) ? FABS(x) : FABS(y);
  if (larger > LARGEST / 4) {
    const complex_t r = sqrt_of_scaled(x / 4, y / 4);
    return (complex_t){2 * r.re, 2 * r.im};
  }
  if (larger < MIN_NORMAL * R(0x1p26, 0x1p56)) {
    const complex_t r = sqrt_of_scaled(x * R(0x1p26, 0x1p56), y * R(0x1p26, 0x1p56));
    return (complex_t){r.re * R(0x1p-13, 0x1p-28), r.im * R(0x1p-13, 0x1p-28)};
  }
  return sqrt_of_scaled(x, y);
}

INLINE complex_t cexp(real x, real y) {
  if (y == 0) return (complex_t){FN(exp)(x), y};
  if (!is_finite(y)) {
    if (!is_inf(x)) return (complex_t){NAN, NAN};
    return x < 0 ? (complex_t){0, 0} : (complex_t){x, NAN};
  }
  const real s = FN(sin)(y), c = FN(cos)(y);
  if (x > EXP_LARGE) {
    const real e = scale_of_exp(x);
    return (complex_t){e * c * e, e * s * e};
  }
  const real e = FN(exp)(x);
  return (complex_t){e * c, e * s};
}

/* log |x + i y| */
INLINE real log_of_magnitude(real x, real y) {
  const real ax = FABS(x), ay = FABS(y);
  const real larger = ax > ay ? ax : ay, smaller = ax > ay ? ay : ax;
  if (is_finite(x) && is_finite(y)) {
    if (larger > LARGEST / 4) return FN(log)(FN(hypot)(larger / 4, smaller / 4)) + 2 * LN2;
    if (larger < MIN_NORMAL * 4 && larger > 0) {
      const real up = R(0x1p24, 0x1p53);
      return FN(log)(FN(hypot)(larger * up, smaller * up)) - (MANTISSA_BITS + 1) * LN2;
    }
    const real magnitude = FN(hypot)(larger, smaller);
    /* Near 1 the logarithm is as small as what the magnitude's rounding lost. */
    if (magnitude > R(0.71, 0.71) && magnitude < R(1.73, 1.73)) {
      return FN(log1p)((larger - 1) * (larger + 1) + smaller * smaller) / 2;
    }
    return FN(log)(magnitude);
  }
  return FN(log)(FN(hypot)(x, y));
}

INLINE complex_t clog(real x, real y) { return (complex_t){log_of_magnitude(x, y), FN(atan2)(y, x)}; }

INLINE complex_t ccosh(real x, real y) {
  if (y == 0) return (complex_t){FN(cosh)(x), COPYSIGN((real)0, x) * y};
  if (!is_finite(y)) {
    if (x == 0) return (complex_t){NAN, x};
    return is_inf(x) ? (complex_t){INF, NAN} : (complex_t){NAN, NAN};
  }
  const real s = FN(sin)(y), c = FN(cos)(y);
  if (FABS(x) > EXP_LARGE) {
    const real e = scale_of_exp(FABS(x)), h = e * R(0.5, 0.5);
    return (complex_t){h * c * e, COPYSIGN(h, x) * s * e};
  }
  return (complex_t){FN(cosh)(x) * c, FN(sinh)(x) * s};
}

INLINE complex_t csinh(real x, real y) {
  if (y == 0) return (complex_t){FN(sinh)(x), y};
  if (!is_finite(y)) {
    if (x == 0) return (complex_t){x, NAN};
    return is_inf(x) ? (complex_t){x, NAN} : (complex_t){NAN, NAN};
  }
  const real s = FN(sin)(y), c = FN(cos)(y);
  if (FABS(x) > EXP_LARGE) {
    const real e = scale_of_exp(FABS(x)), h = e * R(0.5, 0.5);
    return (complex_t){COPYSIGN(h, x) * c * e, h * s * e};
  }
  return (complex_t){FN(sinh)(x) * c, FN(cosh)(x) * s};
}

INLINE complex_t ctanh(real x, real y) {
  if (is_nan(x)) return (complex_t){x, y == 0 ? y : NAN};
  if (is_inf(x)) return (complex_t){COPYSIGN((real)1, x), COPYSIGN((real)0, is_finite(y) ? FN(sin)(2 * y) : y)};
  if (!is_finite(y)) return (complex_t){x == 0 ? x : NAN, NAN};
  if (FABS(x) >= TANH_LARGE) {
    const real e = FN(exp)(-FABS(x));
    return (complex_t){COPYSIGN((real)1, x), 4 * FN(sin)(y) * FN(cos)(y) * e * e};
  }
  const real t = FN(tan)(y), beta = 1 + t * t, s = FN(sinh)(x), rho = SQRT(1 + s * s);
  const real denominator = 1 + beta * s * s;
  return (complex_t){beta * rho * s / denominator, t / denominator};
}

/* log(2 |z|) where |z| itself would overflow. */
INLINE real log_of_twice(real x, real y) { return FN(log)(FN(hypot)(x / 2, y / 2)) + 2 * LN2; }

INLINE int is_large(real x, real y) { return FABS(x) > LARGEST / 4 || FABS(y) > LARGEST / 4; }

/* From here down asinh and atanh are their argument. */
#define TINY R(0x1p-13, 0x1p-28)
INLINE int is_tiny(real x, real y) { return FABS(x) < TINY && FABS(y) < TINY; }

INLINE complex_t casinh(real x, real y) {
  if (is_tiny(x, y)) return (complex_t){x, y};
  if (is_nan(x) && y == 0) return (complex_t){x, y};
  if (is_large(x, y)) return (complex_t){COPYSIGN(log_of_twice(x, y), x), FN(atan2)(y, FABS(x))};
  const complex_t a = csqrt(1 + y, -x), b = csqrt(1 - y, x);
  return (complex_t){FN(asinh)(a.re * b.im - b.re * a.im), FN(atan2)(y, a.re * b.re - a.im * b.im)};
}

INLINE complex_t cacos(real x, real y) {
  if (x == 0 && is_nan(y)) return (complex_t){HALF_PI, y};
  if (is_large(x, y)) return (complex_t){FN(atan2)(FABS(y), x), COPYSIGN(log_of_twice(x, y), -y)};
  const complex_t a = csqrt(1 - x, -y), b = csqrt(1 + x, y);
  return (complex_t){2 * FN(atan2)(a.re, b.re), FN(asinh)(b.re * a.im - b.im * a.re)};
}

INLINE complex_t cacosh(real x, real y) {
  if (is_large(x, y)) return (complex_t){log_of_twice(x, y), FN(atan2)(y, x)};
  const complex_t a = csqrt(x - 1, y), b = csqrt(x + 1, y);
  return (complex_t){FN(asinh)(a.re * b.re + a.im * b.im), 2 * FN(atan2)(a.im, b.re)};
}

/* For x >= 0. */
INLINE complex_t atanh_of_right_half(real x, real y) {
  const real ay = FABS(y);
  if (is_inf(x) || is_inf(y)) return (complex_t){0, is_nan(y) ? y : COPYSIGN(HALF_PI, y)};
  if (x > SQRT_LARGEST || ay > SQRT_LARGEST) {
    const real h = FN(hypot)(x / 2, y / 2);
    return (complex_t){x / 4 / h / h, COPYSIGN(HALF_PI, y)};
  }
  if (x == 1 && ay < SQRT_SMALLEST) {
    if (ay == 0) return (complex_t){INF, y};
    return (complex_t){-FN(log)(SQRT(ay) / SQRT(FN(hypot)(ay, 2))), COPYSIGN(FN(atan2)(2, -ay) / 2, y)};
  }
  const real beside = 1 - x;
  return (complex_t){FN(log1p)(4 * x / (beside * beside + ay * ay)) / 4,
                     -FN(atan2)(-2 * y, beside * (1 + x) - ay * ay) / 2};
}

INLINE complex_t catanh(real x, real y) {
  if (is_tiny(x, y)) return (complex_t){x, y};
  if (x == 0 && is_nan(y)) return (complex_t){x, y};
  if (!is_negative(x)) return atanh_of_right_half(x, y);
  const complex_t r = atanh_of_right_half(-x, -y);
  return (complex_t){-r.re, -r.im};
}

/* f(z) = -i g(i z), for sin, tan and their inverses. */
INLINE complex_t minus_i_times(complex_t z) { return (complex_t){z.im, -z.re}; }
INLINE complex_t csin(real x, real y) { return minus_i_times(csinh(-y, x)); }
INLINE complex_t ccos(real x, real y) { return ccosh(-y, x); }
INLINE complex_t ctan(real x, real y) { return minus_i_times(ctanh(-y, x)); }
INLINE complex_t casin(real x, real y) { return minus_i_times(casinh(-y, x)); }
INLINE complex_t catan(real x, real y) { return minus_i_times(catanh(-y, x)); }

INLINE complex_t multiply(complex_t a, complex_t b) {
  return (complex_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* z ** n for a whole n, |n| < 100: by repeated squaring, as NumPy does. */
INLINE complex_t power_of_int(complex_t base, int n) {
  complex_t result = {1, 0};
  int left = n < 0 ? -n : n;
  while (1) {
    if (left & 1) result = multiply(result, base);
    left >>= 1;
    if (left == 0) break;
    base = multiply(base, base);
  }
  return n < 0 ? cdiv(1, 0, result.re, result.im) : result;
}

INLINE complex_t cpow(real x, real y, real c, real d) {
  if (c == 0 && d == 0) return (complex_t){1, 0};
  if (x == 0 && y == 0) return c > 0 && d == 0 ? (complex_t){0, 0} : (complex_t){NAN, NAN};
  if (d == 0 && c == RINT(c) && FABS(c) < 100) return power_of_int((complex_t){x, y}, (int)c);
  const real magnitude = FN(hypot)(x, y), angle = FN(atan2)(y, x);
  real length = FN(pow)(magnitude, c), turned = angle * c;
  if (d != 0) {
    length *= FN(exp)(-angle * d);
    turned += d * log_of_magnitude(x, y);
  }
  return (complex_t){length * FN(cos)(turned), length * FN(sin)(turned)};
}

#define PARTS_OF_ONE(name)                                     \
  real FN(name##_re)(real x, real y) { return name(x, y).re; } \
  real FN(name##_im)(real x, real y) { return name(x, y).im; }
#define PARTS_OF_TWO(name)                                                           \
  real FN(name##_re)(real a, real b, real c, real d) { return name(a, b, c, d).re; } \
  real FN(name##_im)(real a, real b, real c, real d) { return name(a, b, c, d).im; }

PARTS_OF_ONE(csqrt)
PARTS_OF_ONE(cexp)
PARTS_OF_ONE(clog)
PARTS_OF_ONE(csin)
PARTS_OF_ONE(ccos)
PARTS_OF_ONE(ctan)
PARTS_OF_ONE(csinh)
PARTS_OF_ONE(ccosh)
PARTS_OF_ONE(ctanh)
PARTS_OF_ONE(casin)
PARTS_OF_ONE(cacos)
PARTS_OF_ONE(catan)
PARTS_OF_ONE(casinh)
PARTS_OF_ONE(cacosh)
PARTS_OF_ONE(catanh)
PARTS_OF_TWO(cdiv)
PARTS_OF_TWO(cpow)
