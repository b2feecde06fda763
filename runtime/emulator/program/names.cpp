#include "runtime/emulator/program/names.hpp"

#include <charconv>

namespace jitc::emulator {
namespace {

/// The number behind the prefix of %r<N>; nothing where there is none, or one with a zero too many.
std::optional<uint32_t> read_number(std::string_view digits) {
  uint32_t number = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_plain = !digits.empty() && (digits.size() == 1 || digits.front() != '0');
  if (!is_plain || result.ec != std::errc() || result.ptr != digits.data() + digits.size()) return std::nullopt;
  return number;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void Names::open_block() {
  blocks_.push_back({current_, {}, {}, {}});
  current_ = static_cast<BlockId>(blocks_.size() - 1);
}

void Names::declare(Position at, std::string_view name, const Meaning& meaning, std::string_view what) {
  Block& block = blocks_[current_];
  const bool is_new = block.meanings.emplace(name, meaning).second && find_group(block, name) == nullptr;
  if (!is_new) refuse(at, "duplicate definition of {} '{}'", what, name);
}

void Names::declare_group(Position at, std::string_view name, const RegisterGroup& group) {
  if (group.type == Type::b128 && group.vector_width != 1) refuse(at, "'{}' is too wide for a register", name);
  Block& block = blocks_[current_];
  const bool is_taken = block.meanings.contains(name) || (!group.count && find_group(block, name) != nullptr);
  if (is_taken || !block.groups.emplace(name, group).second) {
    refuse(at, "duplicate definition of variable '{}'", name);
  }
}

void Names::declare_register(const RegisterDeclaration& declaration) {
  declare_group(declaration.at, declaration.name, {declaration.type, declaration.vector_width, declaration.count});
}

void Names::declare_register(const Variable& variable) {
  declare_group(variable.at, variable.name, {variable.type, variable.vector_width, std::nullopt});
}

void Names::declare_variable(Position at, std::string_view name, const VariableName& variable) {
  declare(at, name, variable, "variable");
}

void Names::declare_label(const Label& label, uint32_t step) {
  declare(label.at, label.name, LabelPlace{step}, "label");
}

void Names::declare_targets(const BranchTargets& targets) { declare(targets.at, targets.name, &targets, "label"); }

void Names::declare_prototype(const CallPrototype& prototype) {
  declare(prototype.at, prototype.name, &prototype, "label");
}

const Names::RegisterGroup* Names::find_group(const Block& block, std::string_view name) {
  const auto whole = block.groups.find(name);
  if (whole != block.groups.end() && !whole->second.count) return &whole->second;
  for (size_t end = name.size(); end > 1 && is_digit(name[end - 1]); --end) {
    const auto found = block.groups.find(name.substr(0, end - 1));
    if (found == block.groups.end() || !found->second.count) continue;
    const auto number = read_number(name.substr(end - 1));
    if (number && *number < *found->second.count) return &found->second;
  }
  return nullptr;
}

const RegisterName* Names::find_register(std::string_view name) {
  for (BlockId id = current_; id != kNoBlock; id = blocks_[id].parent) {
    Block& block = blocks_[id];
    const auto known = block.registers.find(name);
    if (known != block.registers.end()) return &known->second;
    if (const RegisterGroup* group = find_group(block, name)) {
      const RegisterName made = {group->type, group->vector_width, count_slots_};
      count_slots_ += static_cast<int32_t>(group->vector_width * (group->type == Type::b128 ? 2 : 1));
      return &block.registers.emplace(name, made).first->second;
    }
    if (block.meanings.contains(name)) return nullptr;
  }
  return nullptr;
}

const Names::Meaning* Names::find(std::string_view name, BlockId from) const {
  for (BlockId id = from; id != kNoBlock; id = blocks_[id].parent) {
    const auto found = blocks_[id].meanings.find(name);
    if (found != blocks_[id].meanings.end()) return &found->second;
  }
  return nullptr;
}

const VariableName* Names::find_variable(std::string_view name) const {
  const Meaning* meaning = find(name, current_);
  return meaning == nullptr ? nullptr : std::get_if<VariableName>(meaning);
}

const CallPrototype* Names::find_prototype(std::string_view name) const {
  const Meaning* meaning = find(name, current_);
  const auto* prototype = meaning == nullptr ? nullptr : std::get_if<const CallPrototype*>(meaning);
  return prototype == nullptr ? nullptr : *prototype;
}

std::optional<uint32_t> Names::find_label(std::string_view name, BlockId block) const {
  const Meaning* meaning = find(name, block);
  const auto* label = meaning == nullptr ? nullptr : std::get_if<LabelPlace>(meaning);
  return label == nullptr ? std::nullopt : std::optional(label->step);
}

const BranchTargets* Names::find_targets(std::string_view name, BlockId block) const {
  const Meaning* meaning = find(name, block);
  const auto* targets = meaning == nullptr ? nullptr : std::get_if<const BranchTargets*>(meaning);
  return targets == nullptr ? nullptr : *targets;
}

}  // namespace jitc::emulator
