/* Argument reduction of sin, cos and tan: |x| = quadrant * pi/2 + (high + low), |high| <= pi/4 and a little.
   Moderate arguments: Cody and Waite with pi/2 in three full-width parts; x - n * (first part) is exact as one fma.
   Huge ones: Payne and Hanek, in words of 32 bits. Of m * 2**e * (2/pi), with an integer m, only the bits of 2/pi that
   weigh less than 2**(2 - e) matter, as the others make multiples of 4. Three words of them (f8: six) leave an error
   below 2**-64 of a quadrant (2**-126), and no f4 comes closer to a multiple of pi/2 than 2**-30 (f8: 2**-61).
   The huge path is a branch, which threads of usual arguments never take; nothing in it keeps a loop from becoming
   vectors. */
#pragma once

#include "constants.h"

typedef struct {
  real high, low;
  int quadrant; /* modulo 4 */
} reduced_t;

/* 32 bits of a number of two words, from bit `shift` on, counted from the top. */
INLINE uint32_t window(uint32_t first, uint32_t second, int shift) {
  return (uint32_t)(((uint64_t)first << 32 | second) << shift >> 32);
}

/* a * b + c, which fits: c is below 2**32. */
INLINE uint64_t multiply_add(uint32_t a, uint32_t b, uint64_t c) { return (uint64_t)a * b + c; }

/* What is left of a reduced finite x, given in quadrants: |first| > |second| or first = 0. */
INLINE reduced_t in_radians(real x, real first, real second, int quadrant) {
  const real part = first + second, part_low = (first - part) + second;
  const real high = part * HALF_PI_HIGH;
  const real low = FMA(part, HALF_PI_HIGH, -high) + FMA(part, HALF_PI_MIDDLE, part_low * HALF_PI_HIGH);
  const real sum = x < INF ? high + low : NAN;
  return (reduced_t){sum, (high - sum) + low, quadrant};
}

#if JITC_REAL == 4

/* What 2 / pi is rounded by makes the quadrant wrong by 2**-6 at most: |high| stays where the polynomials are good. */
#define HUGE_EXPONENT 19

/* The nearest quadrant of turns in units of 2**-62 of a quadrant, modulo 4, and what is left of them. */
INLINE reduced_t reduce_huge(f4 x) {
  /* 2/pi, whose first bit here has the weight 2**(24 - HUGE_EXPONENT). The words are selected, not looked up. */
  const uint32_t m = (BITS(x) & MANTISSA_MASK) | IMPLICIT_BIT;
  const int offset = (int)(BITS(x) >> MANTISSA_BITS) - (EXPONENT_BIAS + HUGE_EXPONENT), shift = offset & 31;
  const int by_two = offset & 64, by_one = offset & 32;
  const uint32_t a = by_two ? 0xa7f09d5f : 0x028be60d, b = by_two ? 0x47d4d377 : 0xb9391054;
  const uint32_t c = by_two ? 0x036d8a56 : 0xa7f09d5f, d = by_two ? 0x64f10e41 : 0x47d4d377;
  const uint32_t e = by_two ? 0x07f9458e : 0x036d8a56;
  const uint32_t first = by_one ? b : a, second = by_one ? c : b, third = by_one ? d : c, fourth = by_one ? e : d;

  /* The upper two words of the product modulo three. */
  const uint64_t lower = multiply_add(m, window(third, fourth, shift), 0);
  const uint64_t middle = multiply_add(m, window(second, third, shift), lower >> 32);
  const uint64_t turns = ((uint64_t)(m * window(first, second, shift)) << 32) + middle;
  const int quadrant = (int)((turns + ((uint64_t)1 << 61)) >> 62);

  /* What is left of them in units of 2**-64 of a quadrant, in three exact parts. */
  const int64_t rest = (int64_t)(turns << 2);
  const f4 top = (f4)(int32_t)(rest >> 40) * 0x1p-24f, next = (f4)(int32_t)(rest >> 16 & 0xffffff) * 0x1p-48f;
  const f4 last = (f4)(int32_t)(rest & 0xffff) * 0x1p-64f;
  const f4 upper = top + next;
  return in_radians(x, upper, (top - upper) + next + last, quadrant);
}

#else

