// set, setp, selp, slct. Source: PTX ISA, "Comparison and Selection Instructions".
#include "runtime/emulator/alu/comparison.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

/// p = compare combined with c; q = its opposite combined with c.
void setp(const AluRows& rows, uint32_t lanes) {
  const AluRules& rules = *rows.rules;
  for_each_lane(lanes, [&](uint32_t lane) {
    const bool result = compare(rules, rows.src[0][lane], rows.src[1][lane]);
    const bool operand = (rows.src[2][lane] & 1) != 0;
    if (rows.second != nullptr) rows.second[lane] = combined(rules, !result, operand);
    rows.dst[lane] = combined(rules, result, operand);
  });
}

template <class T, Comparison comparison>
bool holds(Bits a, Bits b) {
  switch (comparison) {
    case eq: return as<T>(a) == as<T>(b);
    case ne: return as<T>(a) != as<T>(b);
    case lt: return as<T>(a) < as<T>(b);
    case le: return as<T>(a) <= as<T>(b);
    case gt: return as<T>(a) > as<T>(b);
    default: return as<T>(a) >= as<T>(b);
  }
}

/// What loops and bounds checks do: one predicate, nothing to combine.
template <class T, Comparison comparison>
void setp_integers(const AluRows& rows, uint32_t lanes) {
  if (rows.second != nullptr) return setp(rows, lanes);
  for_each_lane(lanes,
                [&](uint32_t lane) { rows.dst[lane] = holds<T, comparison>(rows.src[0][lane], rows.src[1][lane]); });
}

/// True is 1.0 for a floating-point result, else all ones.
Bits truth(Type type) {
  if (kind_of(type) == TypeKind::real) return format_of(type).one();
  return width_bits(type) == 16 ? 0xffff : 0xffffffff;
}

Bits set(const AluRules& rules, Bits a, Bits b, Bits c) {
  return combined(rules, compare(rules, a, b), (c & 1) != 0) ? truth(rules.to) : 0;
}

Bits selp(Bits a, Bits b, Bits c) { return (c & 1) != 0 ? a : b; }
Bits slct_int(Bits a, Bits b, Bits c) { return as<int32_t>(c) >= 0 ? a : b; }

/// -0 counts as zero, a NaN as negative.
Bits slct_float(const AluRules& rules, Bits a, Bits b, Bits c) {
  const FloatFormat& format = format_of(Type::f32);
  const Bits selector = input(c, rules, format);
  const bool is_negative = (selector & format.sign_bit()) != 0 && format.magnitude(selector) != 0;
  return is_negative || format.is_nan(selector) ? b : a;
}

template <class T>
AluFn by_comparison(Comparison comparison) {
  switch (comparison) {
    case eq: return &setp_integers<T, eq>;
    case ne: return &setp_integers<T, ne>;
    case lt:
    case lo: return &setp_integers<T, lt>;
    case le:
    case ls: return &setp_integers<T, le>;
    case gt:
    case hi: return &setp_integers<T, gt>;
    default: return &setp_integers<T, ge>;
  }
}

AluFn by_compared_type(const AluRules& rules) {
  switch (rules.from) {
    case Type::u32:
    case Type::b32: return by_comparison<uint32_t>(comparison_of(rules));
    case Type::s32: return by_comparison<int32_t>(comparison_of(rules));
    case Type::u64:
    case Type::b64: return by_comparison<uint64_t>(comparison_of(rules));
    case Type::s64: return by_comparison<int64_t>(comparison_of(rules));
    default: return &setp;
  }
}

}  // namespace

AluFn select_setp(const Form& form, AluRules& rules) {
  rules.variant = compare_variant(form);
  return combine_of(rules) == Combine::none ? by_compared_type(rules) : &setp;
}

AluFn select_set(const Form& form, AluRules& rules) {
  rules.variant = compare_variant(form);
  return &ruled<&set>;
}

AluFn select_selp(const Form&, AluRules&) { return &plain<&selp>; }

AluFn select_slct(const Form& form, AluRules&) {
  return form.type(1) == Type::s32 ? &plain<&slct_int> : &ruled<&slct_float>;
}

}  // namespace jitc::emulator
