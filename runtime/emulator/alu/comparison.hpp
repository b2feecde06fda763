// The comparisons of set and setp.
#pragma once

#include "runtime/emulator/alu/float_rules.hpp"

namespace jitc::emulator {

enum Comparison : uint8_t { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };

/// What becomes of the comparison and the predicate operand.
enum class Combine : uint8_t { none, both, either, one };

/// variant of AluRules: a comparison in the low five bits, a Combine above them.
uint8_t compare_variant(const Form& form);
inline Comparison comparison_of(const AluRules& rules) { return static_cast<Comparison>(rules.variant & 31); }
inline Combine combine_of(const AluRules& rules) { return static_cast<Combine>(rules.variant >> 5); }

/// Compares values of rules.from (or of its elements), after .ftz.
bool compare(const AluRules& rules, Bits a, Bits b);

inline bool combined(const AluRules& rules, bool result, bool operand) {
  switch (combine_of(rules)) {
    case Combine::none: return result;
    case Combine::both: return result && operand;
    case Combine::either: return result || operand;
    case Combine::one: return result != operand;
  }
  return result;
}

}  // namespace jitc::emulator
