// The rows of instructions.def, read once.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/emulator/ptx/types.hpp"

namespace jitc::emulator {

/// What the interpreter does at an instruction.
enum class Action : uint8_t {
  alu,
  move,
  to_generic,
  from_generic,
  is_in_space,
  load,
  store,
  nothing,
  branch,
  branch_indexed,
  call,
  ret,
  exit,
  barrier_sync,
  barrier_arrive,
  barrier_reduce,
  warp_sync,
  fence,
  atomic,
  reduce,
  shuffle,
  vote,
  match_any,
  match_all,
  redux,
  active_mask,
  elect,
  breakpoint,
  sleep,
  trap,
  read_clock,
  give_zero,  ///< what has no meaning here is zero: cache policies, the rank in a cluster of one block
  allocate_local,
  save_stack,
  restore_stack,
  cluster_wait,
  frame_address,  ///< of the decoder's own making
};

/// One place among the modifiers.
struct ModifierSlot {
  std::vector<std::string_view> alternatives;
  bool is_optional = false;
};

enum class OperandKind : uint8_t { value, vector, address, immediate, label, call };

/// The type of an operand: one of the instruction's own, or a fixed one.
enum class OperandType : uint8_t { first, second, third, twice_first, fixed };

/// One place among the operands.
struct OperandSlot {
  OperandKind kind = OperandKind::value;
  OperandType type = OperandType::fixed;
  Type fixed = Type::b32;
  bool is_written = false;
  bool is_optional = false;
  bool may_be_negated = false;
  bool may_be_wider = false;
  bool may_be_pair = false;  ///< with a predicate as second
};

struct InstructionRow {
  size_t index;  ///< in instructions.def
  std::string_view opcode;
  bool has_any_order;
  std::vector<ModifierSlot> modifiers;
  std::vector<OperandSlot> operands;
  uint32_t min_version;
  uint32_t min_sm;
  Action action;
};

/// The rows of an opcode, in the table's order; empty for an unknown one.
std::span<const InstructionRow* const> rows_of(std::string_view opcode);

/// All rows, in the table's order.
std::span<const InstructionRow> all_instructions();

}  // namespace jitc::emulator
