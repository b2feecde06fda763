// The expressions that a typed expression evaluates, in order.
#pragma once

#include "src/base/match.hpp"
#include "src/sema/typed.hpp"

namespace jitc::sema {

template <class Visit>
void for_each_operand(const Expr& expr, Visit visit) {
  const auto all = [&](const std::vector<ExprId>& ids) {
    for (ExprId id : ids) visit(id);
  };
  const auto some = [&](ExprId id) {
    if (id.valid()) visit(id);
  };
  base::match(
      expr.kind, [](const ConstExpr&) {}, [](const VarExpr&) {}, [&](const UnaryExpr& e) { visit(e.operand); },
      [&](const BinaryExpr& e) { visit(e.lhs), visit(e.rhs); },
      [&](const CompareExpr& e) { visit(e.lhs), visit(e.rhs); }, [&](const LogicExpr& e) { all(e.operands); },
      [&](const LogicValueExpr& e) { visit(e.lhs), visit(e.rhs); },
      [&](const TernaryExpr& e) { visit(e.cond), visit(e.then_value), visit(e.else_value); },
      [&](const SelectExpr& e) { visit(e.cond), visit(e.then_value), visit(e.else_value); },
      [&](const ConvertExpr& e) { visit(e.operand); },
      [&](const FmaExpr& e) { visit(e.lhs), visit(e.rhs), visit(e.addend); }, [&](const MathExpr& e) { all(e.args); },
      [](const ThreadExpr&) {}, [&](const TupleExpr& e) { all(e.elements); },
      [&](const TupleItemExpr& e) { visit(e.tuple); }, [&](const ElementExpr& e) { visit(e.array), all(e.indices); },
      [&](const ViewExpr& e) {
        visit(e.array);
        for (const AxisSelection& a : e.axes) some(a.index), some(a.lower), some(a.upper), some(a.step);
      },
      [&](const TransposeExpr& e) { visit(e.array); }, [&](const ExtentExpr& e) { visit(e.array); },
      [&](const StrideExpr& e) { visit(e.array); }, [&](const SizeExpr& e) { visit(e.array); },
      [&](const LetExpr& e) { visit(e.value), visit(e.body); }, [&](const CallExpr& e) { all(e.args); });
}

}  // namespace jitc::sema