#define HUGE_EXPONENT 30

INLINE reduced_t reduce_huge(f8 x) {
  /* 2/pi, whose first bit here has the weight 2**(53 - HUGE_EXPONENT). */
  static const uint32_t kTwoOverPi[] = {
      0x000000a2, 0xf9836e4e, 0x441529fc, 0x2757d1f5, 0x34ddc0db, 0x6295993c, 0x439041fe, 0x5163abde,
      0xbbc561b7, 0x246e3a42, 0x4dd2e006, 0x492eea09, 0xd1921cfe, 0x1deb1cb1, 0x29a73ee8, 0x8235f52e,
      0xbb4484e9, 0x9c7026b4, 0x5f7e4139, 0x91d63983, 0x5339f49c, 0x845f8bbd, 0xf9283b1f, 0xf897ffde,
      0x05980fef, 0x2f118b5a, 0x0a6d1f6d, 0x367ecf27, 0xcb09b74f, 0x463f669e, 0x5fea2d75, 0x27bac7eb,
      0xe5f17b3d, 0x0739f78a, 0x5292ea6b, 0xfb5fb11f, 0x8d5d0856, 0x033046fc};
  const uint64_t m = (BITS(x) & MANTISSA_MASK) | IMPLICIT_BIT;
  const uint32_t m_high = (uint32_t)(m >> 32), m_low = (uint32_t)m;
  const int offset = (int)(BITS(x) >> MANTISSA_BITS) - (EXPONENT_BIAS + HUGE_EXPONENT), shift = offset & 31;
  const uint32_t* words = kTwoOverPi + (offset >> 5);
  const uint32_t w0 = window(words[0], words[1], shift), w1 = window(words[1], words[2], shift);
  const uint32_t w2 = window(words[2], words[3], shift), w3 = window(words[3], words[4], shift);
  const uint32_t w4 = window(words[4], words[5], shift), w5 = window(words[5], words[6], shift);

  /* The upper four words of the product modulo six: m_low times the first five, and m_high a word further up. */
  const uint64_t low4 = multiply_add(m_low, w4, 0), low3 = multiply_add(m_low, w3, low4 >> 32);
  const uint64_t low2 = multiply_add(m_low, w2, low3 >> 32), low1 = multiply_add(m_low, w1, low2 >> 32);
  const uint64_t high5 = multiply_add(m_high, w5, 0), high4 = multiply_add(m_high, w4, high5 >> 32);
  const uint64_t high3 = multiply_add(m_high, w3, high4 >> 32), high2 = multiply_add(m_high, w2, high3 >> 32);
  const uint64_t a = low2 << 32 | (uint32_t)low3, b = high3 << 32 | (uint32_t)high4, second = a + b;
  const uint64_t turns = ((uint64_t)(m_low * w0) << 32) + low1 + ((uint64_t)(m_high * w1) << 32) + high2 + (second < a);

  /* What is left of them in two numbers: 53 bits and the following 64. */
  const uint64_t first = turns << 2 | second >> 62;
  const f8 top = (f8)((int64_t)first >> 11 << 11) * 0x1p-64;
  const f8 rest = (f8)(first << 53 | second << 2 >> 11) * 0x1p-117;
  return in_radians(x, top, rest, (int)((turns + ((uint64_t)1 << 61)) >> 62));
}

#endif

INLINE reduced_t reduce_moderate(real x) {
  const real rounded = FMA(x, TWO_OVER_PI, ROUNDER), n = rounded - ROUNDER;
  const real r = FMA(-n, HALF_PI_HIGH, x);
  /* r - n * middle, exactly: a product and a difference in two parts each. */
  const real product = n * HALF_PI_MIDDLE, product_low = FMA(n, HALF_PI_MIDDLE, -product);
  const real high = r - product, back = high - r;
  const real lost = (r - (high - back)) - (product + back);
  return (reduced_t){high, FMA(-n, HALF_PI_LOW, lost - product_low), (int)BITS(rounded)};
}

/* Of x >= 0; nan gives nan. The quadrant's higher bits have no meaning. */
INLINE reduced_t reduce(real x) { return x < power_of_two(HUGE_EXPONENT) ? reduce_moderate(x) : reduce_huge(x); }
