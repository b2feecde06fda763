#include "runtime/emulator/isa/instruction_table.hpp"

#include <unordered_map>

namespace jitc::emulator {
namespace {

struct RawRow {
  std::string_view opcode, modifiers, operands;
  uint32_t min_version, min_sm;
  Action action;
};

constexpr RawRow kRows[] = {
#define ALU(opcode, modifiers, operands, ptx, sm, selector) {#opcode, modifiers, operands, ptx, sm, Action::alu},
#define STEP(opcode, modifiers, operands, ptx, sm, action) {#opcode, modifiers, operands, ptx, sm, Action::action},
#include "runtime/emulator/isa/instructions.def"
#undef STEP
#undef ALU
};

struct NamedSet {
  std::string_view name, alternatives;
};

constexpr NamedSet kSets[] = {
#define SET(name, alternatives) {name, alternatives},
#include "runtime/emulator/isa/modifier_sets.def"
#undef SET
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool take_prefix(std::string_view& text, char mark) {
  if (text.empty() || text.front() != mark) return false;
  text.remove_prefix(1);
  return true;
}

void add_alternative(std::string_view word, std::vector<std::string_view>& alternatives) {
  if (!take_prefix(word, '@')) return alternatives.push_back(word);
  for (const NamedSet& set : kSets) {
    if (set.name == word)
      return [&] {
        for (auto part : split(set.alternatives, '|')) alternatives.push_back(part);
      }();
  }
}

ModifierSlot read_modifier(std::string_view word) {
  ModifierSlot slot;
  slot.is_optional = take_prefix(word, '[');
  if (slot.is_optional) word.remove_suffix(1);
  for (std::string_view part : split(word, '|')) add_alternative(part, slot.alternatives);
  return slot;
}

void read_operand_type(std::string_view word, OperandSlot& slot) {
  if (word == "t") slot.type = OperandType::first;
  if (word == "u") slot.type = OperandType::second;
  if (word == "v") slot.type = OperandType::third;
  if (word == "w") slot.type = OperandType::twice_first;
  if (const auto type = type_named(word)) slot.fixed = *type;
}

OperandSlot read_operand(std::string_view word) {
  OperandSlot slot;
  slot.is_optional = take_prefix(word, '?');
  slot.is_written = take_prefix(word, '=');
  slot.may_be_negated = take_prefix(word, '!');
  if (word == "[a]") slot.kind = OperandKind::address;
  if (word == "imm") slot.kind = OperandKind::immediate;
  if (word == "label") slot.kind = OperandKind::label;
  if (word == "call") slot.kind = OperandKind::call;
  if (word == "V")
    slot = {OperandKind::vector, OperandType::first, Type::b32, slot.is_written, false, false, true, false};
  if (word.back() == '~') slot.may_be_wider = true;
  slot.may_be_pair = word.find('|') != std::string_view::npos;
  read_operand_type(word.substr(0, word.find_first_of("~|")), slot);
  return slot;
}

std::vector<InstructionRow> read_table() {
  std::vector<InstructionRow> rows;
  for (const RawRow& raw : kRows) {
    std::string_view modifiers = raw.modifiers;
    InstructionRow row = {rows.size(), raw.opcode, take_prefix(modifiers, '~'), {}, {}, raw.min_version,
                          raw.min_sm,  raw.action};
    for (std::string_view word : split(modifiers, ' ')) row.modifiers.push_back(read_modifier(word));
    for (std::string_view word : split(raw.operands, ' ')) row.operands.push_back(read_operand(word));
    rows.push_back(std::move(row));
  }
  return rows;
}

using Index = std::unordered_map<std::string_view, std::vector<const InstructionRow*>>;

Index make_index() {
  Index index;
  for (const InstructionRow& row : all_instructions()) index[row.opcode].push_back(&row);
  return index;
}

}  // namespace

std::span<const InstructionRow> all_instructions() {
  static const std::vector<InstructionRow> rows = read_table();
  return rows;
}

std::span<const InstructionRow* const> rows_of(std::string_view opcode) {
  static const Index index = make_index();
  const auto found = index.find(opcode);
  return found == index.end() ? std::span<const InstructionRow* const>() : found->second;
}

}  // namespace jitc::emulator
