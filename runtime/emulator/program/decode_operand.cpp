// Operands to slots: registers, constants, special registers, addresses of variables.
#include <bit>

#include "runtime/emulator/alu/alu_move.hpp"
#include "runtime/emulator/program/address_space.hpp"
#include "runtime/emulator/program/function_decoder.hpp"
#include "runtime/emulator/program/type_agreement.hpp"

namespace jitc::emulator {
namespace {

/// Instructions that take what is no plain register: %tid.x (mov, cvt), a variable's address (mov, cvta, mapa).
bool takes_special(const Form& form) { return form.row->opcode == "mov" || form.row->opcode == "cvt"; }
bool takes_address(const Form& form) {
  return form.row->opcode == "mov" || form.row->opcode == "cvta" || form.row->opcode == "mapa";
}

constexpr std::string_view kComponents = "xyzwrgba";

/// WARP_SZ, the one constant that PTX predefines.
constexpr uint64_t kWarpSize = 32;

/// Older texts read some registers by the types that these had then.
bool is_legacy_width(Type type, const SpecialRegister& special) {
  if (special.id == Special::gridid) return width_bits(type) == 32;
  return width_bits(type) == 16 && width_bits(special.type) == 32;
}

}  // namespace

Slot FunctionDecoder::read(const Place& place, const Operand& operand, const OperandSlot& slot) {
  const Type type = place.decoding.form.type_of(slot);
  if (const auto* name = std::get_if<NameOperand>(&operand.kind)) return read_name(place, *name, type, slot);
  if (const auto* integer = std::get_if<IntegerOperand>(&operand.kind)) return read_integer(place, integer->bits, type);
  if (const auto* real = std::get_if<RealOperand>(&operand.kind)) return read_real(place, *real, type);
  refuse(place.at, "operand {} of '{}' must be a register or a constant", place.number + 1,
         spelling(place.decoding.instruction));
}

Slot FunctionDecoder::read_element(const Place& place, const ElementOperand& element, Type type,
                                   const OperandSlot& slot) {
  if (const auto* name = std::get_if<NameOperand>(&element)) return read_name(place, *name, type, slot);
  if (const auto* integer = std::get_if<IntegerOperand>(&element)) return read_integer(place, integer->bits, type);
  return read_real(place, std::get<RealOperand>(element), type);
}

Slot FunctionDecoder::read_name(const Place& place, const NameOperand& name, Type type, const OperandSlot& slot) {
  const RegisterName* found = names_.find_register(name.name);
  if (found == nullptr) {
    if (name.name.starts_with('%')) return read_special(place, name, type);
    if (name.name == "WARP_SZ") return read_integer(place, kWarpSize, type);
    return read_address_of(place, name, type);
  }
  if (name.is_negated && !slot.may_be_negated) refuse(place.at, "'!' may not stand before '{}'", name.name);
  if (name.offset_bytes != 0) refuse(place.at, "an offset may not stand behind register '{}'", name.name);
  if (slot.kind == OperandKind::immediate) refuse(place.at, "operand {} must be a constant", place.number + 1);
  check_register(place, *found, type, slot.may_be_wider);
  const Slot read = component_slot(place, *found, name.name, name.component);
  return name.is_negated ? negated(place.decoding, read) : read;
}

/// A clock is read anew by a step of its own before the instruction; all others are rows of the frame.
Slot FunctionDecoder::read_special(const Place& place, const NameOperand& name, Type type) {
  const SpecialRegister* special = special_register(name.name, name.component);
  if (special == nullptr) refuse(place.at, "unknown symbol '{}'", name.name);
  if (!takes_special(place.decoding.form)) {
    refuse(place.at, "'{}' does not take special registers", spelling(place.decoding.instruction));
  }
  if (special->min_version > context_.target.version || special->min_sm > context_.target.sm) {
    refuse(place.at, "special register '{}' is newer than the text's version or target", name.name);
  }
  if (!agrees(type, special->type, false) && !is_legacy_width(type, *special)) {
    refuse(place.at, "special register '{}' is a .{}, which is no .{}", name.name, name_of(special->type),
           name_of(type));
  }
  if (is_clock(special->id)) {
    Step step = make_step(place.decoding, Action::read_clock);
    step.variant = static_cast<uint8_t>(special->id);
    step.dst = names_.new_slot();
    emit(step);
    return step.dst;
  }
  const auto [known, is_new] = specials_.emplace(static_cast<uint8_t>(special->id), kNoSlot);
  if (is_new) {
    known->second = names_.new_slot();
    decoded_.specials.push_back({special->id, known->second});
  }
  return known->second;
}

/// Where a variable or a function is, as a load of it would say.
Access FunctionDecoder::find_address_of(const Place& place, const NameOperand& name) {
  Access access;
  access.offset_bytes = name.offset_bytes;
  if (const VariableName* variable = names_.find_variable(name.name)) {
    set_variable_address(*variable, access);
  } else if (!set_module_address(name.name, access)) {
    const auto function = context_.functions.find(name.name);
    if (function == context_.functions.end()) refuse(place.at, "unknown symbol '{}'", name.name);
    access.area = Area::constant;
    access.base = constant(kFunctionWindow.base + kFunctionBytes * function->second);
  }
  return access;
}

Slot FunctionDecoder::read_address_of(const Place& place, const NameOperand& name, Type type) {
  const Access found = find_address_of(place, name);
  if (!takes_address(place.decoding.form)) {
    refuse(place.at, "operand {} of '{}' must be a register", place.number + 1, spelling(place.decoding.instruction));
  }
  const bool is_short = found.area == Area::shared || found.area == Area::local || found.area == Area::kernel_param;
  const bool fits = width_bits(type) == 64 || (width_bits(type) == 32 && is_short);
  if (!fits || kind_of(type) == TypeKind::real) {
    refuse(place.at, "the address of '{}' is no .{}", name.name, name_of(type));
  }
  if (!found.is_frame_relative) {
    return found.base.is_none() ? constant(static_cast<Bits>(found.offset_bytes)) : found.base;
  }
  Step step = make_step(place.decoding, Action::frame_address);
  step.dst = names_.new_slot();
  step.src[0] = constant(static_cast<Bits>(found.offset_bytes));
  emit(step);
  return step.dst;
}

Slot FunctionDecoder::read_integer(const Place& place, uint64_t bits, Type type) {
  const TypeKind kind = kind_of(type);
  if (kind == TypeKind::real || kind == TypeKind::packed || type == Type::b128) {
    refuse(place.at, "operand {} of '{}' is an integer constant, which is no .{}", place.number + 1,
           spelling(place.decoding.instruction), name_of(type));
  }
  return constant(kind == TypeKind::predicate ? Bits{bits != 0} : bits);
}

Slot FunctionDecoder::read_real(const Place& place, const RealOperand& real, Type type) {
  const bool is_narrow = type == Type::f32 || type == Type::b32;
  const bool is_wide = type == Type::f64 || (type == Type::b64 && !real.is_single);
  if (!is_narrow && !is_wide) {
    refuse(place.at, "operand {} of '{}' is a floating-point constant, which is no .{}", place.number + 1,
           spelling(place.decoding.instruction), name_of(type));
  }
  if (real.is_single) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(real.bits));
    return constant(is_narrow ? real.bits : std::bit_cast<Bits>(double{value}));
  }
  if (is_wide) return constant(real.bits);
  return constant(std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(real.bits))));
}

