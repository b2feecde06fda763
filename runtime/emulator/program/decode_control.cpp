// Branches, calls, and operations at which threads meet. Source: PTX ISA, "Control Flow Instructions", "Parallel
// Synchronization and Communication Instructions".
#include <utility>

#include "runtime/emulator/program/function_decoder.hpp"
#include "runtime/emulator/program/type_agreement.hpp"

namespace jitc::emulator {
namespace {

constexpr uint64_t kMostBarriers = 16;
constexpr uint64_t kWarpThreads = 32;

struct BuiltinName {
  std::string_view name;
  Builtin builtin;
};

constexpr BuiltinName kBuiltins[] = {
#define BUILTIN(name) {#name, Builtin::name},
#include "runtime/emulator/program/builtin_functions.def"
#undef BUILTIN
};

Builtin builtin_named(std::string_view name) {
  for (const BuiltinName& row : kBuiltins) {
    if (row.name == name) return row.builtin;
  }
  return Builtin::none;
}

/// The operands of a call by what they are; null for those left out.
struct CallOperands {
  const Operand* results = nullptr;
  const Operand* callee = nullptr;
  const Operand* arguments = nullptr;
  const Operand* prototype = nullptr;
};

// call: (list ',')? name (',' list)? (',' name)?
CallOperands read_call(const Instruction& instruction) {
  CallOperands call;
  size_t at = 0;
  const auto take = [&](bool is_list) -> const Operand* {
    if (at >= instruction.operands.size()) return nullptr;
    const Operand& operand = instruction.operands[at];
    const bool fits =
        is_list ? std::holds_alternative<ListOperand>(operand.kind) : std::holds_alternative<NameOperand>(operand.kind);
    return fits ? ++at, &operand : nullptr;
  };
  call.results = take(true);
  call.callee = take(false);
  call.arguments = take(true);
  call.prototype = take(false);
  if (call.callee == nullptr || at != instruction.operands.size()) refuse(instruction.at, "a call needs a function");
  return call;
}

std::string_view name_in(const Operand& operand) { return std::get<NameOperand>(operand.kind).name; }

struct MeetingOpName {
  MeetingOp op;
  std::string_view modifier;
};

constexpr MeetingOpName kMeetingOps[] = {
#define MEETING_OP(id, modifier) {MeetingOp::id, modifier},
#include "runtime/emulator/program/meeting_ops.def"
#undef MEETING_OP
};

MeetingOp meeting_op_of(const Form& form) {
  for (const MeetingOpName& row : kMeetingOps) {
    if (form.has(row.modifier)) return row.op;
  }
  return MeetingOp::none;
}

void check_barrier(const Instruction& instruction, const Form& form) {
  if (form.row->opcode != "bar" && form.row->opcode != "barrier") return;
  const size_t first = form.row->operands[0].is_written ? 1 : 0;
  if (form.row->action == Action::warp_sync) return;
  if (const auto* number = std::get_if<IntegerOperand>(&instruction.operands[first].kind)) {
    if (number->bits >= kMostBarriers) refuse(instruction.at, "there are {} barriers, from 0 on", kMostBarriers);
  }
  if (instruction.operands.size() <= first + 1) return;
  if (const auto* count = std::get_if<IntegerOperand>(&instruction.operands[first + 1].kind)) {
    if (count->bits % kWarpThreads != 0) refuse(instruction.at, "a barrier's threads are whole warps");
  }
}

}  // namespace

void FunctionDecoder::decode_branch(const Decoding& decoding) {
  const Operand& operand = decoding.instruction.operands[0];
  const auto* label = std::get_if<NameOperand>(&operand.kind);
  if (label == nullptr) refuse(operand.at, "a branch needs a label");
  Step step = make_step(decoding, Action::branch);
  step.is_uniform = decoding.form.has("uni");
  branches_.push_back({static_cast<uint32_t>(decoded_.steps.size()), label->name, names_.current(), operand.at, false});
  emit(step);
}

void FunctionDecoder::decode_branch_indexed(const Decoding& decoding) {
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const auto* targets = std::get_if<NameOperand>(&operands[1].kind);
  if (targets == nullptr) refuse(operands[1].at, "an indexed branch needs a list of targets");
  Step step = make_step(decoding, Action::branch_indexed);
  step.src[0] = read({decoding, 0, operands[0].at}, operands[0], decoding.form.row->operands[0]);
  step.index = static_cast<uint32_t>(decoded_.branch_tables.size());
  decoded_.branch_tables.emplace_back();
  const auto at = static_cast<uint32_t>(decoded_.steps.size());
  branches_.push_back({at, targets->name, names_.current(), operands[1].at, true});
  emit(step);
}

/// An indirect call: the prototype says what goes over.
FunctionDecoder::Callee FunctionDecoder::find_callee_by_address(const Decoding& decoding, const RegisterName& address,
                                                                const Operand* prototype) {
  const auto* name = prototype == nullptr ? nullptr : std::get_if<NameOperand>(&prototype->kind);
  const CallPrototype* found = name == nullptr ? nullptr : names_.find_prototype(name->name);
  if (found == nullptr) refuse(decoding.instruction.at, "a call by address needs a prototype");
  check_register({decoding, 0, decoding.instruction.at}, address, Type::u64, false);
  maker_.reach_all();
  CallSite site;
  site.address = {address.first_slot};
  return {site, {found->results, found->params}};
}

FunctionDecoder::Callee FunctionDecoder::find_callee_by_name(Position at, std::string_view name) {
  const auto found = context_.functions.find(name);
  if (found == context_.functions.end()) refuse(at, "unknown function '{}'", name);
  const Function& callee = context_.module.functions[found->second];
  if (callee.is_entry) refuse(at, "'{}' is a kernel and cannot be called", name);
  CallSite site;
  if (callee.has_body) {
    site.callee = maker_.reach(found->second);
  } else {
    site.builtin = builtin_named(name);
    if (site.builtin == Builtin::none) refuse(at, "unresolved extern function '{}'", name);
  }
  return {site, {callee.results, callee.params}};
}

void FunctionDecoder::decode_call(const Decoding& decoding) {
  const CallOperands call = read_call(decoding.instruction);
  const std::string_view name = name_in(*call.callee);
  const RegisterName* address = names_.find_register(name);
  Callee callee = address != nullptr ? find_callee_by_address(decoding, *address, call.prototype)
                                     : find_callee_by_name(call.callee->at, name);
  const SignatureLayout layout = lay_out(callee.signature);
  CallSite& site = callee.site;
  site.results = transfers(decoding, call.results, callee.signature.results, layout.results, true);
  site.arguments = transfers(decoding, call.arguments, callee.signature.params, layout.params, false);
  Step step = make_step(decoding, Action::call);
  step.is_uniform = decoding.form.has("uni");
  step.index = static_cast<uint32_t>(decoded_.calls.size());
  decoded_.calls.push_back(std::move(site));
  emit(step);
}

std::vector<Transfer> FunctionDecoder::transfers(const Decoding& decoding, const Operand* list,
                                                 const std::vector<Variable>& formals,
                                                 const std::vector<uint32_t>& offsets, bool is_result) {
  static const std::vector<ElementOperand> kNone;
  const std::vector<ElementOperand>& actuals = list == nullptr ? kNone : std::get<ListOperand>(list->kind).elements;
  if (actuals.size() != formals.size()) {
    refuse(decoding.instruction.at, "the call has {} {}, the function {}", actuals.size(),
           is_result ? "results" : "arguments", formals.size());
  }
  std::vector<Transfer> made;
  for (size_t i = 0; i < actuals.size(); ++i) {
    made.push_back(transfer({decoding, i, list->at}, actuals[i], formals[i], is_result));
    made.back().callee_offset_bytes = offsets[i];
  }
  return made;
}

Transfer FunctionDecoder::transfer(const Place& place, const ElementOperand& element, const Variable& formal,
                                   bool is_result) {
  Transfer made;
  made.size_bytes = static_cast<uint32_t>(formal.total_bytes());
  const auto* name = std::get_if<NameOperand>(&element);
  const VariableName* variable = name == nullptr ? nullptr : names_.find_variable(name->name);
  if (variable != nullptr) {
    const bool fits =
        variable->space == Space::param && !variable->is_kernel_param && variable->size_bytes == made.size_bytes;
    if (!fits) refuse(place.at, "'{}' does not fit parameter '{}'", name->name, formal.name);
    made.caller_offset_bytes = variable->offset_bytes;
    return made;
  }
  if (formal.is_array || formal.type == Type::b128)
    refuse(place.at, "parameter '{}' needs a variable in the parameter space", formal.name);
  if (!is_result) {
    made.slot = read_element(place, element, formal.type, {});
  } else if (name == nullptr) {
    refuse(place.at, "a result needs a register or a variable in the parameter space");
  } else {
    made.slot = write_name(place, name->name, name->component, formal.type, false);
  }
  return made;
}

/// Barriers, shuffles, votes and the rest: operands in order, the operation as variant, the type among the rules. A
/// barrier has its number, the count of its threads (or none), its predicate.
void FunctionDecoder::decode_meeting(const Decoding& decoding) {
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const std::vector<OperandSlot>& slots = decoding.form.row->operands;
  check_barrier(decoding.instruction, decoding.form);
  Step step = make_step(decoding, decoding.form.row->action);
  size_t count = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!slots[i].is_written) step.src[count++] = read({decoding, i, operands[i].at}, operands[i], slots[i]);
  }
  if (!slots.empty() && slots[0].is_written) {
    step.dst = write({decoding, 0, operands[0].at}, operands[0], slots[0], step.second);
  }
  if (step.action == Action::barrier_reduce && count == 2) std::swap(step.src[1], step.src[2]);
  step.variant = static_cast<uint8_t>(meeting_op_of(decoding.form));
  step.is_uniform = decoding.form.row->opcode == "bar" || decoding.form.has("aligned");
  if (!decoding.form.types.empty()) step.alu.rules.to = decoding.form.type();
  emit(step);
}

/// A block is a cluster of its own. What arrives goes on at once: who waits, waits for all others to wait too.
void FunctionDecoder::decode_cluster_wait(const Decoding& decoding) {
  Step step = make_step(decoding, Action::barrier_sync);
  step.src[0] = constant(kClusterBarrier);
  step.is_uniform = decoding.form.has("aligned");
  emit(step);
}

}  // namespace jitc::emulator
