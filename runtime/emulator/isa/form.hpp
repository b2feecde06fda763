// One form of an instruction: a row of the table with its alternatives chosen.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/emulator/isa/instruction_table.hpp"
#include "runtime/emulator/ptx/module.hpp"

namespace jitc::emulator {

struct Form {
  const InstructionRow* row = nullptr;
  std::vector<std::string_view> modifiers;  ///< those that are no types, in the table's spelling
  std::vector<Type> types;

  bool has(std::string_view modifier) const;
  /// The first of `alternatives` that it has, or an empty view.
  std::string_view one_of(std::initializer_list<std::string_view> alternatives) const;
  Type type(size_t i = 0) const { return types[i]; }
  /// What the type of an operand is in this form.
  Type type_of(const OperandSlot& slot) const;
};

/// What a text may use: its .version and .target.
struct Target {
  uint32_t version;
  uint32_t sm;
};

/// The form that opcode, modifiers and number of operands choose. Throws LoadError where there is none, or where the
/// target is too old for it.
Form choose_form(const Instruction& instruction, const Target& target);

/// As it is written: "add.sat.s32".
std::string spelling(const Instruction& instruction);

}  // namespace jitc::emulator
