// Floating-point values of any format as exact numbers: computed with more bits than any format has, rounded once.
#pragma once

#include <cstdint>

#include "runtime/emulator/alu/alu.hpp"
#include "runtime/emulator/alu/int128.hpp"

namespace jitc::emulator {

/// A binary format of IEEE 754's kind.
struct FloatFormat {
  int precision;     ///< bits of the significand, the hidden one included
  int max_exponent;  ///< of the largest finite value; also the bias
  int width_bits;

  int mantissa_bits() const { return precision - 1; }
  Bits sign_bit() const { return Bits{1} << (width_bits - 1); }
  Bits infinity() const;
  Bits one() const { return static_cast<Bits>(max_exponent) << mantissa_bits(); }
  /// What every operation returns for "not a number": 0x7fff, 0x7fffffff, 0x7ff8000000000000. For f32 and the halves
  /// PTX says so; of f64 it says nothing.
  Bits canonical_nan() const;
  Bits magnitude(Bits bits) const { return bits & (sign_bit() - 1); }
  bool is_nan(Bits bits) const { return magnitude(bits) > infinity(); }
  bool is_subnormal(Bits bits) const { return magnitude(bits) != 0 && magnitude(bits) >> mantissa_bits() == 0; }
};

/// Of f16, bf16, f32, f64 and tf32 (an f32 with 13 fewer bits), and of their packed forms' elements.
const FloatFormat& format_of(Type type);

/// (-1)^negative * (significand + tail) * 2^exponent, where the tail is above 0 and below 1 if there is one.
struct Exact {
  enum Kind : uint8_t { zero, finite, infinite, nan };
  Kind kind = zero;
  bool is_negative = false;
  bool has_tail = false;
  int exponent = 0;
  Unsigned128 significand = 0;
};

/// The value of `bits`.
Exact exact_of(Bits bits, const FloatFormat& format);
Exact exact_of(long double value);
/// Of a magnitude and a sign.
Exact exact_of(Unsigned128 magnitude, bool is_negative);

/// The nearest value of the format, as `rounding` says; what is too large becomes infinite or the largest finite value.
Bits round_to(const Exact& value, const FloatFormat& format, Rounding rounding);

/// The nearest integer; zeros keep their sign.
Exact round_to_integer(const Exact& value, Rounding rounding);

/// Operands have at most 64 bits of significand. `rounding` decides the sign of an exact zero sum.
Exact add(const Exact& a, const Exact& b, Rounding rounding);
Exact multiply(const Exact& a, const Exact& b);
Exact divide(const Exact& a, const Exact& b);
/// Of a quotient too: the root's tail tells that it had one.
Exact square_root(const Exact& a);
Exact negate(Exact a);

}  // namespace jitc::emulator
