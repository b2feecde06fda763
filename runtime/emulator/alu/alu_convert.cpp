// cvt between all integer and floating-point types. Source: PTX ISA, "Data Movement and Conversion Instructions: cvt".
#include <algorithm>

#include "runtime/emulator/alu/float_rules.hpp"
#include "runtime/emulator/alu/integer_range.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

Signed128 clamped(Signed128 value, Type type) { return std::clamp(value, least_of(type), most_of(type)); }

Bits cvt_int(const AluRules& rules, Bits a) {
  const Signed128 value = integer_value(a, rules.from);
  return integer_bits(rules.sat ? clamped(value, rules.to) : value, rules.to);
}

Bits cvt_from_int(const AluRules& rules, Bits a) {
  const Signed128 value = integer_value(a, rules.from);
  const Exact exact = exact_of(static_cast<Unsigned128>(value < 0 ? -value : value), value < 0);
  const FloatFormat& format = format_of(rules.to);
  return finished(round_to(exact, format, rules.rounding), rules, format);
}

/// A NaN is 0 where the source is no f64 and the destination has fewer than 64 bits, else the lone top bit.
Bits integer_of_nan(const AluRules& rules) {
  if (rules.from != Type::f64 && width_bits(rules.to) < 64) return 0;
  return integer_bits(Signed128{1} << (width_bits(rules.to) - 1), rules.to);
}

/// Rounded, then clamped to the type's range: conversions to integers saturate with or without .sat.
Bits cvt_to_int(const AluRules& rules, Bits a) {
  const Exact value = round_to_integer(exact_input(a, rules, format_of(rules.from)), rules.rounding);
  if (value.kind == Exact::nan) return integer_of_nan(rules);
  constexpr int kBeyondAll = 70;
  const bool is_huge = value.kind == Exact::infinite || (value.kind == Exact::finite && value.exponent > kBeyondAll);
  if (is_huge) return integer_bits(value.is_negative ? least_of(rules.to) : most_of(rules.to), rules.to);
  const auto magnitude = static_cast<Signed128>(value.significand << std::max(value.exponent, 0));
  return integer_bits(clamped(value.is_negative ? -magnitude : magnitude, rules.to), rules.to);
}

/// A tf32 stands in the upper bits of an f32: 13 places higher than a number of its width.
Bits tf32_in_f32(Bits bits, const FloatFormat& format) {
  if (format.is_nan(bits)) return format_of(Type::f32).canonical_nan();
  return (bits & format.sign_bit()) | format.magnitude(bits) << 13;
}

Bits cvt_float(const AluRules& rules, Bits a) {
  const FloatFormat &from = format_of(rules.from), &to = format_of(rules.to);
  const Exact value = exact_of(rules.ftz && rules.from == Type::f32 ? flushed(a & 0xffffffff, from) : a, from);
  const Bits bits = round_to(value, to, rules.rounding);
  AluRules after = rules;
  if (rules.to == Type::tf32) return tf32_in_f32(finished(bits, after, to), to);
  after.ftz = rules.ftz && rules.to == Type::f32;
  return finished(bits, after, to);
}

Bits round_in_place(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  const Exact value = exact_input(a, rules, format);
  return finished(round_to(round_to_integer(value, rules.rounding), format, rules.rounding), rules, format);
}

/// b in the lowest bits, a above it, and above both, where they are bytes, the lower half of c.
Bits cvt_pack(const AluRules& rules, Bits a, Bits b, Bits c) {
  const uint32_t width = width_bits(rules.to);
  const Bits mask = (Bits{1} << width) - 1;
  const auto part = [&](Bits bits) {
    return static_cast<Bits>(clamped(integer_value(bits, Type::s32), rules.to)) & mask;
  };
  return as<uint32_t>(part(b) | part(a) << width | (width == 8 ? c << 16 : 0));
}

/// a goes to the upper half, b to the lower one.
Bits cvt_pair(const AluRules& rules, Bits a, Bits b) { return cvt_float(rules, a) << 16 | cvt_float(rules, b); }

}  // namespace

AluFn select_cvt_int(const Form&, AluRules&) { return &ruled<&cvt_int>; }
AluFn select_cvt_from_int(const Form&, AluRules&) { return &ruled<&cvt_from_int>; }
AluFn select_cvt_to_int(const Form&, AluRules&) { return &ruled<&cvt_to_int>; }
AluFn select_cvt_pack(const Form&, AluRules&) { return &ruled<&cvt_pack>; }
AluFn select_cvt_pair(const Form&, AluRules&) { return &ruled<&cvt_pair>; }

AluFn select_cvt_float(const Form& form, AluRules&) {
  const bool is_to_integer = !form.one_of({"rni", "rzi", "rmi", "rpi"}).empty();
  return is_to_integer ? &ruled<&round_in_place> : &ruled<&cvt_float>;
}

}  // namespace jitc::emulator
