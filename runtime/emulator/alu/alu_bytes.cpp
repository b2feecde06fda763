// Conversions from and to floating-point numbers of eight bits, two in a word. Source: PTX ISA, "Alternate
// Floating-Point Data Formats", "cvt"; the formats are those of "FP8 Formats for Deep Learning" (2022), section 3.
#include <algorithm>

#include "runtime/emulator/alu/float_rules.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

/// As formats of IEEE 754's kind. e5m2 is one. e4m3 is not: its highest exponent is one of numbers, and of those only
/// the one with all bits set is no number; there is no infinity.
constexpr FloatFormat kE5m2 = {3, 15, 8}, kE4m3 = {4, 7, 8};
constexpr Bits kSign = 0x80, kNan = 0x7f, kLargestE4m3 = 0x7e;
/// The numbers of e4m3 that a format of IEEE 754's kind does not have, from 2^8 on; one place in the exponent.
constexpr Bits kHighestBinade = 0x78, kOneExponent = 0x08;

Bits e5m2_of(const Exact& value) {
  return value.kind == Exact::nan ? kNan : kept_finite(round_to(value, kE5m2, Rounding::nearest_even), kE5m2);
}

/// Large numbers are rounded as their halves, which have the same digits.
Bits e4m3_of(Exact value) {
  if (value.kind == Exact::nan) return kNan;
  const Bits sign = value.is_negative ? kSign : 0;
  if (value.kind == Exact::infinite) return sign | kLargestE4m3;
  const Bits bits = kE4m3.magnitude(round_to(value, kE4m3, Rounding::nearest_even));
  if (bits < kHighestBinade) return sign | bits;
  --value.exponent;
  const Bits half = kE4m3.magnitude(round_to(value, kE4m3, Rounding::nearest_even));
  return sign | std::min(half + kOneExponent, kLargestE4m3);
}

Exact exact_of_e4m3(Bits byte) {
  const Bits magnitude = kE4m3.magnitude(byte);
  if (magnitude == kNan) return {Exact::nan, false, false, 0, 0};
  if (magnitude < kHighestBinade) return exact_of(byte, kE4m3);
  Exact value = exact_of(byte - kOneExponent, kE4m3);
  ++value.exponent;
  return value;
}

Bits byte_of(const AluRules& rules, const Exact& value) {
  const Bits byte = rules.to == Type::e4m3x2 ? e4m3_of(value) : e5m2_of(value);
  const bool is_clamped = rules.relu && (byte & kSign) != 0;
  return is_clamped ? 0 : byte;
}

/// a goes to the upper byte, b to the lower one.
Bits bytes_of_singles(const AluRules& rules, Bits a, Bits b) {
  const FloatFormat& single = format_of(Type::f32);
  const auto one = [&](Bits bits) { return byte_of(rules, exact_of(as<uint32_t>(bits), single)); };
  return one(a) << 8 | one(b);
}

Bits bytes_of_halves(const AluRules& rules, Bits a) {
  const FloatFormat& half = format_of(Type::f16);
  const auto one = [&](Bits bits) { return byte_of(rules, exact_of(bits & 0xffff, half)); };
  return one(a >> 16) << 8 | one(a);
}

Bits halves_of_bytes(const AluRules& rules, Bits a) {
  const FloatFormat& half = format_of(Type::f16);
  const auto one = [&](Bits byte) {
    const Exact value = rules.from == Type::e4m3x2 ? exact_of_e4m3(byte & 0xff) : exact_of(byte & 0xff, kE5m2);
    return rounded(value, rules, half);
  };
  return one(a >> 8) << 16 | one(a);
}

}  // namespace

AluFn select_cvt_to_bytes(const Form& form, AluRules&) {
  return form.type(1) == Type::f32 ? &ruled<&bytes_of_singles> : &ruled<&bytes_of_halves>;
}

AluFn select_cvt_from_bytes(const Form&, AluRules&) { return &ruled<&halves_of_bytes>; }

}  // namespace jitc::emulator
