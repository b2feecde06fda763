// Walking from an expression to its parts.
#pragma once

#include "src/base/match.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::syntax {

/// Calls `visit(ExprId)` for each part that is there, in the order of the text.
template <class Visit>
void for_each_child(const Expr& expr, Visit visit) {
  const auto one = [&](ExprId id) {
    if (id) visit(id);
  };
  const auto all = [&](const std::vector<ExprId>& ids) {
    for (ExprId id : ids) one(id);
  };
  base::match(
      expr.kind, [](const NameExpr&) {}, [](const IntLit&) {}, [](const FloatLit&) {}, [](const ImagLit&) {},
      [](const BoolLit&) {}, [](const NoneLit&) {}, [](const StringLit&) {}, [](const EllipsisExpr&) {},
      [&](const TupleExpr& e) { all(e.elements); }, [&](const ListExpr& e) { all(e.elements); },
      [&](const SetExpr& e) { all(e.elements); }, [&](const UnaryExpr& e) { one(e.operand); },
      [&](const BinaryExpr& e) { one(e.lhs), one(e.rhs); }, [&](const CompareExpr& e) { one(e.first), all(e.rest); },
      [&](const BoolExpr& e) { all(e.operands); },
      [&](const TernaryExpr& e) { one(e.then_value), one(e.cond), one(e.else_value); },
      [&](const CallExpr& e) {
        one(e.callee), all(e.args);
        for (const KeywordArg& keyword : e.keywords) one(keyword.value);
      },
      [&](const AttributeExpr& e) { one(e.base); }, [&](const SubscriptExpr& e) { one(e.base), one(e.index); },
      [&](const SliceExpr& e) { one(e.lower), one(e.upper), one(e.step); },
      [&](const LambdaExpr& e) {
        for (const Param& param : e.params) one(param.annotation), one(param.default_value);
        one(e.body);
      });
}

}  // namespace jitc::syntax
