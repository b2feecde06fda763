/* What every device source sees: the type it is compiled for, bit access, and the operations that are one machine
   instruction on both targets. A generic source is compiled twice, with JITC_REAL=4 and with JITC_REAL=8.
   Rules: no library calls, no fused operation but FMA(), nothing that depends on the target. */
#pragma once

#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

typedef float f4;
typedef double f8;

INLINE uint32_t bits_f4(f4 x) {
  union {
    f4 value;
    uint32_t bits;
  } u = {x};
  return u.bits;
}

INLINE f4 from_bits_f4(uint32_t b) {
  union {
    uint32_t bits;
    f4 value;
  } u = {b};
  return u.value;
}

INLINE uint64_t bits_f8(f8 x) {
  union {
    f8 value;
    uint64_t bits;
  } u = {x};
  return u.bits;
}

INLINE f8 from_bits_f8(uint64_t b) {
  union {
    uint64_t bits;
    f8 value;
  } u = {b};
  return u.value;
}

#if JITC_REAL == 4

typedef f4 real;
typedef uint32_t bits_t;
typedef int32_t sbits_t;
#define FN(name) jitc_##name##_f4
#define BITS(x) bits_f4(x)
#define FROM_BITS(b) from_bits_f4(b)
#define R(f4_constant, f8_constant) (f4_constant##f)
#define PICK(for_f4, for_f8) (for_f4)
#define MANTISSA_BITS 23
#define EXPONENT_BIAS 127
#define LEADING_ZEROS(b) __builtin_clz(b)
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#define FABS(x) __builtin_fabsf(x)
#define SQRT(x) __builtin_sqrtf(x)
#define FLOOR(x) __builtin_floorf(x)
#define TRUNC(x) __builtin_truncf(x)
#define RINT(x) __builtin_rintf(x)
#define COPYSIGN(x, s) __builtin_copysignf(x, s)
#define INF __builtin_inff()
#define NAN __builtin_nanf("")

#elif JITC_REAL == 8

typedef f8 real;
typedef uint64_t bits_t;
typedef int64_t sbits_t;
#define FN(name) jitc_##name##_f8
#define BITS(x) bits_f8(x)
#define FROM_BITS(b) from_bits_f8(b)
#define R(f4_constant, f8_constant) (f8_constant)
#define PICK(for_f4, for_f8) (for_f8)
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1023
#define LEADING_ZEROS(b) __builtin_clzll(b)
#define FMA(a, b, c) __builtin_fma(a, b, c)
#define FABS(x) __builtin_fabs(x)
#define SQRT(x) __builtin_sqrt(x)
#define FLOOR(x) __builtin_floor(x)
#define TRUNC(x) __builtin_trunc(x)
#define RINT(x) __builtin_rint(x)
#define COPYSIGN(x, s) __builtin_copysign(x, s)
#define INF __builtin_inf()
#define NAN __builtin_nan("")

#endif

#ifdef JITC_REAL

#define TYPE_BITS (8 * (int)sizeof(bits_t))
#define SIGN_BIT ((bits_t)1 << (TYPE_BITS - 1))
#define IMPLICIT_BIT ((bits_t)1 << MANTISSA_BITS)
#define MANTISSA_MASK (IMPLICIT_BIT - 1)
#define INF_BITS ((bits_t)(2 * EXPONENT_BIAS + 1) << MANTISSA_BITS)
#define MIN_NORMAL FROM_BITS(IMPLICIT_BIT)

INLINE bits_t magnitude_bits(real x) { return BITS(x) & ~SIGN_BIT; }
INLINE int is_nan(real x) { return x != x; }
INLINE int is_inf(real x) { return magnitude_bits(x) == INF_BITS; }
INLINE int is_finite(real x) { return magnitude_bits(x) < INF_BITS; }
INLINE int is_negative(real x) { return (BITS(x) & SIGN_BIT) != 0; }

/* Keeps nan. */
INLINE real clamp(real x, real low, real high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/* c[0] + c[1] x + … + c[degree] x**degree, by Horner. `degree` is a constant: the table becomes immediates. */
INLINE real polynomial(const real* c, int degree, real x) {
  real sum = c[degree];
#pragma clang loop unroll(full)
  for (int i = degree - 1; i >= 0; --i) sum = FMA(sum, x, c[i]);
  return sum;
}

/* Degree of a table of coefficients. */
#define DEGREE(table) ((int)(sizeof(table) / sizeof((table)[0])) - 1)

/* 2**e for a normal result. */
INLINE real power_of_two(int e) { return FROM_BITS((bits_t)(e + EXPONENT_BIAS) << MANTISSA_BITS); }

/* 2**k m */
typedef struct {
  real k, m;
} binary_t;

/* A positive finite x with m from the number of the bits `lowest` to twice it; of all others something. */
INLINE binary_t split_at(real x, bits_t lowest) {
  const int is_tiny = x < MIN_NORMAL;
  const bits_t above = BITS(is_tiny ? x * IMPLICIT_BIT : x) - lowest;
  const int k = (int)((sbits_t)above >> MANTISSA_BITS) - (is_tiny ? MANTISSA_BITS : 0);
  return (binary_t){(real)k, FROM_BITS((above & MANTISSA_MASK) + lowest)};
}

#endif
