/* Conversions that round down, up and to zero, in integer arithmetic or by a step from the nearest number. */
#include "device.h"

enum { DOWN, UP, TO_ZERO };

/* f8 to f4: the nearest f4 compared with the number itself. */
INLINE f4 narrow(f8 x, int mode) {
  const f4 nearest = (f4)x;
  const uint32_t bits = bits_f4(nearest), sign = (uint32_t)(bits_f8(x) >> 32) & 0x80000000u;
  const int is_negative = sign != 0;
  const int too_large = is_negative ? (f8)nearest < x : (f8)nearest > x;
  const int too_small = is_negative ? (f8)nearest > x : (f8)nearest < x;
  const int grows = mode == (is_negative ? DOWN : UP);
  const uint32_t step = grows ? too_small : 0u - (uint32_t)too_large;
  return from_bits_f4(bits + step);
}

/* The magnitude's leading 24 or 53 bits are the number rounded to zero; the bits below say whether it grows. */
INLINE int dropped_bits(uint64_t magnitude, int mantissa_bits) {
  const int length = 64 - (magnitude != 0 ? __builtin_clzll(magnitude) : 64);
  return length > mantissa_bits ? length - mantissa_bits : 0;
}

INLINE f4 integer_to_f4(uint64_t magnitude, int is_negative, int mode) {
  const uint64_t lost = magnitude & (((uint64_t)1 << dropped_bits(magnitude, 24)) - 1);
  const uint32_t grows = lost != 0 && mode == (is_negative ? DOWN : UP);
  const f4 result = from_bits_f4(bits_f4((f4)(magnitude ^ lost)) + grows);
  return is_negative ? -result : result;
}

INLINE f8 integer_to_f8(uint64_t magnitude, int is_negative, int mode) {
  const uint64_t lost = magnitude & (((uint64_t)1 << dropped_bits(magnitude, 53)) - 1);
  const uint64_t grows = lost != 0 && mode == (is_negative ? DOWN : UP);
  const f8 result = from_bits_f8(bits_f8((f8)(magnitude ^ lost)) + grows);
  return is_negative ? -result : result;
}

INLINE uint64_t magnitude_of(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

#define DIRECTED(suffix, mode)                                                                 \
  f4 jitc_f8_to_f4_##suffix(f8 x) { return narrow(x, mode); }                                  \
  f4 jitc_i8_to_f4_##suffix(int64_t x) { return integer_to_f4(magnitude_of(x), x < 0, mode); } \
  f4 jitc_u8_to_f4_##suffix(uint64_t x) { return integer_to_f4(x, 0, mode); }                  \
  f8 jitc_i8_to_f8_##suffix(int64_t x) { return integer_to_f8(magnitude_of(x), x < 0, mode); } \
  f8 jitc_u8_to_f8_##suffix(uint64_t x) { return integer_to_f8(x, 0, mode); }

DIRECTED(rd, DOWN)
DIRECTED(ru, UP)
DIRECTED(rz, TO_ZERO)
