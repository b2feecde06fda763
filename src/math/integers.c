/* Integers and the bits of floats, as CUDA's integer intrinsics and type casts have them. */
#include "device.h"

int32_t jitc_f4_bits(f4 x) { return (int32_t)bits_f4(x); }
f4 jitc_f4_of_bits(int32_t x) { return from_bits_f4((uint32_t)x); }
int64_t jitc_f8_bits(f8 x) { return (int64_t)bits_f8(x); }
f8 jitc_f8_of_bits(int64_t x) { return from_bits_f8((uint64_t)x); }
int32_t jitc_high_word(f8 x) { return (int32_t)(bits_f8(x) >> 32); }
int32_t jitc_low_word(f8 x) { return (int32_t)bits_f8(x); }
f8 jitc_f8_of_words(int32_t high, int32_t low) { return from_bits_f8((uint64_t)(uint32_t)high << 32 | (uint32_t)low); }

int32_t jitc_mulhi_i4(int32_t x, int32_t y) { return (int32_t)((int64_t)x * y >> 32); }
uint32_t jitc_mulhi_u4(uint32_t x, uint32_t y) { return (uint32_t)((uint64_t)x * y >> 32); }

/* Of four products of halves; the middle ones carry. */
uint64_t jitc_mulhi_u8(uint64_t x, uint64_t y) {
  const uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
  const uint64_t first = x0 * y0, second = x1 * y0 + (first >> 32), third = x0 * y1 + (uint32_t)second;
  return x1 * y1 + (second >> 32) + (third >> 32);
}

/* A negative factor is 2**64 less than its bits. */
int64_t jitc_mulhi_i8(int64_t x, int64_t y) {
  const uint64_t upper = jitc_mulhi_u8((uint64_t)x, (uint64_t)y);
  return (int64_t)(upper - ((uint64_t)(x >> 63) & (uint64_t)y) - ((uint64_t)(y >> 63) & (uint64_t)x));
}

INLINE uint32_t lower_24(int32_t x) { return (uint32_t)((int32_t)((uint32_t)x << 8) >> 8); }
int32_t jitc_mul24_i4(int32_t x, int32_t y) { return (int32_t)(lower_24(x) * lower_24(y)); }
uint32_t jitc_mul24_u4(uint32_t x, uint32_t y) { return (x & 0xffffff) * (y & 0xffffff); }

int32_t jitc_hadd_i4(int32_t x, int32_t y) { return (int32_t)(((int64_t)x + y) >> 1); }
uint32_t jitc_hadd_u4(uint32_t x, uint32_t y) { return (uint32_t)(((uint64_t)x + y) >> 1); }
int32_t jitc_rhadd_i4(int32_t x, int32_t y) { return (int32_t)(((int64_t)x + y + 1) >> 1); }
uint32_t jitc_rhadd_u4(uint32_t x, uint32_t y) { return (uint32_t)(((uint64_t)x + y + 1) >> 1); }

int32_t jitc_sad_i4(int32_t x, int32_t y, int32_t z) {
  const uint32_t a = (uint32_t)x, b = (uint32_t)y;
  return (int32_t)((x > y ? a - b : b - a) + (uint32_t)z);
}
uint32_t jitc_sad_u4(uint32_t x, uint32_t y, uint32_t z) { return (x > y ? x - y : y - x) + z; }

/* Byte `place` of the result is that of the eight bytes y:x which the nibble's lower three bits say. */
INLINE uint32_t chosen_byte(uint64_t bytes, uint32_t selector, int place) {
  return ((uint32_t)(bytes >> 8 * (selector >> 4 * place & 7)) & 0xff) << 8 * place;
}
uint32_t jitc_byte_perm(uint32_t x, uint32_t y, uint32_t selector) {
  const uint64_t bytes = (uint64_t)y << 32 | x;
  return chosen_byte(bytes, selector, 0) | chosen_byte(bytes, selector, 1) | chosen_byte(bytes, selector, 2) |
         chosen_byte(bytes, selector, 3);
}
