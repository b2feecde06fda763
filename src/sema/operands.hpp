// The expressions that a typed expression evaluates, in order.
#pragma once

#include <type_traits>

#include "src/base/match.hpp"
#include "src/sema/typed.hpp"

namespace jitc::sema {

namespace detail {
/// `To`, const when `From` is.
template <class From, class To>
using Like = std::conditional_t<std::is_const_v<From>, const To, To>;
}  // namespace detail

/// Calls `visit(id)` for each; of a mutable expression the visitor may change the id.
template <class Node, class Visit>
requires std::is_same_v<std::remove_const_t<Node>, Expr>
void for_each_operand(Node& expr, Visit visit) {
  using detail::Like;
  const auto all = [&](auto& ids) {
    for (auto& id : ids) visit(id);
  };
  const auto some = [&](auto& id) {
    if (id.valid()) visit(id);
  };
  base::match(
      expr.kind, [](Like<Node, ConstExpr>&) {}, [](Like<Node, VarExpr>&) {},
      [&](Like<Node, UnaryExpr>& e) { visit(e.operand); },
      [&](Like<Node, BinaryExpr>& e) { visit(e.lhs), visit(e.rhs); },
      [&](Like<Node, CompareExpr>& e) { visit(e.lhs), visit(e.rhs); },
      [&](Like<Node, LogicExpr>& e) { all(e.operands); },
      [&](Like<Node, LogicValueExpr>& e) { visit(e.lhs), visit(e.rhs); },
      [&](Like<Node, TernaryExpr>& e) { visit(e.cond), visit(e.then_value), visit(e.else_value); },
      [&](Like<Node, SelectExpr>& e) { visit(e.cond), visit(e.then_value), visit(e.else_value); },
      [&](Like<Node, ConvertExpr>& e) { visit(e.operand); },
      [&](Like<Node, ComplexExpr>& e) { visit(e.real), visit(e.imag); },
      [&](Like<Node, PartExpr>& e) { visit(e.operand); },
      [&](Like<Node, FmaExpr>& e) {
        if (e.addend_first) visit(e.addend);
        visit(e.lhs), visit(e.rhs);
        if (!e.addend_first) visit(e.addend);
      },
      [&](Like<Node, MathExpr>& e) { all(e.args); }, [](Like<Node, ThreadExpr>&) {},
      [&](Like<Node, TupleExpr>& e) { all(e.elements); }, [&](Like<Node, TupleItemExpr>& e) { visit(e.tuple); },
      [&](Like<Node, ElementExpr>& e) { visit(e.array), all(e.indices); },
      [&](Like<Node, ViewExpr>& e) {
        visit(e.array);
        for (auto& a : e.axes) some(a.index), some(a.lower), some(a.upper), some(a.step);
      },
      [&](Like<Node, TransposeExpr>& e) { visit(e.array); }, [&](Like<Node, PartViewExpr>& e) { visit(e.array); },
      [&](Like<Node, ExtentExpr>& e) { visit(e.array); }, [&](Like<Node, StrideExpr>& e) { visit(e.array); },
      [&](Like<Node, SizeExpr>& e) { visit(e.array); }, [&](Like<Node, LetExpr>& e) { visit(e.value), visit(e.body); },
      [&](Like<Node, CallExpr>& e) { all(e.args); }, [](Like<Node, MemoryExpr>&) {},
      [&](Like<Node, MapExpr>& e) { all(e.args); }, [&](Like<Node, FillExpr>& e) { some(e.value), all(e.shape); },
      [&](Like<Node, IotaExpr>& e) { visit(e.count); }, [&](Like<Node, PermuteExpr>& e) { visit(e.array); },
      [&](Like<Node, BroadcastExpr>& e) { visit(e.array), all(e.shape); },
      [&](Like<Node, ReshapeExpr>& e) { visit(e.array), all(e.shape); },
      [&](Like<Node, SqueezeExpr>& e) { visit(e.array); }, [&](Like<Node, DiagonalExpr>& e) { visit(e.array); },
      [&](Like<Node, JoinExpr>& e) { all(e.arrays); }, [&](Like<Node, CopyExpr>& e) { visit(e.array); },
      [&](Like<Node, FoldExpr>& e) { visit(e.array); }, [&](Like<Node, ContractExpr>& e) { visit(e.a), visit(e.b); },
      [&](Like<Node, NonZeroExpr>& e) { visit(e.operand); },
      [&](Like<Node, AtomicExpr>& e) { visit(e.array), all(e.indices), some(e.expected), visit(e.value); },
      [&](Like<Node, BarrierExpr>& e) { some(e.predicate); }, [](Like<Node, FenceExpr>&) {},
      [&](Like<Node, WarpExpr>& e) { some(e.mask), some(e.value), some(e.lane); },
      [&](Like<Node, RandomExpr>& e) { visit(e.states), visit(e.index); },
      [&](Like<Node, PrintExpr>& e) {
        for (auto& item : e.items) some(item.value);
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
