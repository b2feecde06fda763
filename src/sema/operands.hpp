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
      [&](const ConvertExpr& e) { visit(e.operand); }, [&](const ComplexExpr& e) { visit(e.real), visit(e.imag); },
      [&](const PartExpr& e) { visit(e.operand); },
      [&](const FmaExpr& e) {
        if (e.addend_first) visit(e.addend);
        visit(e.lhs), visit(e.rhs);
        if (!e.addend_first) visit(e.addend);
      },
      [&](const MathExpr& e) { all(e.args); }, [](const ThreadExpr&) {}, [&](const TupleExpr& e) { all(e.elements); },
      [&](const TupleItemExpr& e) { visit(e.tuple); }, [&](const ElementExpr& e) { visit(e.array), all(e.indices); },
      [&](const ViewExpr& e) {
        visit(e.array);
        for (const AxisSelection& a : e.axes) some(a.index), some(a.lower), some(a.upper), some(a.step);
      },
      [&](const TransposeExpr& e) { visit(e.array); }, [&](const PartViewExpr& e) { visit(e.array); },
      [&](const ExtentExpr& e) { visit(e.array); }, [&](const StrideExpr& e) { visit(e.array); },
      [&](const SizeExpr& e) { visit(e.array); }, [&](const LetExpr& e) { visit(e.value), visit(e.body); },
      [&](const CallExpr& e) { all(e.args); }, [](const MemoryExpr&) {},
      [&](const NonZeroExpr& e) { visit(e.operand); },
      [&](const AtomicExpr& e) { visit(e.array), all(e.indices), some(e.expected), visit(e.value); },
      [&](const BarrierExpr& e) { some(e.predicate); }, [](const FenceExpr&) {},
      [&](const WarpExpr& e) { some(e.mask), some(e.value), some(e.lane); },
      [&](const RandomExpr& e) { visit(e.states), visit(e.index); },
      [&](const PrintExpr& e) {
        for (const PrintItem& item : e.items) some(item.value);
      });
}

/// True when evaluating the expression itself, apart from its operands, acts on memory or on other threads: it happens
/// once, and what is evaluated before it must not move behind it.
inline bool is_effect(const Expr& expr) {
  return base::match(
      expr.kind, [](const CallExpr&) { return true; }, [](const AtomicExpr&) { return true; },
      [](const BarrierExpr&) { return true; }, [](const FenceExpr&) { return true; },
      [](const WarpExpr&) { return true; }, [](const RandomExpr&) { return true; },
      [](const PrintExpr&) { return true; }, [](const auto&) { return false; });
}

/// True when it or an operand is an effect.
inline bool has_effect(const TypedFunction& fn, ExprId id) {
  bool found = is_effect(fn.exprs[id]);
  if (!found) for_each_operand(fn.exprs[id], [&](ExprId operand) { found = found || has_effect(fn, operand); });
  return found;
}

}  // namespace jitc::sema
