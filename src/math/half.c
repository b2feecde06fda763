/* f2 and bf16 as 16 bits: conversions in integer arithmetic, rounded once to nearest even, and what rounding in f4
   first would spoil. Branch-free, so that loops over them become vectors. The conversions of f2 are those of F. Giesen,
   "float->half variants" (2012): the adder of the wide type rounds subnormal results. */
#include "device.h"

#define SELECT(cond, a, b) ((cond) ? (a) : (b))

#define F2_INF 0x7c00
#define F2_NAN 0x7e00
#define BF16_INF 0x7f80
#define BF16_NAN 0x7fc0

f4 jitc_f2_to_f4(uint16_t x) {
  const uint32_t shifted = (uint32_t)(x & 0x7fff) << 13, exponent = shifted & 0x0f800000;
  const uint32_t rebased = shifted + (112u << 23);
  const uint32_t special = rebased + (112u << 23);
  const f4 unit = from_bits_f4(113u << 23);
  const uint32_t subnormal = bits_f4(from_bits_f4(shifted + (113u << 23)) - unit);
  const uint32_t magnitude = SELECT(exponent == 0x0f800000, special, SELECT(exponent == 0, subnormal, rebased));
  return from_bits_f4(magnitude | (uint32_t)(x & 0x8000) << 16);
}

f4 jitc_bf16_to_f4(uint16_t x) { return from_bits_f4((uint32_t)x << 16); }

uint16_t jitc_f4_to_f2(f4 x) {
  const uint32_t all = bits_f4(x), magnitude = all & 0x7fffffff;
  const uint32_t special = SELECT(magnitude > 0x7f800000, F2_NAN, F2_INF);
  /* The last place of 0.5 is that of f2's subnormal numbers. */
  const uint32_t subnormal = bits_f4(from_bits_f4(magnitude) + 0.5f) - bits_f4(0.5f);
  const uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  const uint32_t rounded = SELECT(magnitude < 0x38800000, subnormal, normal);
  return (uint16_t)(SELECT(magnitude >= 0x47800000, special, rounded) | (all >> 16 & 0x8000));
}

uint16_t jitc_f4_to_bf16(f4 x) {
  const uint32_t all = bits_f4(x);
  const uint32_t rounded = (all + 0x7fff + (all >> 16 & 1)) >> 16;
  return (uint16_t)SELECT((all & 0x7fffffff) > 0x7f800000, BF16_NAN, rounded);
}

/* An f8 to a half with `mantissa_bits`, whose exponents are `bias` above the true ones. `aligner` is the f8 whose last
   place is that of the half's subnormal numbers. */
INLINE uint16_t narrow_f8(f8 x, int mantissa_bits, uint64_t bias, f8 aligner, uint32_t inf, uint32_t nan) {
  const uint64_t all = bits_f8(x), magnitude = all & ~((uint64_t)1 << 63);
  const int dropped = 52 - mantissa_bits;
  const uint32_t special = SELECT(magnitude > (uint64_t)0x7ff << 52, nan, inf);
  const uint64_t subnormal = bits_f8(from_bits_f8(magnitude) + aligner) - bits_f8(aligner);
  const uint64_t half_minus_one = ((uint64_t)1 << (dropped - 1)) - 1;
  const uint64_t normal = (magnitude - ((1023 - bias) << 52) + half_minus_one + (magnitude >> dropped & 1)) >> dropped;
  const uint64_t rounded = SELECT(magnitude < (1024 - bias) << 52, subnormal, normal);
  const uint32_t out = SELECT(magnitude >= (1024 + bias) << 52, special, (uint32_t)rounded);
  return (uint16_t)(out | (uint32_t)(all >> 48 & 0x8000));
}

uint16_t jitc_f8_to_f2(f8 x) { return narrow_f8(x, 10, 15, 0x1p28, F2_INF, F2_NAN); }
uint16_t jitc_f8_to_bf16(f8 x) { return narrow_f8(x, 7, 127, 0x1p-81, BF16_INF, BF16_NAN); }

/* An integer of more than 53 bits leaves one bit in the place of the lowest eleven: which side of a tie it lies on. */
INLINE uint64_t keep_sticky(uint64_t magnitude) {
  const uint64_t low = magnitude & 0x7ff;
  const uint64_t sticky = (magnitude ^ low) | (low != 0 ? 0x800 : 0);
  return SELECT(magnitude >> 53 != 0, sticky, magnitude);
}

uint16_t jitc_u8_to_bf16(uint64_t x) { return jitc_f8_to_bf16((f8)keep_sticky(x)); }

uint16_t jitc_i8_to_bf16(int64_t x) {
  const uint64_t magnitude = keep_sticky(x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
  return jitc_u8_to_bf16(magnitude) | (uint16_t)(x < 0 ? 0x8000 : 0);
}

/* The product of two f2 is exact in f8. Near a tie of the result the sum is too: a product as small as f2's last place
   has bits down to 2**-48 only where the result has none above 2**-4. */
uint16_t jitc_fma_f2(uint16_t a, uint16_t b, uint16_t c) {
  const f8 product = (f8)jitc_f2_to_f4(a) * (f8)jitc_f2_to_f4(b);
  return jitc_f8_to_f2(product + (f8)jitc_f2_to_f4(c));
}

/* bf16 has f4's exponents, so that the sum may lose what decides a tie. It is rounded to odd: its last bit says whether
   something was lost (S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums", IEEE TC 57, 2008). */
uint16_t jitc_fma_bf16(uint16_t a, uint16_t b, uint16_t c) {
  const f8 product = (f8)jitc_bf16_to_f4(a) * (f8)jitc_bf16_to_f4(b), addend = (f8)jitc_bf16_to_f4(c);
  const f8 sum = product + addend;
  const f8 back = sum - product;
  const f8 lost = (product - (sum - back)) + (addend - back);
  const uint64_t bits = bits_f8(sum);
  const uint64_t odd = SELECT((lost > 0) == (sum > 0), bits + 1, bits - 1);
  const int even_and_inexact = (lost > 0 || lost < 0) && (bits & 1) == 0;
  return jitc_f8_to_bf16(from_bits_f8(SELECT(even_and_inexact, odd, bits)));
}

/* The neighbour of x on the way to y. */
INLINE uint16_t next_half(uint16_t x, uint16_t y, f4 from, f4 to, uint16_t nan) {
  if (from != from || to != to) return nan;
  if (from == to) return y;
  if (from == 0) return (uint16_t)((y & 0x8000) | 1);
  return (uint16_t)((from < to) == (from > 0) ? x + 1 : x - 1);
}

uint16_t jitc_nextafter_f2(uint16_t x, uint16_t y) {
  return next_half(x, y, jitc_f2_to_f4(x), jitc_f2_to_f4(y), F2_NAN);
}

uint16_t jitc_nextafter_bf16(uint16_t x, uint16_t y) {
  return next_half(x, y, jitc_bf16_to_f4(x), jitc_bf16_to_f4(y), BF16_NAN);
}
