#include "runtime/emulator/alu/comparison.hpp"

#include "runtime/emulator/alu/integer_range.hpp"

namespace jitc::emulator {
namespace {

constexpr std::string_view kNames[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                       "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

/// -1, 0 or 1.
int order_of(Signed128 a, Signed128 b) { return a < b ? -1 : a > b ? 1 : 0; }

int float_order(Bits a, Bits b, const FloatFormat& format) {
  const auto ranked = [&](Bits bits) {
    const auto magnitude = static_cast<Signed128>(format.magnitude(bits));
    return (bits & format.sign_bit()) != 0 ? -magnitude : magnitude;
  };
  return order_of(ranked(a), ranked(b));
}

bool holds(Comparison comparison, int order) {
  switch (comparison) {
    case eq:
    case equ: return order == 0;
    case ne:
    case neu: return order != 0;
    case lt:
    case lo:
    case ltu: return order < 0;
    case le:
    case ls:
    case leu: return order <= 0;
    case gt:
    case hi:
    case gtu: return order > 0;
    case ge:
    case hs:
    case geu: return order >= 0;
    case num: return true;
    case nan: return false;
  }
  return false;
}

bool compare_floats(const AluRules& rules, Bits a, Bits b, const FloatFormat& format) {
  a = input(a, rules, format);
  b = input(b, rules, format);
  if (format.is_nan(a) || format.is_nan(b)) return comparison_of(rules) >= equ && comparison_of(rules) != num;
  return holds(comparison_of(rules), float_order(a, b, format));
}

}  // namespace

uint8_t compare_variant(const Form& form) {
  uint8_t variant = 0;
  for (uint8_t comparison = eq; comparison <= nan; ++comparison) {
    if (form.has(kNames[comparison])) variant = comparison;
  }
  const Combine combine = form.has("and")   ? Combine::both
                          : form.has("or")  ? Combine::either
                          : form.has("xor") ? Combine::one
                                            : Combine::none;
  return static_cast<uint8_t>(variant | static_cast<uint8_t>(combine) << 5);
}

bool compare(const AluRules& rules, Bits a, Bits b) {
  const TypeKind kind = kind_of(rules.from);
  if (kind == TypeKind::real || kind == TypeKind::packed) return compare_floats(rules, a, b, format_of(rules.from));
  return holds(comparison_of(rules), order_of(integer_value(a, rules.from), integer_value(b, rules.from)));
}

}  // namespace jitc::emulator
