// Instructions that are pure functions of their operands, as functions on bit patterns over the lanes of a warp.
#pragma once

#include <cstdint>

#include "runtime/emulator/isa/form.hpp"

namespace jitc::emulator {

/// What a register holds in one lane. Bits beyond the type of the instruction that reads it are ignored; a signed
/// result is extended by its sign, others by zeros. A predicate is 0 or 1.
using Bits = uint64_t;

enum class Rounding : uint8_t { nearest_even, toward_zero, down, up, nearest_away };

/// The modifiers that a function looks at while it runs.
struct AluRules {
  Rounding rounding = Rounding::nearest_even;
  Type to = Type::b32;    ///< the first type of the form
  Type from = Type::b32;  ///< the second one, or the first
  bool ftz = false;       ///< subnormal inputs and results become zero
  bool sat = false;
  Type third = Type::b32;  ///< the third one, or the second
  bool relu = false;
  bool satfinite = false;  ///< what is too large or infinite becomes the largest finite value
  bool nan = false;        ///< min.NaN: a NaN wins
  bool xorsign = false;    ///< min.xorsign.abs
  uint8_t variant = 0;     ///< of the function's own: a comparison, a mode
};

/// The registers of an instruction: each points to one value for each lane.
struct AluRows {
  Bits* dst;
  Bits* second;  ///< the other predicate of setp; null where the instruction has none
  Bits* carry;   ///< the condition code, 0 or 1
  const Bits* src[5];
  const AluRules* rules;
};

/// Computes the lanes whose bits are set in `lanes`. A destination may be a source.
using AluFn = void (*)(const AluRows& rows, uint32_t lanes);

struct Alu {
  AluFn run = nullptr;
  AluRules rules;
};

/// The function for a form whose action is Action::alu.
Alu select_alu(const Form& form);

/// One lane alone.
struct AluResult {
  Bits value;
  Bits second;
  Bits carry;
};
AluResult evaluate(const Alu& alu, std::initializer_list<Bits> operands, Bits carry = 0);

}  // namespace jitc::emulator
