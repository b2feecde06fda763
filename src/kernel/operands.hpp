// The expressions and blocks that a node of the kernel IR refers to, in evaluation order.
#pragma once

#include <type_traits>
#include <unordered_set>
#include <vector>

#include "src/base/match.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::kernel {

namespace detail {

/// `To`, const when `From` is.
template <class From, class To>
using Like = std::conditional_t<std::is_const_v<From>, const To, To>;

/// An operand that may be absent.
template <class Id, class Visit>
void visit_valid(Id& id, Visit& visit) {
  if (id.valid()) visit(id);
}

template <class Ref, class Visit>
void visit_ref(Ref& ref, Visit& visit) {
  visit(ref.base);
  for (auto& term : ref.terms) {
    visit(term.index);
    visit(term.stride_bytes);
  }
}

}  // namespace detail

/// Calls `visit(id)` for each operand of an expression; on a mutable node the visitor may change the id.
template <class Node, class Visit>
requires std::is_same_v<std::remove_const_t<Node>, Expr>
void for_each_operand(Node& expr, Visit visit) {
  using detail::Like;
  base::match(
      expr.kind,                        //
      [](Like<Node, Const>&) {},        //
      [](Like<Node, ParamRef>&) {},     //
      [](Like<Node, LocalRef>&) {},     //
      [](Like<Node, MemoryBase>&) {},   //
      [](Like<Node, ThreadIndex>&) {},  //
      [&](Like<Node, Unary>& n) { visit(n.operand); }, [&](Like<Node, Binary>& n) { visit(n.lhs), visit(n.rhs); },
      [&](Like<Node, Compare>& n) { visit(n.lhs), visit(n.rhs); }, [&](Like<Node, Convert>& n) { visit(n.operand); },
      [&](Like<Node, Select>& n) { visit(n.cond), visit(n.then_value), visit(n.else_value); },
      [&](Like<Node, Fma>& n) { visit(n.lhs), visit(n.rhs), visit(n.addend); },
      [&](Like<Node, MathCall>& n) {
        for (auto& arg : n.args) visit(arg);
      },
      [&](Like<Node, Load>& n) { detail::visit_ref(n.ref, visit); },
      [&](Like<Node, Address>& n) { detail::visit_ref(n.ref, visit); });
}

/// Calls `visit(id)` for each expression that the statement itself evaluates (not those of the blocks inside it).
template <class Node, class Visit>
requires std::is_same_v<std::remove_const_t<Node>, Stmt>
void for_each_operand(Node& stmt, Visit visit) {
  using detail::Like;
  base::match(
      stmt.kind, [&](Like<Node, Assign>& n) { visit(n.value); },
      [&](Like<Node, Store>& n) {
        detail::visit_ref(n.ref, visit);
        visit(n.value);
      },
      [&](Like<Node, If>& n) { visit(n.cond); }, [&](Like<Node, Loop>& n) { visit(n.cond); }, [](Like<Node, Scope>&) {},
      [](Like<Node, Exit>&) {}, [](Like<Node, Continue>&) {}, [](Like<Node, Return>&) {},
      [&](Like<Node, Fail>& n) {
        for (auto& value : n.values) visit(value);
      },
      [&](Like<Node, Atomic>& n) {
        detail::visit_ref(n.ref, visit);
        detail::visit_valid(n.expected, visit);
        visit(n.value);
      },
      [&](Like<Node, Barrier>& n) { detail::visit_valid(n.predicate, visit); }, [](Like<Node, Fence>&) {},
      [&](Like<Node, Warp>& n) {
        for (auto* id : {&n.mask, &n.value, &n.lane}) detail::visit_valid(*id, visit);
      },
      [&](Like<Node, Print>& n) {
        for (auto& part : n.parts) detail::visit_valid(part.value, visit);
      });
}

/// True when `holds(expr)` for the expression and all below it. Each is asked once; the first that does not hold ends
/// it.
template <class Holds>
bool holds_for_all(const KernelProgram& program, ExprId root, Holds holds) {
  std::vector<ExprId> pending{root};
  std::unordered_set<uint32_t> seen;
  while (!pending.empty()) {
    const ExprId id = pending.back();
    pending.pop_back();
    if (!seen.insert(id.index).second) continue;
    if (!holds(program.exprs[id])) return false;
    for_each_operand(program.exprs[id], [&](ExprId operand) { pending.push_back(operand); });
  }
  return true;
}

/// The local that the statement itself assigns; invalid for none.
inline LocalId assigned_local(const Stmt& stmt) {
  return base::match(
      stmt.kind, [](const Assign& n) { return n.local; }, [](const Atomic& n) { return n.result; },
      [](const Barrier& n) { return n.result; }, [](const Warp& n) { return n.result; },
      [](const auto&) { return LocalId(); });
}

/// Calls `visit(const Block&)` for each block inside the statement, in textual order.
template <class Visit>
void for_each_block(const Stmt& stmt, Visit visit) {
  base::match(
      stmt.kind, [&](const If& n) { visit(n.then_block), visit(n.else_block); },
      [&](const Loop& n) { visit(n.head), visit(n.body), visit(n.step); }, [&](const Scope& n) { visit(n.body); },
      [](const auto&) {});
}

}  // namespace jitc::kernel
