// In which blocks of a function its variables are assigned and read, and which scalars the host can compute.
#pragma once

#include <vector>

#include "src/sema/typed.hpp"

namespace jitc::array {

class VariableBlocks {
 public:
  VariableBlocks() = default;
  VariableBlocks(const sema::TypedFunction& fn, const types::TypeTable& types);

  /// Its value must be kept in a slot: more than one assignment, or one that not all uses are behind.
  bool needs_slot(sema::VarId var) const { return needs_slot_[var.index]; }
  /// A scalar all of whose values the host computes.
  bool on_host(sema::VarId var) const { return on_host_[var.index]; }

 private:
  friend class VariableBlocksBuilder;
  std::vector<bool> needs_slot_, on_host_;
};

/// Whether the host can compute the expression where the variables for which `on_host` holds are its own.
bool is_host_expr(const sema::TypedFunction& fn, const types::TypeTable& types, sema::ExprId id,
                  const std::vector<bool>& on_host);

}  // namespace jitc::array
