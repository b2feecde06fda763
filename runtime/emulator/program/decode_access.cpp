// Loads, stores, atomic operations and their addresses. Source: PTX ISA, "Addresses as Operands".
#include "runtime/emulator/alu/alu_move.hpp"
#include "runtime/emulator/program/function_decoder.hpp"
#include "runtime/emulator/program/type_agreement.hpp"

namespace jitc::emulator {
namespace {

struct AreaName {
  std::string_view modifier;
  Area area;
};

constexpr AreaName kAreas[] = {{"global", Area::global},
                               {"shared", Area::shared},
                               {"shared::cta", Area::shared},
                               {"shared::cluster", Area::shared},
                               {"local", Area::local},
                               {"const", Area::constant},
                               {"param", Area::kernel_param},
                               {"param::entry", Area::kernel_param},
                               {"param::func", Area::kernel_param}};

Area area_of(const Form& form) {
  for (const AreaName& name : kAreas) {
    if (form.has(name.modifier)) return name.area;
  }
  return Area::generic;
}

struct OpName {
  std::string_view modifier;
  AtomicOp op;
};

constexpr OpName kOps[] = {{"and", AtomicOp::bit_and},
                           {"or", AtomicOp::bit_or},
                           {"xor", AtomicOp::bit_xor},
                           {"exch", AtomicOp::exchange},
                           {"cas", AtomicOp::compare_exchange},
                           {"add", AtomicOp::add},
                           {"add.noftz", AtomicOp::add},
                           {"inc", AtomicOp::inc},
                           {"dec", AtomicOp::dec},
                           {"min", AtomicOp::min},
                           {"max", AtomicOp::max}};

AtomicOp op_of(const Form& form) {
  for (const OpName& name : kOps) {
    if (form.has(name.modifier)) return name.op;
  }
  return AtomicOp::none;
}

/// 128 bits are two rows of 64, which are one access.
void split_in_two(Access& access) {
  access.type = Type::b64;
  access.count = 2;
  access.values[1] = access.values[0].upper_half();
}

Ordering ordering_of(const Form& form) {
  if (form.has("acq_rel")) return Ordering::acquire_release;
  if (form.has("acquire")) return Ordering::acquire;
  if (form.has("release")) return Ordering::release;
  const bool is_atomic = form.row->action == Action::atomic || form.row->action == Action::reduce;
  const bool is_strong = is_atomic || form.has("relaxed") || form.has("volatile") || form.has("mmio");
  return is_strong ? Ordering::relaxed : Ordering::weak;
}

/// Parameter space is the kernel's parameters, or part of the frame: the variable says which.
bool is_param_space(Area area) { return area == Area::kernel_param; }

}  // namespace

/// A cache policy changes nothing here, but it must be one, and there where the modifier says so.
void FunctionDecoder::check_cache_hint(const Decoding& decoding) {
  const std::vector<OperandSlot>& slots = decoding.form.row->operands;
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const bool has_policy = slots.back().is_optional && operands.size() == slots.size();
  if (has_policy != decoding.form.has("L2::cache_hint")) {
    refuse(decoding.instruction.at, "'{}' does not take {} operands", spelling(decoding.instruction), operands.size());
  }
  if (has_policy) read({decoding, operands.size() - 1, operands.back().at}, operands.back(), slots.back());
}

void FunctionDecoder::decode_load(const Decoding& decoding) {
  check_cache_hint(decoding);
  const Operand& values = decoding.instruction.operands[0];
  Step step = make_step(decoding, Action::load);
  Access access = make_access(decoding, 1);
  set_values({decoding, 0, values.at}, values, decoding.form.row->operands[0], access);
  step.index = add_access(access);
  emit(step);
}

void FunctionDecoder::decode_store(const Decoding& decoding) {
  check_cache_hint(decoding);
  const Operand& values = decoding.instruction.operands[1];
  Access access = make_access(decoding, 0);
  set_values({decoding, 1, values.at}, values, decoding.form.row->operands[1], access);
  Step step = make_step(decoding, Action::store);
  step.index = add_access(access);
  emit(step);
}

/// atom: result, address, one or two values. red: address, value.
void FunctionDecoder::decode_atomic(const Decoding& decoding) {
  check_cache_hint(decoding);
  if (!decoding.form.one_of({"v2", "v4"}).empty()) return decode_vector_atomic(decoding);
  const bool has_result = decoding.form.row->action == Action::atomic;
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const std::vector<OperandSlot>& slots = decoding.form.row->operands;
  Access access = make_access(decoding, has_result ? 1 : 0);
  access.op = op_of(decoding.form);
  Step step = make_step(decoding, decoding.form.row->action);
  size_t count = 0;
  const size_t end = operands.size() - (decoding.form.has("L2::cache_hint") ? 1 : 0);
  for (size_t i = has_result ? 2 : 1; i < end; ++i) {
    step.src[count++] = read({decoding, i, operands[i].at}, operands[i], slots[i]);
  }
  if (has_result) step.dst = write({decoding, 0, operands[0].at}, operands[0], slots[0], step.second);
  step.index = add_access(access);
  emit(step);
}

/// Each element is an operation of its own, as PTX has it. The values are copied first: a result may stand where one
/// is.
void FunctionDecoder::decode_vector_atomic(const Decoding& decoding) {
  const size_t first = decoding.form.row->action == Action::atomic ? 1 : 0;
  const std::vector<Operand>& operands = decoding.instruction.operands;
  Access whole = make_access(decoding, first);
  Access values = whole, results = whole;
  set_values({decoding, first + 1, operands[first + 1].at}, operands[first + 1], decoding.form.row->operands[first + 1],
             values);
  if (first == 1) set_values({decoding, 0, operands[0].at}, operands[0], decoding.form.row->operands[0], results);
  for (size_t i = 0; i < values.count; ++i) {
    Step copy = make_alu_step(decoding, copy_alu());
    copy.src[0] = values.values[i];
    copy.dst = values.values[i] = names_.new_slot();
    emit(copy);
  }
  whole.op = op_of(decoding.form);
  for (size_t i = 0; i < values.count; ++i) {
    Step step = make_step(decoding, decoding.form.row->action);
    step.src[0] = values.values[i];
    if (first == 1 && !results.values[i].is_none()) step.dst = results.values[i];
    step.index = add_access(whole);
    emit(step);
    whole.offset_bytes += size_bytes(whole.type);
  }
}

Access FunctionDecoder::make_access(const Decoding& decoding, size_t number_of_address) {
  const Operand& operand = decoding.instruction.operands[number_of_address];
  const auto* address = std::get_if<AddressOperand>(&operand.kind);
  if (address == nullptr) {
    refuse(operand.at, "operand {} of '{}' must be an address", number_of_address + 1, spelling(decoding.instruction));
  }
  Access access = {area_of(decoding.form), decoding.form.type()};
  access.ordering = ordering_of(decoding.form);
  access.is_read_only = decoding.form.has("nc");
  access.offset_bytes = address->offset_bytes;
  set_address({decoding, number_of_address, operand.at}, *address, access);
  return access;
}

void FunctionDecoder::set_address(const Place& place, const AddressOperand& address, Access& access) {
  if (address.base.empty()) {
    if (access.area != Area::local) refuse(place.at, "an address without a name is for local memory alone");
    return;
  }
  if (const RegisterName* found = names_.find_register(address.base)) {
    const bool is_short = access.area != Area::generic && access.area != Area::global;
    const bool fits = agrees(Type::u64, found->type, false) || (is_short && agrees(Type::u32, found->type, false));
    if (!fits) refuse(place.at, "register '{}' holds no address", address.base);
    access.base = component_slot(place, *found, address.base, address.component);
    if (is_param_space(access.area) && !function_.is_entry) access.area = Area::local;
    return;
  }
  const Area asked = access.area;
  const VariableName* variable = names_.find_variable(address.base);
  if (variable != nullptr) {
    set_variable_address(*variable, access);
  } else if (!set_module_address(address.base, access)) {
    refuse(place.at, "unknown symbol '{}'", address.base);
  }
  const bool is_param = variable != nullptr && variable->space == Space::param;
  const bool agrees_with_space = is_param ? is_param_space(asked) : asked == Area::generic || asked == access.area;
  if (!agrees_with_space) refuse(place.at, "'{}' lies in another state space", address.base);
  const bool is_store = place.decoding.form.row->action == Action::store;
  if (is_param && is_store && variable->is_input)
    refuse(place.at, "'{}' is an input and may not be written", address.base);
}

void FunctionDecoder::set_variable_address(const VariableName& variable, Access& access) {
  if (variable.space == Space::shared) {
    access.area = Area::shared;
    access.offset_bytes += maker_.place_shared(*variable.shared);
    return;
  }
  access.area = variable.is_kernel_param ? Area::kernel_param : Area::local;
  access.is_frame_relative = !variable.is_kernel_param;
  access.offset_bytes += variable.offset_bytes;
}

bool FunctionDecoder::set_module_address(std::string_view name, Access& access) {
  const auto shared = context_.shared.find(name);
  if (shared != context_.shared.end()) {
    access.area = Area::shared;
    if (shared->second->total_bytes() > 0) {
      access.offset_bytes += maker_.place_shared(*shared->second);
      return true;
    }
    access.base = open_constant();
    maker_.use_dynamic_shared(*shared->second, access.base.constant_index(), access.offset_bytes);
    access.offset_bytes = 0;
    return true;
  }
  const auto symbol = context_.image.symbol_by_name.find(std::string(name));
  if (symbol == context_.image.symbol_by_name.end()) return false;
  access.area = context_.image.symbols[symbol->second].space == Space::constant ? Area::constant : Area::global;
  access.base = open_constant();
  maker_.use_address(access.base.constant_index(), symbol->second, access.offset_bytes);
  access.offset_bytes = 0;
  return true;
}

void FunctionDecoder::set_values(const Place& place, const Operand& operand, const OperandSlot& slot, Access& access) {
  const std::string_view vector = place.decoding.form.one_of({"v2", "v4"});
  const size_t count = vector.empty() ? 1 : static_cast<size_t>(vector[1] - '0');
  const auto* elements = std::get_if<VectorOperand>(&operand.kind);
  if ((elements == nullptr) != (count == 1) || (elements != nullptr && elements->elements.size() != count)) {
    refuse(place.at, "operand {} of '{}' must have {} element{}", place.number + 1,
           spelling(place.decoding.instruction), count, count == 1 ? "" : "s");
  }
  if (count * size_bytes(access.type) > 16) refuse(place.at, "an access has at most 16 bytes");
  access.count = static_cast<uint8_t>(count);
  if (elements == nullptr) {
    Slot second = kNoSlot;
    access.values[0] = slot.is_written ? write(place, operand, slot, second) : read(place, operand, slot);
    if (access.type == Type::b128) split_in_two(access);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    const auto* name = std::get_if<NameOperand>(&elements->elements[i]);
    const bool is_sink = slot.is_written && name != nullptr && name->name == "_";
    if (is_sink) continue;
    if (slot.is_written && name == nullptr) refuse(place.at, "operand {} must hold registers", place.number + 1);
    access.values[i] = slot.is_written ? write_name(place, name->name, name->component, access.type, slot.may_be_wider)
                                       : read_element(place, elements->elements[i], access.type, slot);
  }
}

uint32_t FunctionDecoder::add_access(const Access& access) {
  decoded_.accesses.push_back(access);
  return static_cast<uint32_t>(decoded_.accesses.size() - 1);
}

}  // namespace jitc::emulator
