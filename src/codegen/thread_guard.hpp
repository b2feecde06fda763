// Finds the range of x for which a thread does anything at all, so that the CPU loops over just those threads.
//
//     i = cuda.grid(1)                 for tx in range(0, min(block_dim.x, n - block_idx.x * block_dim.x)):
//     if i < n:                 →          i = …
//         out[i] = …                       out[i] = …          # no branch: the loop is vectorised
#pragma once

#include <unordered_map>
#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::codegen {

/// `index op bound` holds, where index is the thread's x, counted from the block's first thread or the grid's, and
/// bound has one value for all threads of a row.
struct IndexBound {
  kernel::ThreadValue index;  ///< kThreadIdx or kGlobalIdx, of axis 0
  kernel::CompareOp op;       ///< kLt, kLe, kGt, kGe
  kernel::ExprId bound;
};

/// A boolean expression and the value it must have for the thread to go on.
struct Condition {
  kernel::ExprId expr;
  bool wanted = true;
};

/// An If that is part of the guard.
struct GuardIf {
  bool returns = false;               ///< its then block is a Return; else its then block is all the rest
  std::vector<Condition> conditions;  ///< what is left to test in the thread: all of these
};

struct ThreadGuard {
  /// Assignments before the guard that have one value for a row of threads: what bounds and conditions may read.
  std::vector<kernel::StmtId> row_assigns;
  std::vector<IndexBound> bounds;
  /// With one value for a row: where one fails, the row does nothing.
  std::vector<Condition> row_conditions;
  std::unordered_map<kernel::StmtId, GuardIf> ifs;
};

/// The guard of the program's body: assignments, then an If around all the rest, or Ifs that only return. Empty where
/// the body has another form.
ThreadGuard find_thread_guard(const kernel::KernelProgram& program);

}  // namespace jitc::codegen
