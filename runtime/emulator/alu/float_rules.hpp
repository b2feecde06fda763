// What the modifiers of a floating-point instruction do before and after it.
#pragma once

#include "runtime/emulator/alu/exact.hpp"

namespace jitc::emulator {

/// A subnormal becomes a zero of its sign.
inline Bits flushed(Bits bits, const FloatFormat& format) {
  return format.is_subnormal(bits) ? bits & format.sign_bit() : bits;
}

/// .sat: into [0, 1]; a NaN and -0 become +0.
inline Bits saturated(Bits bits, const FloatFormat& format) {
  if ((bits & format.sign_bit()) != 0 || format.is_nan(bits)) return 0;
  return bits > format.one() ? format.one() : bits;
}

/// .relu: negative values become +0; a NaN stays one.
inline Bits rectified(Bits bits, const FloatFormat& format) {
  if (format.is_nan(bits)) return format.canonical_nan();
  return (bits & format.sign_bit()) != 0 ? 0 : bits;
}

inline Bits input(Bits bits, const AluRules& rules, const FloatFormat& format) {
  bits &= format.sign_bit() | (format.sign_bit() - 1);
  return rules.ftz ? flushed(bits, format) : bits;
}

/// .satfinite: an infinity becomes the largest finite value of its sign.
inline Bits kept_finite(Bits bits, const FloatFormat& format) {
  return format.magnitude(bits) == format.infinity() ? bits - 1 : bits;
}

/// After the rounding: .satfinite, .ftz, .relu, .sat. Whether a result is subnormal is seen after the rounding.
inline Bits finished(Bits bits, const AluRules& rules, const FloatFormat& format) {
  if (rules.satfinite) bits = kept_finite(bits, format);
  if (rules.ftz) bits = flushed(bits, format);
  if (rules.relu) bits = rectified(bits, format);
  return rules.sat ? saturated(bits, format) : bits;
}

inline Exact exact_input(Bits bits, const AluRules& rules, const FloatFormat& format) {
  return exact_of(input(bits, rules, format), format);
}

inline Bits rounded(const Exact& value, const AluRules& rules, const FloatFormat& format) {
  return finished(round_to(value, format, rules.rounding), rules, format);
}

/// Applies a function of one element to both halves of packed operands.
template <auto F, class... B>
Bits on_halves(const AluRules& rules, B... operands) {
  return F(rules, (operands & 0xffff)...) | F(rules, (operands >> 16 & 0xffff)...) << 16;
}

/// Whether the form's elements stand two in a register.
inline bool is_packed(const Form& form) { return kind_of(form.type()) == TypeKind::packed; }

}  // namespace jitc::emulator
