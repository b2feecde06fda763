#include "runtime/emulator/program/function_decoder.hpp"

#include <algorithm>
#include <iterator>

#include "runtime/emulator/alu/alu_move.hpp"

namespace jitc::emulator {
namespace {

/// PTX ISA, "Parameter State Space": kernels have 4 KiB, with sm_70 and PTX ISA 8.1 nearly 32.
constexpr uint64_t kMostParamBytes = 32764;
/// Of one thread. CUDA C++ Programming Guide, "Technical Specifications".
constexpr uint64_t kMostFrameBytes = 512 << 10;

/// Of these a compiler makes copies of structs, of parts of words, and the choice between two values.
constexpr std::string_view kBitMoves[] = {"mov", "cvta", "selp", "prmt", "shl", "shr", "shf",  "and",
                                          "or",  "xor",  "not",  "lop3", "bfe", "bfi", "brev", "szext"};

bool moves_bits(const Form& form) {
  const auto is_integer = [](Type type) {
    return kind_of(type) != TypeKind::real && kind_of(type) != TypeKind::packed;
  };
  if (form.row->opcode == "cvt") return std::all_of(form.types.begin(), form.types.end(), is_integer);
  return std::find(std::begin(kBitMoves), std::end(kBitMoves), form.row->opcode) != std::end(kBitMoves);
}

}  // namespace

FunctionDecoder::FunctionDecoder(ProgramMaker& maker, uint32_t module_index)
    : maker_(maker), context_(maker.context()), function_(context_.module.functions[module_index]) {
  decoded_.name = function_.name;
  decoded_.module_index = module_index;
  constant(0);
}

DecodedFunction FunctionDecoder::decode() {
  declare_params();
  const Slot frame_end = begin_stack();
  for (const Statement& statement : function_.body) decode_statement(statement);
  const Instruction end = {function_.at, "ret", {}, {}, {}};
  decode_instruction(end);
  resolve_branches();
  decoded_.count_slots = names_.count_slots();
  decoded_.frame_bytes = static_cast<uint32_t>(frame_.end());
  if (!frame_end.is_none()) decoded_.constants[frame_end.constant_index()] = decoded_.frame_bytes;
  return std::move(decoded_);
}

void FunctionDecoder::declare_params() {
  if (function_.is_entry) return declare_entry_params();
  declare_frame(function_.results, false);
  declare_frame(function_.params, true);
  load_register_params();
}

void FunctionDecoder::declare_entry_params() {
  FrameLayout layout;
  for (const Variable& param : function_.params) {
    const uint64_t offset = layout.place(param);
    if (layout.end() > kMostParamBytes) refuse(param.at, "the parameters need more than {} bytes", kMostParamBytes);
    const auto size = static_cast<uint32_t>(param.total_bytes());
    decoded_.params.push_back({std::string(param.name), static_cast<uint32_t>(offset), size, param.align_bytes});
    names_.declare_variable(param.at, param.name,
                            {Space::param, param.type, static_cast<uint32_t>(offset), size, true, true});
  }
  decoded_.param_bytes = static_cast<uint32_t>(layout.end());
}

void FunctionDecoder::declare_frame(const std::vector<Variable>& variables, bool is_input) {
  for (const Variable& variable : variables) {
    const uint64_t offset = frame_.place(variable);
    if (frame_.end() > kMostFrameBytes) refuse(variable.at, "'{}' does not fit local memory", variable.name);
    const auto size = static_cast<uint32_t>(variable.total_bytes());
    decoded_.params.push_back({std::string(variable.name), static_cast<uint32_t>(offset), size, variable.align_bytes});
    if (variable.space == Space::reg) {
      if (variable.type == Type::b128) refuse(variable.at, "'{}' needs the parameter space", variable.name);
      names_.declare_register(variable);
    } else {
      names_.declare_variable(variable.at, variable.name,
                              {Space::param, variable.type, static_cast<uint32_t>(offset), size, false, is_input});
    }
  }
}

/// .local and .param variables live in the frame, .shared ones with the block.
void FunctionDecoder::declare_variable(const Variable& variable) {
  VariableName name = {variable.space, variable.type, 0, static_cast<uint32_t>(variable.total_bytes())};
  if (variable.space == Space::shared) {
    name.shared = &variable;
  } else if (variable.space == Space::local || variable.space == Space::param) {
    name.offset_bytes = static_cast<uint32_t>(frame_.place(variable));
    if (frame_.end() > kMostFrameBytes) refuse(variable.at, "'{}' does not fit local memory", variable.name);
  } else {
    refuse(variable.at, "'{}' in a function must be .local, .shared or .param", variable.name);
  }
  names_.declare_variable(variable.at, variable.name, name);
}

void FunctionDecoder::decode_statement(const Statement& statement) {
  const auto next = static_cast<uint32_t>(decoded_.steps.size());
  if (const auto* instruction = std::get_if<Instruction>(&statement)) return decode_instruction(*instruction);
  if (const auto* registers = std::get_if<RegisterDeclaration>(&statement)) return names_.declare_register(*registers);
  if (const auto* variable = std::get_if<Variable>(&statement)) return declare_variable(*variable);
  if (const auto* label = std::get_if<Label>(&statement)) return names_.declare_label(*label, next);
  if (const auto* targets = std::get_if<BranchTargets>(&statement)) return names_.declare_targets(*targets);
  if (const auto* prototype = std::get_if<CallPrototype>(&statement)) return names_.declare_prototype(*prototype);
  if (const auto* line = std::get_if<SourceLine>(&statement)) return decoded_.marks.push_back({next, *line});
  if (std::holds_alternative<BlockBegin>(statement)) return names_.open_block();
  names_.close_block();
}

void FunctionDecoder::decode_instruction(const Instruction& instruction) {
  const Decoding decoding = {instruction, choose_form(instruction, context_.target)};
  guard_ = kNoSlot;
  if (instruction.guard) {
    const RegisterName* found = names_.find_register(instruction.guard->name);
    if (found == nullptr || found->type != Type::pred) {
      refuse(instruction.at, "'{}' is not a predicate", instruction.guard->name);
    }
    guard_ = {found->first_slot};
  }
  switch (decoding.form.row->action) {
    case Action::alu: return decode_alu(decoding);
    case Action::move: return decode_move(decoding);
    case Action::to_generic: return decode_to_generic(decoding);
    case Action::from_generic: return decode_from_generic(decoding);
    case Action::is_in_space: return decode_is_in_space(decoding);
    case Action::load: return decode_load(decoding);
    case Action::store: return decode_store(decoding);
    case Action::atomic:
    case Action::reduce: return decode_atomic(decoding);
    case Action::branch: return decode_branch(decoding);
    case Action::branch_indexed: return decode_branch_indexed(decoding);
    case Action::call: return decode_call(decoding);
    case Action::give_zero: return decode_give_zero(decoding);
    case Action::allocate_local: return decode_allocate_local(decoding);
    case Action::save_stack: return decode_save_stack(decoding);
    case Action::restore_stack: return decode_restore_stack(decoding);
    case Action::cluster_wait: return decode_cluster_wait(decoding);
    case Action::ret: store_register_results(decoding); return emit(make_step(decoding, Action::ret));
    case Action::nothing: return emit(make_step(decoding, Action::nothing));
    default: return decode_meeting(decoding);
  }
}

void FunctionDecoder::decode_alu(const Decoding& decoding) {
  const std::vector<OperandSlot>& slots = decoding.form.row->operands;
  Step step = make_alu_step(decoding, select_alu(decoding.form));
  size_t count_sources = 0;
  for (size_t i = 1; i < slots.size(); ++i) {
    const Operand& operand = decoding.instruction.operands[i];
    step.src[count_sources++] = read({decoding, i, operand.at}, operand, slots[i]);
  }
  const Operand& result = decoding.instruction.operands[0];
  step.dst = write({decoding, 0, result.at}, result, slots[0], step.second);
  const bool has_carry =
      decoding.form.has("cc") || decoding.form.row->opcode.ends_with("dc") || decoding.form.row->opcode == "subc";
  if (has_carry && decoded_.carry.is_none()) decoded_.carry = names_.new_slot();
  step.uses_carry = has_carry;
  emit(step);
}

/// Parameters that are registers arrive in the frame as all others do.
void FunctionDecoder::load_register_params() {
  const size_t count_results = function_.results.size();
  for (size_t i = 0; i < function_.params.size(); ++i) {
    const Variable& param = function_.params[i];
    if (param.space != Space::reg) continue;
    Access access = {Area::local, param.type};
    access.is_frame_relative = true;
    access.offset_bytes = decoded_.params[count_results + i].offset_bytes;
    access.values[0] = {names_.find_register(param.name)->first_slot};
    Step step;
    step.action = Action::load;
    step.unit = Unit::load;
    step.index = add_access(access);
    step.line = param.at.line;
    emit(step);
  }
}

void FunctionDecoder::store_register_results(const Decoding& decoding) {
  for (size_t i = 0; i < function_.results.size(); ++i) {
    const Variable& result = function_.results[i];
    if (result.space != Space::reg || function_.is_entry) continue;
    Access access = {Area::local, result.type};
    access.is_frame_relative = true;
    access.offset_bytes = decoded_.params[i].offset_bytes;
    access.values[0] = {names_.find_register(result.name)->first_slot};
    Step step = make_step(decoding, Action::store);
    step.unit = Unit::store;
    step.index = add_access(access);
    emit(step);
  }
}

void FunctionDecoder::resolve_branches() {
  for (const Branch& branch : branches_) {
    if (!branch.is_indexed) {
      const auto target = names_.find_label(branch.label, branch.block);
      if (!target) refuse(branch.at, "unknown label '{}'", branch.label);
      decoded_.steps[branch.step].index = *target;
      continue;
    }
    const BranchTargets* targets = names_.find_targets(branch.label, branch.block);
    if (targets == nullptr) refuse(branch.at, "'{}' is no list of branch targets", branch.label);
    std::vector<uint32_t>& table = decoded_.branch_tables[decoded_.steps[branch.step].index];
    for (std::string_view label : targets->labels) {
      const auto target = names_.find_label(label, branch.block);
      if (!target) refuse(targets->at, "unknown label '{}'", label);
      table.push_back(*target);
    }
  }
}

Step FunctionDecoder::make_step(const Decoding& decoding, Action action) const {
  Step step;
  step.action = action;
  step.guard = guard_;
  step.is_guard_negated = decoding.instruction.guard && decoding.instruction.guard->is_negated;
  step.line = decoding.instruction.at.line;
  step.unit = unit_of(decoding.form);
  return step;
}

/// Every source of an ALU step can be read: those that it does not have are the first constant, zero.
Step FunctionDecoder::make_alu_step(const Decoding& decoding, const Alu& alu) const {
  Step step = make_step(decoding, Action::alu);
  step.alu = alu;
  step.moves_bits = moves_bits(decoding.form);
  step.src.fill(Slot{-1});
  return step;
}

Slot FunctionDecoder::constant(Bits bits) {
  const auto known = constants_.find(bits);
  if (known != constants_.end()) return known->second;
  const Slot made = open_constant();
  decoded_.constants[made.constant_index()] = bits;
  return constants_[bits] = made;
}

Slot FunctionDecoder::open_constant() {
  decoded_.constants.push_back(0);
  return {-static_cast<int32_t>(decoded_.constants.size())};
}

/// A row for results that nobody wants.
Slot FunctionDecoder::scratch() {
  if (scratch_.is_none()) scratch_ = names_.new_slot();
  return scratch_;
}

}  // namespace jitc::emulator
