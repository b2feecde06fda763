#include "src/codegen/thread_guard.hpp"

#include <optional>

#include "src/codegen/variation.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

CompareOp mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::kLt: return CompareOp::kGt;
    case CompareOp::kLe: return CompareOp::kGe;
    case CompareOp::kGt: return CompareOp::kLt;
    case CompareOp::kGe: return CompareOp::kLe;
    case CompareOp::kEq:
    case CompareOp::kNe: return op;
  }
  return op;
}

CompareOp negated(CompareOp op) {
  switch (op) {
    case CompareOp::kLt: return CompareOp::kGe;
    case CompareOp::kLe: return CompareOp::kGt;
    case CompareOp::kGt: return CompareOp::kLe;
    case CompareOp::kGe: return CompareOp::kLt;
    case CompareOp::kEq: return CompareOp::kNe;
    case CompareOp::kNe: return CompareOp::kEq;
  }
  return op;
}

class GuardFinder {
 public:
  explicit GuardFinder(const KernelProgram& program)
      : program_(program), locals_(program.locals.size(), Variation::kRow) {}

  ThreadGuard find() {
    walk(program_.body);
    return std::move(guard_);
  }

 private:
  /// Follows the statements that every thread of a row runs before it does anything that others can see.
  void walk(const Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      const StmtId id = block[i];
      const auto& kind = program_.stmts[id].kind;
      if (const auto* assign = std::get_if<Assign>(&kind)) {
        follow_assign(id, *assign);
      } else if (const auto* branch = std::get_if<If>(&kind); branch && branch->else_block.empty()) {
        const bool returns = only_returns(branch->then_block);
        if (!returns && !nothing_after(block, i)) return;
        add_guard(id, *branch, returns);
        if (!returns) return walk(branch->then_block);
      } else {
        return;
      }
    }
  }

  void follow_assign(StmtId id, const Assign& assign) {
    const Variation value = variation(assign.value);
    locals_[assign.local.index] = value;
    if (value == Variation::kRow) guard_.row_assigns.push_back(id);
  }

  bool is_return(StmtId id) const { return std::holds_alternative<Return>(program_.stmts[id].kind); }
  bool only_returns(const Block& block) const { return !block.empty() && is_return(block.front()); }
  bool nothing_after(const Block& block, size_t i) const { return i + 1 == block.size() || is_return(block[i + 1]); }

  void add_guard(StmtId id, const If& branch, bool returns) {
    GuardIf& guard_if = guard_.ifs[id];
    guard_if.returns = returns;
    split({branch.cond, !returns}, guard_if.conditions);
  }

  /// Sorts the parts of a conjunction into bounds, row conditions and the rest.
  void split(Condition condition, std::vector<Condition>& rest) {
    const Expr& expr = program_.exprs[condition.expr];
    if (const auto* unary = std::get_if<Unary>(&expr.kind); unary && unary->op == UnaryOp::kNot) {
      return split({unary->operand, !condition.wanted}, rest);
    }
    const BinaryOp joining = condition.wanted ? BinaryOp::kAnd : BinaryOp::kOr;
    if (const auto* both = std::get_if<Binary>(&expr.kind); both && both->op == joining) {
      split({both->lhs, condition.wanted}, rest);
      return split({both->rhs, condition.wanted}, rest);
    }
    if (const auto* both = std::get_if<Select>(&expr.kind); both && joins(*both, condition.wanted)) {
      split({both->cond, condition.wanted}, rest);
      return split({condition.wanted ? both->then_value : both->else_value, condition.wanted}, rest);
    }
    if (variation(condition.expr) == Variation::kRow) {
      guard_.row_conditions.push_back(condition);
    } else if (const auto bound = as_bound(condition)) {
      guard_.bounds.push_back(*bound);
    } else {
      rest.push_back(condition);
    }
  }

  /// `a and b` as Select(a, b, False); `a or b` as Select(a, True, b).
  bool joins(const Select& select, bool wanted) const {
    const Const* constant = std::get_if<Const>(&program_.exprs[wanted ? select.else_value : select.then_value].kind);
    return constant && (constant->bits != 0) != wanted;
  }

  std::optional<IndexBound> as_bound(Condition condition) {
    const auto* compare = std::get_if<Compare>(&program_.exprs[condition.expr].kind);
    if (!compare) return std::nullopt;
    CompareOp op = condition.wanted ? compare->op : negated(compare->op);
    ExprId index = compare->lhs, bound = compare->rhs;
    if (variation(index) == Variation::kRow) {
      std::swap(index, bound);
      op = mirrored(op);
    }
    if (op == CompareOp::kEq || op == CompareOp::kNe || variation(bound) != Variation::kRow) return std::nullopt;
    const Variation along_row = variation(index);
    if (along_row == Variation::kThreadIdx) return IndexBound{ThreadValue::kThreadIdx, op, bound};
    if (along_row == Variation::kGlobalIdx) return IndexBound{ThreadValue::kGlobalIdx, op, bound};
    return std::nullopt;
  }

  Variation variation(ExprId id) const { return variation_of(program_, id, locals_); }

  const KernelProgram& program_;
  std::vector<Variation> locals_;  ///< of each local's value at the statement that walk() has reached
  ThreadGuard guard_;
};

}  // namespace

ThreadGuard find_thread_guard(const KernelProgram& program) { return GuardFinder(program).find(); }

}  // namespace jitc::codegen
