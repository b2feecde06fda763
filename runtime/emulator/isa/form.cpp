#include "runtime/emulator/isa/form.hpp"

#include <algorithm>
#include <optional>

namespace jitc::emulator {
namespace {

using Words = std::vector<std::string_view>;

/// How many of `words` from `first` on spell `alternative` (a.b is two); 0 for a mismatch.
size_t count_matching(std::string_view alternative, const Words& words, size_t first) {
  size_t count = 0;
  while (first + count < words.size()) {
    const std::string_view part = alternative.substr(0, alternative.find('.'));
    if (words[first + count] != part) return 0;
    ++count;
    if (part.size() == alternative.size()) return count;
    alternative.remove_prefix(part.size() + 1);
  }
  return 0;
}

/// Takes what the slot matches at `first`: the number of words.
size_t take(const ModifierSlot& slot, const Words& words, size_t first, Form& form) {
  for (std::string_view alternative : slot.alternatives) {
    const size_t count = count_matching(alternative, words, first);
    if (count == 0) continue;
    if (const auto type = type_named(alternative)) {
      form.types.push_back(*type);
    } else {
      form.modifiers.push_back(alternative);
    }
    return count;
  }
  return 0;
}

bool match_in_order(const InstructionRow& row, const Words& words, Form& form) {
  size_t at = 0;
  for (const ModifierSlot& slot : row.modifiers) {
    const size_t count = take(slot, words, at, form);
    if (count == 0 && !slot.is_optional) return false;
    at += count;
  }
  return at == words.size();
}

/// Each slot at most once, in any order; the last slot last.
bool match_in_any_order(const InstructionRow& row, const Words& words, Form& form) {
  std::vector<bool> is_taken(row.modifiers.size());
  for (size_t at = 0; at < words.size();) {
    size_t count = 0;
    for (size_t i = 0; i < row.modifiers.size() && count == 0; ++i) {
      if (!is_taken[i]) is_taken[i] = (count = take(row.modifiers[i], words, at, form)) > 0;
    }
    at += count;
    if (count == 0 || (is_taken.back() && at != words.size())) return false;
  }
  for (size_t i = 0; i < row.modifiers.size(); ++i) {
    if (!is_taken[i] && !row.modifiers[i].is_optional) return false;
  }
  return true;
}

std::optional<Form> match(const InstructionRow& row, const Words& words) {
  Form form = {&row, {}, {}};
  const bool matches = row.has_any_order ? match_in_any_order(row, words, form) : match_in_order(row, words, form);
  return matches ? std::optional(std::move(form)) : std::nullopt;
}

bool takes_count(const InstructionRow& row, size_t count_operands) {
  if (!row.operands.empty() && row.operands[0].kind == OperandKind::call) return true;
  const auto optional = std::count_if(row.operands.begin(), row.operands.end(), [](auto& s) { return s.is_optional; });
  return count_operands <= row.operands.size() && count_operands + static_cast<size_t>(optional) >= row.operands.size();
}

Type twice(Type type) {
  switch (type) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    default: return Type::s64;
  }
}

struct Requirement {
  std::string_view opcode;
  std::string_view modifier;
  Target least;
};

constexpr Requirement kRequirements[] = {
#define REQUIRES(opcode, modifier, ptx, sm) {opcode, modifier, {ptx, sm}},
#include "runtime/emulator/isa/modifier_requirements.def"
#undef REQUIRES
};

/// The oldest version and target that have the form.
Target least_target(const Form& form) {
  Target least = {form.row->min_version, form.row->min_sm};
  for (const Requirement& one : kRequirements) {
    if ((!one.opcode.empty() && one.opcode != form.row->opcode) || !form.has(one.modifier)) continue;
    least = {std::max(least.version, one.least.version), std::max(least.sm, one.least.sm)};
  }
  return least;
}

bool is_within(const Target& least, const Target& target) {
  return least.version <= target.version && least.sm <= target.sm;
}

/// PTX ISA, "shfl (deprecated)", "vote (deprecated)": not from version 6.4 on for sm_70 and higher.
void check_not_retired(const Instruction& instruction, const Form& form, const Target& target) {
  const bool was_retired = (form.row->opcode == "shfl" || form.row->opcode == "vote") && !form.has("sync");
  if (was_retired && target.version >= 64 && target.sm >= 70) {
    refuse(instruction.at, "'{}' needs .sync on sm_70 and higher", spelling(instruction));
  }
}

[[noreturn]] void refuse_as_too_new(const Instruction& instruction, const Target& least, const Target& target) {
  if (least.version > target.version) {
    refuse(instruction.at, "'{}' needs PTX ISA {}.{} or later, this is {}.{}", spelling(instruction),
           least.version / 10, least.version % 10, target.version / 10, target.version % 10);
  }
  refuse(instruction.at, "'{}' needs sm_{} or higher, this is sm_{}", spelling(instruction), least.sm, target.sm);
}

}  // namespace

bool Form::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string_view Form::one_of(std::initializer_list<std::string_view> alternatives) const {
  for (std::string_view alternative : alternatives) {
    if (has(alternative)) return alternative;
  }
  return {};
}

Type Form::type_of(const OperandSlot& slot) const {
  switch (slot.type) {
    case OperandType::first: return types[0];
    case OperandType::second: return types[1];
    case OperandType::third: return types[2];
    case OperandType::twice_first: return twice(types[0]);
    case OperandType::fixed: return slot.fixed;
  }
  return slot.fixed;
}

std::string spelling(const Instruction& instruction) {
  constexpr size_t kLongest = 120;
  std::string text(instruction.opcode);
  for (std::string_view modifier : instruction.modifiers) text += "." + std::string(modifier);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "…";
}

Form choose_form(const Instruction& instruction, const Target& target) {
  std::optional<Form> too_new;
  bool is_known = false;
  for (const InstructionRow* row : rows_of(instruction.opcode)) {
    std::optional<Form> form = match(*row, instruction.modifiers);
    if (!form) continue;
    is_known = true;
    if (!takes_count(*row, instruction.operands.size())) continue;
    if (is_within(least_target(*form), target)) {
      check_not_retired(instruction, *form, target);
      return *form;
    }
    if (!too_new) too_new = std::move(form);
  }
  if (too_new) refuse_as_too_new(instruction, least_target(*too_new), target);
  if (is_known)
    refuse(instruction.at, "'{}' does not take {} operands", spelling(instruction), instruction.operands.size());
  refuse(instruction.at, "unknown instruction '{}'", spelling(instruction));
}

}  // namespace jitc::emulator
