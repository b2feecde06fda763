// Two elements in a 32-bit register: integers, and comparisons of halves. (Sums and products of halves are in
// alu_float.cpp.) Source: PTX ISA, "Packed Data Types" and the instructions' pages.
#include <algorithm>

#include "runtime/emulator/alu/comparison.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

Bits joined(Bits low, Bits high) { return (low & 0xffff) | (high & 0xffff) << 16; }

Bits packed_add(Bits a, Bits b) { return joined(a + b, (a >> 16) + (b >> 16)); }

template <class T, bool is_max>
Bits extreme(Bits a, Bits b) {
  return static_cast<uint16_t>(is_max ? std::max(as<T>(a), as<T>(b)) : std::min(as<T>(a), as<T>(b)));
}

template <class T, bool is_max>
Bits packed_extreme(Bits a, Bits b) {
  return joined(extreme<T, is_max>(a, b), extreme<T, is_max>(a >> 16, b >> 16));
}

Bits rectified16(Bits a) { return as<int16_t>(a) < 0 ? 0 : a; }

template <bool is_max>
Bits packed_extreme_relu(Bits a, Bits b) {
  const Bits both = packed_extreme<int16_t, is_max>(a, b);
  return joined(rectified16(both), rectified16(both >> 16));
}

template <bool is_max>
AluFn packed_extreme_of(const Form& form) {
  if (form.has("relu")) return &plain<&packed_extreme_relu<is_max>>;
  return form.type() == Type::s16x2 ? &plain<&packed_extreme<int16_t, is_max>>
                                    : &plain<&packed_extreme<uint16_t, is_max>>;
}

/// The byte of a word as the type has it.
int64_t byte_of(Bits word, int place, Type type) {
  const Bits byte = word >> (8 * place) & 0xff;
  return type == Type::s32 ? static_cast<int8_t>(byte) : static_cast<int64_t>(byte);
}

/// Each byte the distance of those of a and b; with .add (a variant) the sum of the distances and c.
Bits vabsdiff4(const AluRules& rules, Bits a, Bits b, Bits c) {
  Bits sum = c, bytes = 0;
  for (int place = 0; place < 4; ++place) {
    const int64_t difference = byte_of(a, place, rules.from) - byte_of(b, place, rules.third);
    const auto distance = static_cast<Bits>(difference < 0 ? -difference : difference);
    sum += distance;
    bytes |= (distance & 0xff) << (8 * place);
  }
  return rules.variant != 0 ? as<uint32_t>(sum) : bytes;
}

/// The low elements decide p, the high ones q.
void packed_setp(const AluRows& rows, uint32_t lanes) {
  for_each_lane(lanes, [&](uint32_t lane) {
    const Bits a = rows.src[0][lane], b = rows.src[1][lane];
    const bool operand = (rows.src[2][lane] & 1) != 0;
    const auto decide = [&](Bits x, Bits y) { return combined(*rows.rules, compare(*rows.rules, x, y), operand); };
    if (rows.second != nullptr) rows.second[lane] = decide(a >> 16, b >> 16);
    rows.dst[lane] = decide(a, b);
  });
}

/// Each half 1.0 (packed result) or all ones.
Bits packed_set(const AluRules& rules, Bits a, Bits b) {
  const Bits truth = kind_of(rules.to) == TypeKind::packed ? format_of(rules.to).one() : 0xffff;
  return joined(compare(rules, a, b) ? truth : 0, compare(rules, a >> 16, b >> 16) ? truth : 0);
}

}  // namespace

AluFn select_vabsdiff4(const Form& form, AluRules& rules) {
  rules.variant = form.has("add");
  return &ruled<&vabsdiff4>;
}

AluFn select_packed_add(const Form&, AluRules&) { return &plain<&packed_add>; }
AluFn select_packed_min(const Form& form, AluRules&) { return packed_extreme_of<false>(form); }
AluFn select_packed_max(const Form& form, AluRules&) { return packed_extreme_of<true>(form); }

AluFn select_packed_setp(const Form& form, AluRules& rules) {
  rules.variant = compare_variant(form);
  return &packed_setp;
}

AluFn select_packed_set(const Form& form, AluRules& rules) {
  rules.variant = compare_variant(form);
  return &ruled<&packed_set>;
}

}  // namespace jitc::emulator
