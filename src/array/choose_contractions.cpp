// What the kernel of a contraction computes besides: of its factors before, and of its sums after.
#include <algorithm>

#include "src/array/contract_letters.hpp"
#include "src/array/scheduler.hpp"

namespace jitc::array {

/// Whether m, n or k is several axes: what lies along them otherwise than the product is copied first.
bool Scheduler::has_joined_axes(const Contract& contract) const {
  const ContractLetters letters = letters_of(contract);
  return letters.m.size() > 1 || letters.n.size() > 1 || letters.k.size() > 1;
}

/// A range without memory among these: nothing that could be copied.
bool Scheduler::has_range(const std::vector<NodeId>& leaves) const {
  return std::any_of(leaves.begin(), leaves.end(),
                     [this](NodeId n) { return operand(n, false).kind == kernel::KernelOperand::Kind::index; });
}

/// A factor's elements are computed where the kernel reads them, a few times each: so only if that is little work.
bool Scheduler::is_cheap_factor(NodeId factor) const {
  return chain_cost(program(), factor, [this](NodeId n) { return is_inline(n); }) <= kCheapChain;
}

/// True where a factor got memory of its own.
bool Scheduler::force_factors() {
  bool changed = false;
  for (const ContractGroup& group : block_->contractions) {
    const auto& c = std::get<Contract>(node(group.product).kind);
    for (const NodeId factor : {c.a, c.b}) {
      if (!is_inline(factor)) continue;
      // A library reads its factors from memory.
      const bool is_ours = program().blas == sema::BlasUse::never;
      const bool can_copy = !has_joined_axes(c) || !has_range(leaves_of(factor));
      if (is_ours && can_copy && is_one_value(factor) && is_cheap_factor(factor)) continue;
      changed = block_->forced.insert(factor.index).second || changed;
    }
  }
  return changed;
}

/// A map of the product's elements, one for one.
bool Scheduler::may_follow(NodeId id, NodeId product) const {
  const Node& n = node(id);
  return is_elementwise(n) && !n.on_host && !n.is_stored && is_here(id) &&
         places_[id].epoch == places_[product].epoch && may_have_shape(id, product);
}

/// The last map through which everything goes that is made of the product. Invalid where there is none: then the sums
/// themselves are wanted.
NodeId Scheduler::only_exit(NodeId product) const {
  const BlockNodes& nodes = block_->nodes;
  std::set<uint32_t> inside{product.index};
  NodeId last = product, exit;
  for (;;) {
    std::set<uint32_t> next;
    bool is_exit = true;
    for (const uint32_t id : inside) {
      const bool leaves = nodes.effects.contains(id);
      is_exit = is_exit && (!leaves || NodeId(id) == last);
      const auto users = nodes.users.find(id);
      if (users == nodes.users.end()) continue;
      for (const NodeId user : users->second) {
        if (inside.contains(user.index)) continue;
        is_exit = is_exit && NodeId(id) == last;
        next.insert(user.index);
      }
    }
    if (is_exit && last != product && is_one_value(last)) exit = last;
    if (next.empty()) return exit;
    for (const uint32_t id : next) {
      if (!may_follow(NodeId(id), product)) return exit;
    }
    last = NodeId(in_order(next).front());
    inside.insert(last.index);
  }
}

/// What becomes of the sums of a product is computed by its kernel, so that the sums are never stored.
void Scheduler::force_epilogues() {
  for (const uint32_t id : in_order(block_->nodes.live)) {
    if (!std::holds_alternative<Contract>(node(NodeId(id)).kind)) continue;
    if (const NodeId exit = only_exit(NodeId(id)); exit.valid()) block_->forced.insert(exit.index);
  }
}

void Scheduler::group_contractions() {
  for (const uint32_t id : in_order(block_->roots)) {
    if (!std::holds_alternative<Contract>(node(NodeId(id)).kind)) continue;
    block_->together.add(NodeId(id), NodeId(id));
    block_->contractions.push_back({NodeId(id), {}});
  }
}

/// A map of a product's sums that needs memory.
bool Scheduler::join_contraction(NodeId map) {
  const std::vector<NodeId> leaves = leaves_of(map);
  for (ContractGroup& group : block_->contractions) {
    if (std::find(leaves.begin(), leaves.end(), group.product) == leaves.end()) continue;
    if (!may_follow(map, group.product)) continue;
    if (has_joined_axes(std::get<Contract>(node(group.product).kind)) && has_range(leaves)) continue;
    std::vector<NodeId> beside = leaves;
    std::erase_if(beside, [&](NodeId n) { return block_->together.are_together(n, group.product); });
    if (any_depends_on(beside, group.product)) continue;
    block_->together.add(map, group.product);
    group.roots.push_back(map);
    return true;
  }
  return false;
}

}  // namespace jitc::array
