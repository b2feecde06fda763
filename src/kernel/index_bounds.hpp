// Which ints of a typed function are provably not negative: indices made of them need no test for counting from the
// end.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "src/sema/typed.hpp"

namespace jitc::kernel {

/// Facts about one function's variables, found by iteration over its assignments.
class IndexBounds {
 public:
  IndexBounds(const sema::TypedFunction& function, const types::TypeTable& types);

  /// True when the int expression has a value in [0, 2^62] whatever the arguments.
  bool never_negative(sema::ExprId expr) const { return bits(expr) >= 0; }
  /// True when both have values in [0, 2^61] whatever the arguments: their sum cannot overflow.
  bool sum_fits(sema::ExprId a, sema::ExprId b) const {
    return never_negative(a) && never_negative(b) && bits(a) < kMost && bits(b) < kMost;
  }

 private:
  // A value is in [0, 2^bits]; kUnknown when it may be negative or larger than 2^62; kUnset before any assignment.
  static constexpr int kUnknown = -1;
  static constexpr int kUnset = -2;
  static constexpr int kMost = 62;

  int bits(sema::ExprId expr) const;
  int binary_bits(const sema::BinaryExpr& e) const;
  bool takes_back_less(const sema::BinaryExpr& e) const;
  int counter_bits(const sema::ForStmt& s) const;
  int assigned_bits(sema::StmtId id, const sema::AssignStmt& s) const;
  struct Assignments {
    int count = 0;
    sema::StmtId last;
    bool in_loop = false;
  };
  void find_advances(const sema::WhileStmt& loop);
  void collect_assignments(const sema::Block& block, sema::VarId var, bool in_loop, Assignments& out) const;
  bool update();
  void record(sema::VarId var, int bits);
  static int join(int a, int b);

  const sema::TypedFunction& fn_;
  const types::TypeTable& types_;
  std::vector<int> vars_, next_;
  std::unordered_map<uint32_t, sema::ExprId> advance_limits_;  ///< by assignment: the bound its loop tests first
};

}  // namespace jitc::kernel
