// What the names in a function mean, block by block.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// A register: one row, or as many as its vector is wide; two for 128 bits.
struct RegisterName {
  Type type;
  uint32_t vector_width;
  int32_t first_slot;
};

/// A variable or parameter of the function: at an offset of its frame, of the kernel's parameters, or in shared memory.
struct VariableName {
  Space space;
  Type type;
  uint32_t offset_bytes;
  uint32_t size_bytes;
  bool is_kernel_param = false;
  bool is_input = false;             ///< a parameter of the function itself, which it may only read
  const Variable* shared = nullptr;  ///< the declaration, for shared memory
};

/// Blocks within blocks, each with its names. Blocks are kept after they end: labels are looked up when all are known.
class Names {
 public:
  using BlockId = uint32_t;

  Names() { blocks_.push_back({kNoBlock, {}, {}, {}}); }

  void open_block();
  void close_block() { current_ = blocks_[current_].parent; }
  BlockId current() const { return current_; }

  /// Each throws LoadError for a name that its block has already.
  void declare_register(const RegisterDeclaration& declaration);
  void declare_register(const Variable& variable);
  void declare_variable(Position at, std::string_view name, const VariableName& variable);
  void declare_label(const Label& label, uint32_t step);
  void declare_targets(const BranchTargets& targets);
  void declare_prototype(const CallPrototype& prototype);

  /// The register, given its rows at the first call. Null for a name that is none.
  const RegisterName* find_register(std::string_view name);
  const VariableName* find_variable(std::string_view name) const;
  const CallPrototype* find_prototype(std::string_view name) const;
  std::optional<uint32_t> find_label(std::string_view name, BlockId block) const;
  const BranchTargets* find_targets(std::string_view name, BlockId block) const;

  /// A row that no name has.
  Slot new_slot() { return {count_slots_++}; }
  uint32_t count_slots() const { return static_cast<uint32_t>(count_slots_); }

 private:
  static constexpr BlockId kNoBlock = UINT32_MAX;
  struct LabelPlace {
    uint32_t step;
  };
  using Meaning = std::variant<VariableName, LabelPlace, const BranchTargets*, const CallPrototype*>;
  struct RegisterGroup {
    Type type;
    uint32_t vector_width;
    std::optional<uint32_t> count;
  };
  struct Block {
    BlockId parent;
    std::unordered_map<std::string_view, Meaning> meanings;
    std::unordered_map<std::string_view, RegisterGroup> groups;    ///< by the name in the declaration
    std::unordered_map<std::string_view, RegisterName> registers;  ///< those that were used
  };

  void declare(Position at, std::string_view name, const Meaning& meaning, std::string_view what);
  void declare_group(Position at, std::string_view name, const RegisterGroup& group);
  static const RegisterGroup* find_group(const Block& block, std::string_view name);
  const Meaning* find(std::string_view name, BlockId block) const;

  std::vector<Block> blocks_;
  BlockId current_ = 0;
  int32_t count_slots_ = 0;
};

}  // namespace jitc::emulator
