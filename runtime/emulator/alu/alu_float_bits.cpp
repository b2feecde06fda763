// What floating-point instructions do to signs and order without arithmetic. Source: PTX ISA, "Floating Point
// Instructions: testp, copysign, abs, neg, min, max".
#include "runtime/emulator/alu/float_rules.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

enum Property : uint8_t { finite, infinite, number, notanumber, normal, subnormal };

Bits testp(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  const Bits magnitude = format.magnitude(a);
  switch (rules.variant) {
    case finite: return magnitude < format.infinity();
    case infinite: return magnitude == format.infinity();
    case number: return !format.is_nan(a);
    case notanumber: return format.is_nan(a);
    case normal: return magnitude < format.infinity() && magnitude >> format.mantissa_bits() != 0;
    default: return format.is_subnormal(a);
  }
}

/// The magnitude of b with the sign of a.
Bits copysign(const AluRules& rules, Bits a, Bits b) {
  const FloatFormat& format = format_of(rules.to);
  return format.magnitude(b) | (a & format.sign_bit());
}

Bits float_abs(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  return format.magnitude(input(a, rules, format));
}

Bits float_neg(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  return input(a, rules, format) ^ format.sign_bit();
}

/// -0 comes before +0.
bool comes_before(Bits a, Bits b, const FloatFormat& format) {
  const bool a_negative = (a & format.sign_bit()) != 0, b_negative = (b & format.sign_bit()) != 0;
  if (a_negative != b_negative) return a_negative;
  return a_negative ? a > b : a < b;
}

template <bool is_max>
Bits extreme(const AluRules& rules, Bits a, Bits b) {
  const FloatFormat& format = format_of(rules.to);
  a = input(a, rules, format);
  b = input(b, rules, format);
  const Bits sign = rules.xorsign ? (a ^ b) & format.sign_bit() : 0;
  const bool has_a = !format.is_nan(a), has_b = !format.is_nan(b);
  if (rules.nan ? !has_a || !has_b : !has_a && !has_b) return format.canonical_nan();
  if (rules.xorsign) a = format.magnitude(a), b = format.magnitude(b);
  if (!has_a || !has_b) return (has_a ? a : b) | sign;
  return (comes_before(a, b, format) == is_max ? b : a) | sign;
}

template <auto one, auto halves>
AluFn by_packing(const Form& form) {
  return is_packed(form) ? &ruled<halves> : &ruled<one>;
}

}  // namespace

AluFn select_testp(const Form& form, AluRules& rules) {
  constexpr std::string_view kProperties[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  for (uint8_t property = finite; property <= subnormal; ++property) {
    if (form.has(kProperties[property])) rules.variant = property;
  }
  return &ruled<&testp>;
}

AluFn select_copysign(const Form&, AluRules&) { return &ruled<&copysign>; }

AluFn select_float_abs(const Form& form, AluRules&) {
  return by_packing<&float_abs, &on_halves<&float_abs, Bits>>(form);
}

AluFn select_float_neg(const Form& form, AluRules&) {
  return by_packing<&float_neg, &on_halves<&float_neg, Bits>>(form);
}

AluFn select_float_min(const Form& form, AluRules&) {
  return by_packing<&extreme<false>, &on_halves<&extreme<false>, Bits, Bits>>(form);
}

AluFn select_float_max(const Form& form, AluRules&) {
  return by_packing<&extreme<true>, &on_halves<&extreme<true>, Bits, Bits>>(form);
}

}  // namespace jitc::emulator
