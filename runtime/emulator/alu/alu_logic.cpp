// Bitwise logic, on words and predicates. Source: PTX ISA, "Logic and Shift Instructions".
#include "runtime/emulator/alu/comparison.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

Bits and_bits(Bits a, Bits b) { return a & b; }
Bits or_bits(Bits a, Bits b) { return a | b; }
Bits xor_bits(Bits a, Bits b) { return a ^ b; }
Bits not_pred(Bits a) { return a ^ 1; }

template <class T>
struct Not {
  static Bits apply(Bits a) { return as<T>(~a); }
};

/// 1 for zero, 0 for all else.
template <class T>
struct Cnot {
  static Bits apply(Bits a) { return as<T>(a) == 0; }
};

/// Bit i of the result is bit (a_i b_i c_i) of the table.
Bits lop3(Bits a, Bits b, Bits c, Bits table) {
  Bits result = 0;
  for (Bits row = 0; row < 8; ++row) {
    const Bits matches = ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
    if ((table >> row & 1) != 0) result |= matches;
  }
  return as<uint32_t>(result);
}

/// .and and .or: the other predicate says whether the result is not zero, combined with the predicate operand.
void lop3_with_predicate(const AluRows& rows, uint32_t lanes) {
  for_each_lane(lanes, [&](uint32_t lane) {
    const Bits result = lop3(rows.src[0][lane], rows.src[1][lane], rows.src[2][lane], rows.src[3][lane]);
    const bool operand = (rows.src[4][lane] & 1) != 0;
    if (rows.second != nullptr) rows.second[lane] = combined(*rows.rules, result != 0, operand);
    rows.dst[lane] = result;
  });
}

}  // namespace

AluFn select_and(const Form&, AluRules&) { return &plain<&and_bits>; }
AluFn select_or(const Form&, AluRules&) { return &plain<&or_bits>; }
AluFn select_xor(const Form&, AluRules&) { return &plain<&xor_bits>; }
AluFn select_cnot(const Form& form, AluRules&) { return by_width<Cnot>(form.type()); }

AluFn select_lop3(const Form& form, AluRules& rules) {
  rules.variant = compare_variant(form);
  return combine_of(rules) == Combine::none ? &plain<&lop3> : &lop3_with_predicate;
}

AluFn select_not(const Form& form, AluRules&) {
  return form.type() == Type::pred ? &plain<&not_pred> : by_width<Not>(form.type());
}

}  // namespace jitc::emulator