Slot FunctionDecoder::write(const Place& place, const Operand& operand, const OperandSlot& slot, Slot& second) {
  const Type type = place.decoding.form.type_of(slot);
  if (const auto* name = std::get_if<NameOperand>(&operand.kind)) {
    return write_name(place, name->name, name->component, type, slot.may_be_wider);
  }
  const auto* pair = std::get_if<PairOperand>(&operand.kind);
  if (pair == nullptr || !slot.may_be_pair) {
    refuse(place.at, "operand {} of '{}' must be a register", place.number + 1, spelling(place.decoding.instruction));
  }
  second = write_name(place, pair->second, {}, Type::pred, false);
  return write_name(place, pair->first, {}, type, slot.may_be_wider);
}

Slot FunctionDecoder::write_name(const Place& place, std::string_view name, std::string_view component, Type type,
                                 bool may_be_wider) {
  if (name == "_") return scratch();
  const RegisterName* found = names_.find_register(name);
  if (found == nullptr) {
    refuse(place.at, "operand {} of '{}' must be a register", place.number + 1, spelling(place.decoding.instruction));
  }
  check_register(place, *found, type, may_be_wider);
  return component_slot(place, *found, name, component);
}

Slot FunctionDecoder::component_slot(const Place& place, const RegisterName& found, std::string_view name,
                                     std::string_view component) {
  if (component.empty() && found.vector_width == 1) return {found.first_slot};
  const size_t letter = component.size() == 1 ? kComponents.find(component.front()) : std::string_view::npos;
  if (letter == std::string_view::npos || letter % 4 >= found.vector_width) {
    refuse(place.at, "'{}' has no component '{}'", name, component);
  }
  return {found.first_slot + static_cast<int32_t>(letter % 4)};
}

void FunctionDecoder::check_register(const Place& place, const RegisterName& found, Type type, bool may_be_wider) {
  if (agrees(type, found.type, may_be_wider)) return;
  refuse(place.at, "operand {} of '{}' is a .{} register, which is no .{}", place.number + 1,
         spelling(place.decoding.instruction), name_of(found.type), name_of(type));
}

Slot FunctionDecoder::negated(const Decoding& decoding, Slot slot) {
  Step step = make_alu_step(decoding, not_alu());
  step.src[0] = slot;
  step.dst = names_.new_slot();
  emit(step);
  return step.dst;
}

}  // namespace jitc::emulator
