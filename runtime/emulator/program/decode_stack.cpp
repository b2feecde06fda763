// Local memory that a function asks for while it runs: from the end of its frame upwards, each lane on its own. A row
// holds where the next allocation goes. Source: PTX ISA, "Stack Manipulation Instructions".
#include <algorithm>
#include <array>
#include <bit>

#include "runtime/emulator/alu/alu_move.hpp"
#include "runtime/emulator/program/function_decoder.hpp"

namespace jitc::emulator {
namespace {

/// Where no alignment is written.
constexpr uint64_t kAlignBytes = 8;
constexpr uint64_t kMostAlignBytes = 1 << 16;

bool is_of_stack(const Statement& statement) {
  constexpr std::array<std::string_view, 3> kOpcodes = {"alloca", "stacksave", "stackrestore"};
  const auto* instruction = std::get_if<Instruction>(&statement);
  return instruction != nullptr && std::find(kOpcodes.begin(), kOpcodes.end(), instruction->opcode) != kOpcodes.end();
}

}  // namespace

/// The first step of a function that uses its stack: the constant that is to become the frame's size, else nothing.
Slot FunctionDecoder::begin_stack() {
  if (std::none_of(function_.body.begin(), function_.body.end(), is_of_stack)) return kNoSlot;
  decoded_.stack = names_.new_slot();
  Step step;
  step.action = Action::frame_address;
  step.dst = decoded_.stack;
  step.src[0] = open_constant();
  step.line = function_.at.line;
  emit(step);
  return step.src[0];
}

void FunctionDecoder::decode_allocate_local(const Decoding& decoding) {
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const std::vector<OperandSlot>& slots = decoding.form.row->operands;
  uint64_t align = kAlignBytes;
  if (operands.size() > 2) {
    const auto* number = std::get_if<IntegerOperand>(&operands[2].kind);
    align = number == nullptr ? 0 : number->bits;
    if (!std::has_single_bit(align) || align > kMostAlignBytes) {
      refuse(operands[2].at, "the alignment must be a power of two of at most {}", kMostAlignBytes);
    }
  }
  Step begin = make_alu_step(decoding, align_up_alu());
  begin.src[0] = decoded_.stack;
  begin.src[1] = constant(align - 1);
  begin.dst = names_.new_slot();
  Step end = make_alu_step(decoding, offset_alu());
  end.src[0] = begin.dst;
  end.src[1] = read({decoding, 1, operands[1].at}, operands[1], slots[1]);
  end.dst = decoded_.stack;
  Step result = make_alu_step(decoding, copy_alu());
  result.src[0] = begin.dst;
  result.dst = write({decoding, 0, operands[0].at}, operands[0], slots[0], result.second);
  for (const Step& step : {begin, end, result}) emit(step);
}

void FunctionDecoder::decode_save_stack(const Decoding& decoding) {
  const Operand& operand = decoding.instruction.operands[0];
  Step step = make_alu_step(decoding, copy_alu());
  step.src[0] = decoded_.stack;
  step.dst = write({decoding, 0, operand.at}, operand, decoding.form.row->operands[0], step.second);
  emit(step);
}

void FunctionDecoder::decode_restore_stack(const Decoding& decoding) {
  const Operand& operand = decoding.instruction.operands[0];
  Step step = make_alu_step(decoding, copy_alu());
  step.src[0] = read({decoding, 0, operand.at}, operand, decoding.form.row->operands[0]);
  step.dst = decoded_.stack;
  emit(step);
}

}  // namespace jitc::emulator
