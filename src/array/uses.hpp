// Small questions about nodes that several passes ask.
#pragma once

#include <algorithm>
#include <set>
#include <span>

#include "src/array/ir.hpp"
#include "src/base/match.hpp"

namespace jitc::array {

/// Calls `visit(id)` for each node that the node is made of; on a mutable node the visitor may change the id.
template <class N, class Visit>
requires std::is_same_v<std::remove_const_t<N>, Node>
void for_each_arg(N& node, Visit visit) {
  const auto some = [&](auto& id) {
    if (id.valid()) visit(id);
  };
  std::visit(
      [&](auto& k) {
        using K = std::remove_cvref_t<decltype(k)>;
        if constexpr (std::is_same_v<K, Map>) {
          for (auto& arg : k.args) visit(arg);
        } else if constexpr (std::is_same_v<K, Item>) {
          visit(k.map);
        } else if constexpr (std::is_same_v<K, Fill> || std::is_same_v<K, ToHost>) {
          some(k.value);
        } else if constexpr (std::is_same_v<K, Extent> || std::is_same_v<K, Fold> || std::is_same_v<K, Copy>) {
          visit(k.array);
        } else if constexpr (std::is_same_v<K, Slice>) {
          visit(k.base);
          for (auto& s : k.axes) some(s.index), some(s.lower), some(s.upper), some(s.step);
        } else if constexpr (std::is_same_v<K, Reshape>) {
          visit(k.base);
          for (auto& extent : k.shape) visit(extent);
        } else if constexpr (std::is_same_v<K, Part>) {
          visit(k.base), some(k.map);
        } else if constexpr (std::is_same_v<K, Permute> || std::is_same_v<K, Broadcast> || std::is_same_v<K, Squeeze> ||
                             std::is_same_v<K, Diagonal>) {
          visit(k.base);
        } else if constexpr (std::is_same_v<K, Contract>) {
          visit(k.a), visit(k.b);
        } else if constexpr (std::is_same_v<K, Join>) {
          for (auto& part : k.parts) visit(part);
        } else {
          static_assert(std::is_same_v<K, Param> || std::is_same_v<K, Read> || std::is_same_v<K, Iota> ||
                        std::is_same_v<K, Table>);
        }
      },
      node.kind);
}

/// The same for what a statement itself takes, not those in its blocks.
template <class S, class Visit>
requires std::is_same_v<std::remove_const_t<S>, Stmt>
void for_each_value(S& stmt, Visit visit) {
  std::visit(
      [&](auto& k) {
        using K = std::remove_cvref_t<decltype(k)>;
        if constexpr (std::is_same_v<K, Set>) {
          visit(k.value);
        } else if constexpr (std::is_same_v<K, Store>) {
          visit(k.target), visit(k.value);
        } else if constexpr (std::is_same_v<K, If> || std::is_same_v<K, Loop>) {
          visit(k.cond);
        } else if constexpr (std::is_same_v<K, Return>) {
          for (auto& value : k.values) visit(value);
        } else if constexpr (std::is_same_v<K, Fail>) {
          if (k.cond.valid()) visit(k.cond);
        }
      },
      stmt.kind);
}

template <class S, class Visit>
requires std::is_same_v<std::remove_const_t<S>, Stmt>
void for_each_block(S& stmt, Visit visit) {
  std::visit(
      [&](auto& k) {
        using K = std::remove_cvref_t<decltype(k)>;
        if constexpr (std::is_same_v<K, If>) {
          visit(k.then_block), visit(k.else_block);
        } else if constexpr (std::is_same_v<K, Loop>) {
          visit(k.head), visit(k.body), visit(k.step);
        } else if constexpr (std::is_same_v<K, Scope>) {
          visit(k.body);
        }
      },
      stmt.kind);
}

/// What a view is of; invalid for what is no view.
inline NodeId view_base(const Node& node) {
  return base::match(
      node.kind, [](const Slice& v) { return v.base; }, [](const Permute& v) { return v.base; },
      [](const Broadcast& v) { return v.base; }, [](const Reshape& v) { return v.base; },
      [](const Squeeze& v) { return v.base; }, [](const Diagonal& v) { return v.base; },
      [](const Part& v) { return v.base; }, [](const auto&) { return NodeId(); });
}

/// A view that only says where elements are, which arrays side by side can do part by part.
inline bool moves_elements(const Node& node) {
  return std::holds_alternative<Slice>(node.kind) || std::holds_alternative<Permute>(node.kind) ||
         std::holds_alternative<Broadcast>(node.kind) || std::holds_alternative<Squeeze>(node.kind);
}

/// The node behind all views.
inline NodeId root_base(const Program& program, NodeId id) {
  for (NodeId next = view_base(program.nodes[id]); next.valid(); next = view_base(program.nodes[id])) id = next;
  return id;
}

/// The scalar that all elements are, for a filled array and views of it; the node itself for all others.
inline NodeId through_fill(const Program& program, NodeId id) {
  NodeId base = id;
  for (NodeId next = id; next.valid(); next = view_base(program.nodes[next])) {
    if (std::holds_alternative<Part>(program.nodes[next].kind)) return id;  // which is another number
    base = next;
  }
  const auto* fill = std::get_if<Fill>(&program.nodes[base].kind);
  return fill != nullptr && fill->value.valid() && !program.nodes[base].is_stored ? fill->value : id;
}

inline const Map* as_map(const Program& program, NodeId id) { return std::get_if<Map>(&program.nodes[id].kind); }

/// The map that an item is a result of; the node itself for all others.
inline NodeId map_of(const Program& program, NodeId id) {
  const auto* item = std::get_if<Item>(&program.nodes[id].kind);
  return item != nullptr ? item->map : id;
}

/// A slice of all there is, with no new axes.
inline bool selects_everything(std::span<const Selection> axes) {
  return std::all_of(axes.begin(), axes.end(), [](const Selection& s) { return s.kind == Selection::Kind::whole; });
}

/// Computed from elements in place: a map, or one result of one.
inline bool is_elementwise(const Node& node) {
  return std::holds_alternative<Map>(node.kind) || std::holds_alternative<Item>(node.kind);
}

/// How much work one element is, in simple operations.
inline uint32_t cost_of(const sema::TypedFunction& fn) {
  uint32_t cost = 0;
  for (const sema::Expr& e : fn.exprs) {
    cost += base::match(
        e.kind, [](const sema::MathExpr&) { return 20U; },
        [](const sema::BinaryExpr& b) { return b.op == kernel::BinaryOp::kDiv ? 4U : 1U; },
        [](const sema::UnaryExpr& u) { return u.op == kernel::UnaryOp::kSqrt ? 4U : 1U; },
        [](const sema::CallExpr& c) { return 1 + cost_of(*c.function); }, [](const sema::ConstExpr&) { return 0U; },
        [](const sema::VarExpr&) { return 0U; }, [](const sema::ConvertExpr&) { return 1U; },
        [](const auto&) { return 1U; });
  }
  for (const sema::Stmt& s : fn.stmts) {
    const bool loops = std::holds_alternative<sema::ForStmt>(s.kind) || std::holds_alternative<sema::WhileStmt>(s.kind);
    cost += loops ? 100 : 0;
  }
  return cost;
}

/// The work of one element of a node: the node's own and that of the maps it is made of, where `is_inline(id)`.
template <class IsInline>
uint32_t chain_cost(const Program& program, NodeId id, IsInline is_inline) {
  uint32_t cost = 0;
  std::vector<NodeId> pending{id};
  std::set<uint32_t> seen;
  while (!pending.empty()) {
    const NodeId next = pending.back(), computed = map_of(program, next);
    pending.pop_back();
    const Map* map = as_map(program, computed);
    if (map == nullptr || !is_inline(next) || !seen.insert(computed.index).second) continue;
    cost += cost_of(*map->function);
    pending.insert(pending.end(), map->args.begin(), map->args.end());
  }
  return cost;
}

/// What is computed again rather than kept where several take it.
constexpr uint32_t kCheap = 3;
/// All that is computed again, maps of maps included, of what is read several times: through several views, or as the
/// factor of a contraction, once for each tile.
constexpr uint32_t kCheapChain = 8;

}  // namespace jitc::array
