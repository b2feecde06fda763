// The plain meaning of an array function: walks over its typed tree, one operation at a time, on dense arrays of
// numbers. It fuses nothing, skips nothing and shares no code with the stages behind the types.
#pragma once

#include <string>
#include <vector>

#include "src/sema/typed.hpp"
#include "tests/random_arrays/values.hpp"

namespace jitc::random_arrays {

/// Ways in which the evaluator can be made wrong, to see that a difference is found.
enum class Mistake : uint8_t { none, swapped_subtraction, sum_in_order };

class Evaluator {
 public:
  explicit Evaluator(const types::TypeTable& types, Mistake mistake = Mistake::none)
      : types_(types), mistake_(mistake) {}

  /// What the function returns. Stores go to the numbers of `args`. Throws CallFailure.
  Value call(const sema::TypedFunction& function, std::vector<Value> args);

 private:
  using ExprId = sema::ExprId;
  enum class Flow : uint8_t { next, leave, again, done };
  struct Frame {
    const sema::TypedFunction* fn = nullptr;
    std::vector<Value> vars;
    Value result;
  };

  // --- eval_stmts.cpp
  Flow run(const sema::Block& block);
  Flow run(const sema::Stmt& stmt);
  template <class Turn>
  Flow loop(const sema::Block& orelse, const Turn& turn);
  Flow run_for(const sema::ForStmt& s);
  void store(const Dense& target, const Value& value);
  Dense place_of(ExprId target);

  // --- eval_scalars.cpp
  Value value(ExprId id);
  Value scalar(const sema::Expr& e);
  Value convert(const Value& x, sema::TypeId from, sema::TypeId to) const;
  bool truth(ExprId id) { return value(id).number.real != 0; }
  int64_t integer(ExprId id) { return static_cast<int64_t>(value(id).number.real); }
  DType dtype(ExprId id) const { return dtype_of(expr(id).type); }
  DType dtype_of(sema::TypeId type) const;
  const sema::Expr& expr(ExprId id) const { return frame_->fn->exprs[id]; }

  // --- eval_arrays.cpp
  bool is_array(sema::TypeId type) const { return types_.as_array(type) != nullptr; }
  const Dense& array(ExprId id);
  Value array_value(const sema::Expr& e);
  Value map(const sema::MapExpr& e, sema::TypeId type);
  void check_product(const sema::FoldExpr& e);
  Dense view(const sema::ViewExpr& e);
  Dense reshape(const sema::ReshapeExpr& e);
  Dense join(const sema::JoinExpr& e);
  Shape shape_of(const std::vector<ExprId>& extents);
  Dense element_place(const sema::ElementExpr& e);

  const types::TypeTable& types_;
  Mistake mistake_;
  Frame* frame_ = nullptr;
  std::vector<Value> kept_;  ///< arrays that references look at, until the call ends
  int depth_ = 0;
};

/// The fold as docs/design/row-folds.md has it: a number for each index of the axes that stay.
Dense fold(const sema::FoldExpr& e, const Dense& array, Mistake mistake);
/// The sums of products as docs/design/contractions.md has them.
Dense contract(const sema::ContractExpr& e, const Dense& a, const Dense& b);

}  // namespace jitc::random_arrays
