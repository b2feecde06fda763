// mov in its forms, and conversions between address spaces. Source: PTX ISA, "Data Movement and Conversion
// Instructions: mov, cvta, isspacep".
#include <array>
#include <utility>

#include "runtime/emulator/alu/alu_move.hpp"
#include "runtime/emulator/program/address_space.hpp"
#include "runtime/emulator/program/function_decoder.hpp"

namespace jitc::emulator {
namespace {

/// The window of the space that a form names; null for global and const, whose addresses are generic.
const Window* window_of(const Form& form) {
  if (!form.one_of({"shared", "shared::cta", "shared::cluster"}).empty()) return &kSharedWindow;
  if (form.has("local")) return &kLocalWindow;
  return form.one_of({"param", "param::entry"}).empty() ? nullptr : &kParamWindow;
}

/// The element's type where `count` of them make up the whole.
Type element_type(Type whole, size_t count) {
  const uint32_t width = width_bits(whole) / static_cast<uint32_t>(count);
  return width == 16 ? Type::b16 : Type::b32;
}

}  // namespace

void FunctionDecoder::decode_move(const Decoding& decoding) {
  if (decoding.form.type() == Type::b128) return decode_move_wide(decoding);
  const std::vector<Operand>& operands = decoding.instruction.operands;
  if (const auto* elements = std::get_if<VectorOperand>(&operands[0].kind)) return decode_unpack(decoding, *elements);
  if (const auto* elements = std::get_if<VectorOperand>(&operands[1].kind)) return decode_pack(decoding, *elements);
  Step step = make_alu_step(decoding, copy_alu());
  step.src[0] = read({decoding, 1, operands[1].at}, operands[1], decoding.form.row->operands[1]);
  step.dst = write({decoding, 0, operands[0].at}, operands[0], decoding.form.row->operands[0], step.second);
  emit(step);
}

/// 2 × 16 into 32 bits, 2 × 32 or 4 × 16 into 64.
void FunctionDecoder::decode_pack(const Decoding& decoding, const VectorOperand& elements) {
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const size_t count = elements.elements.size();
  const Type whole = decoding.form.type();
  const bool fits = kind_of(whole) == TypeKind::bits && (count == 2 || count == 4) && width_bits(whole) / count >= 16;
  if (!fits) refuse(operands[1].at, "{} elements do not make up a .{}", count, name_of(whole));
  const Type element = element_type(whole, count);
  Step step = make_alu_step(decoding, pack_alu(static_cast<uint32_t>(count), width_bits(element)));
  for (size_t i = 0; i < count; ++i) {
    step.src[i] = read_element({decoding, 1, operands[1].at}, elements.elements[i], element, {});
  }
  step.dst = write({decoding, 0, operands[0].at}, operands[0], decoding.form.row->operands[0], step.second);
  emit(step);
}

/// One step for each element that is wanted. None of their registers is the source: they are narrower.
void FunctionDecoder::decode_unpack(const Decoding& decoding, const VectorOperand& elements) {
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const size_t count = elements.elements.size();
  const Type whole = decoding.form.type();
  const bool fits = kind_of(whole) == TypeKind::bits && (count == 2 || count == 4) && width_bits(whole) / count >= 16;
  if (!fits) refuse(operands[0].at, "a .{} has no {} elements", name_of(whole), count);
  const Type element = element_type(whole, count);
  const Slot source = read({decoding, 1, operands[1].at}, operands[1], decoding.form.row->operands[1]);
  for (size_t i = 0; i < count; ++i) {
    const auto* name = std::get_if<NameOperand>(&elements.elements[i]);
    if (name == nullptr)
      refuse(operands[0].at, "operand 1 of '{}' must hold registers", spelling(decoding.instruction));
    if (name->name == "_") continue;
    Step step = make_alu_step(decoding, extract_alu());
    step.src[0] = source;
    step.src[1] = constant(i * width_bits(element));
    step.dst = write_name({decoding, 0, operands[0].at}, name->name, name->component, element, false);
    emit(step);
  }
}

/// A register of 128 bits is two rows: a copy, its halves put together or taken apart.
void FunctionDecoder::decode_move_wide(const Decoding& decoding) {
  const std::vector<Operand>& operands = decoding.instruction.operands;
  const auto halves = [&](size_t number) -> std::array<Slot, 2> {
    const Place place = {decoding, number, operands[number].at};
    const OperandSlot& slot = decoding.form.row->operands[number];
    const auto* elements = std::get_if<VectorOperand>(&operands[number].kind);
    if (elements == nullptr) {
      Slot unused = kNoSlot;
      const Slot low =
          slot.is_written ? write(place, operands[number], slot, unused) : read(place, operands[number], slot);
      return {low, low.upper_half()};
    }
    if (elements->elements.size() != 2) refuse(place.at, "a .b128 has two elements");
    std::array<Slot, 2> slots;
    for (size_t i = 0; i < 2; ++i) {
      const auto* name = std::get_if<NameOperand>(&elements->elements[i]);
      if (slot.is_written && name == nullptr) refuse(place.at, "operand {} must hold registers", number + 1);
      slots[i] = slot.is_written ? write_name(place, name->name, name->component, Type::b64, false)
                                 : read_element(place, elements->elements[i], Type::b64, slot);
    }
    return slots;
  };
  const std::array<Slot, 2> source = halves(1), target = halves(0);
  const Slot held = names_.new_slot();  // the halves may change places
  for (const auto& [from, to] : {std::pair(source[0], held), {source[1], target[1]}, {held, target[0]}}) {
    Step step = make_alu_step(decoding, copy_alu());
    step.src[0] = from;
    step.dst = to;
    emit(step);
  }
}

void FunctionDecoder::decode_give_zero(const Decoding& decoding) {
  const Operand& result = decoding.instruction.operands[0];
  Step step = make_alu_step(decoding, copy_alu());
  step.dst = write({decoding, 0, result.at}, result, decoding.form.row->operands[0], step.second);
  emit(step);
}

void FunctionDecoder::decode_to_generic(const Decoding& decoding) {
  const Window* window = window_of(decoding.form);
  const std::vector<Operand>& operands = decoding.instruction.operands;
  Step step = make_alu_step(decoding, window == nullptr ? copy_alu() : offset_alu());
  step.src[0] = read({decoding, 1, operands[1].at}, operands[1], decoding.form.row->operands[1]);
  if (window != nullptr) step.src[1] = constant(window->base);
  step.dst = write({decoding, 0, operands[0].at}, operands[0], decoding.form.row->operands[0], step.second);
  emit(step);
}

void FunctionDecoder::decode_from_generic(const Decoding& decoding) {
  const Window* window = window_of(decoding.form);
  const std::vector<Operand>& operands = decoding.instruction.operands;
  Step step = make_alu_step(decoding, window == nullptr ? copy_alu() : inverse_offset_alu());
  step.src[0] = read({decoding, 1, operands[1].at}, operands[1], decoding.form.row->operands[1]);
  if (window != nullptr) step.src[1] = constant(window->base);
  step.dst = write({decoding, 0, operands[0].at}, operands[0], decoding.form.row->operands[0], step.second);
  emit(step);
}

/// Global is what lies below the windows. Constant memory is told from global memory by its allocation alone, and no
/// compiler asks: it counts as global.
void FunctionDecoder::decode_is_in_space(const Decoding& decoding) {
  const Window* window = window_of(decoding.form);
  const std::vector<Operand>& operands = decoding.instruction.operands;
  Step step = make_alu_step(decoding, window == nullptr ? below_alu() : in_window_alu());
  step.src[0] = read({decoding, 1, operands[1].at}, operands[1], decoding.form.row->operands[1]);
  step.src[1] = constant(window == nullptr ? kSharedWindow.base : window->base);
  if (window != nullptr) step.src[2] = constant(window->size_bytes);
  step.dst = write({decoding, 0, operands[0].at}, operands[0], decoding.form.row->operands[0], step.second);
  emit(step);
}

}  // namespace jitc::emulator
