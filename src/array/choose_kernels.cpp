// What is fused: which nodes one kernel computes, and which are computed where they are taken.
#include <algorithm>

#include "src/array/scheduler.hpp"

namespace jitc::array {

/// Grouping says who shares a map, and a costly map that several kernels share is computed once: until nothing changes.
void Scheduler::choose_kernels(const Block& block) {
  find_joined_views();
  force_epilogues();
  do {
    choose_roots();
    block_->rows.clear();
    block_->contractions.clear();
    block_->maps.clear();
    block_->together.clear();
    group_contractions();
    group_folds();
    group_maps(block);
  } while (force_factors() || force_shared());
}

std::vector<uint32_t> Scheduler::in_order(const std::set<uint32_t>& nodes) const {
  std::vector<uint32_t> out;
  for (const uint32_t id : nodes) {
    if (is_here(NodeId(id))) out.push_back(id);
  }
  std::sort(out.begin(), out.end(),
            [&](uint32_t a, uint32_t b) { return places_[NodeId(a)].position < places_[NodeId(b)].position; });
  return out;
}

void Scheduler::choose_roots() {
  block_->roots.clear();
  for (const uint32_t id : block_->nodes.live) {
    if (is_here(NodeId(id)) && must_be_root(NodeId(id))) block_->roots.insert(id);
  }
}

bool Scheduler::must_be_root(NodeId id) const {
  const Node& n = node(id);
  const bool in_memory = block_->nodes.memory.contains(id.index);
  const bool made = base::match(
      n.kind, [](const Fold&) { return true; }, [](const Contract&) { return true; }, [](const Copy&) { return true; },
      [&](const Fill& f) { return in_memory && f.value.valid(); }, [&](const Iota&) { return in_memory; },
      [&](const Map& m) { return in_memory && types_.as_tuple(m.function->return_type) == nullptr; },
      [&](const Item&) { return in_memory; }, [](const auto&) { return false; });
  if (made && !n.on_host) return true;
  if (!is_elementwise(n) || n.on_host) return false;
  return block_->forced.contains(id.index);
}

/// A map that is computed in each kernel that takes it.
bool Scheduler::is_inline(NodeId id) const {
  return is_elementwise(node(id)) && !node(id).on_host && is_here(id) && !block_->roots.contains(id.index);
}

// --- arrays side by side ---------------------------------------------------------------------------------------------

void Scheduler::find_joined_views() {
  for (const uint32_t id : in_order(block_->nodes.live)) {
    if (stays_in_parts(NodeId(id))) block_->beside.insert(id);
  }
}

/// Arrays side by side are a view where all parts lie in memory, or are one value, and only maps read them, before
/// anything is stored.
bool Scheduler::stays_in_parts(NodeId id) const {
  const auto* join = std::get_if<Join>(&node(id).kind);
  if (join == nullptr || node(id).is_stored || block_->nodes.memory.contains(id.index)) return false;
  for (const NodeId part : join->parts) {
    const NodeId base = root_base(program(), through_fill(program(), part));
    const bool is_range = std::holds_alternative<Iota>(node(base).kind);
    const bool is_computed = is_elementwise(node(base)) && !node(base).on_host &&
                             (!places_.has(base) || (is_here(base) && !must_be_root(base)));
    if (is_range || is_computed) return false;
  }
  return is_read_by_maps(id, places_[id].epoch);
}

/// All who take it, or a view of it, are maps of the same epoch, or joins themselves.
bool Scheduler::is_read_by_maps(NodeId id, uint32_t epoch) const {
  const auto effects = block_->nodes.effects.find(id.index);
  if (effects != block_->nodes.effects.end()) {
    for (const uint32_t position : effects->second) {
      if (places_.epoch_at(block_->number, position) != epoch) return false;
    }
  }
  const auto users = block_->nodes.users.find(id.index);
  if (users == block_->nodes.users.end()) return true;
  return std::ranges::all_of(users->second, [&](NodeId user) {
    const Node& n = node(user);
    if (!is_here(user) || places_[user].epoch != epoch) return false;
    if (is_elementwise(n) || std::holds_alternative<Join>(n.kind) || std::holds_alternative<Copy>(n.kind)) return true;
    return moves_elements(n) && is_read_by_maps(user, epoch);
  });
}

// --- folds -----------------------------------------------------------------------------------------------------------

void Scheduler::group_folds() {
  for (const uint32_t id : in_order(block_->roots)) {
    if (std::holds_alternative<Fold>(node(NodeId(id)).kind)) group_fold(NodeId(id));
  }
}

/// Whether computing the node takes the kernel of `member` first. A kernel takes what all of its nodes take: two groups
/// may need each other though none of their nodes does.
bool Scheduler::depends_on(NodeId id, NodeId member) const {
  std::vector<NodeId> pending{id};
  std::set<uint32_t> seen;
  while (!pending.empty()) {
    const NodeId next = pending.back();
    pending.pop_back();
    if (!is_here(next) || !seen.insert(next.index).second) continue;
    if (next == member) return true;
    for_each_arg(node(next), [&](NodeId a) { pending.push_back(a); });
    for (const uint32_t other : block_->together.with(next)) pending.push_back(NodeId(other));
    for (const ExtentId e : node(next).shape) {
      for_each_scalar(program(), e, [&](NodeId n) { pending.push_back(n); });
    }
  }
  return false;
}

bool Scheduler::any_depends_on(const std::vector<NodeId>& nodes, NodeId member) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) { return depends_on(n, member); });
}

void Scheduler::group_fold(NodeId fold) {
  const Fold& f = std::get<Fold>(node(fold).kind);
  for (RowGroup& group : block_->rows) {
    if (!group.same_rows(f.array, f.folded)) continue;
    const NodeId first = group.first_fold();
    if (places_[first].epoch != places_[fold].epoch) continue;
    const auto cone = group.cone(f.array);
    if (!cone) continue;
    if (any_depends_on(cone->outside, first) || any_depends_on(cone->beside, first)) continue;
    // Together they read something once; otherwise each is better off alone.
    std::set<uint32_t> read;
    for (const auto& [other, stage] : group.folds()) {
      const auto theirs = group.cone(std::get<Fold>(node(NodeId(other)).kind).array);
      for (const NodeId n : theirs->outside) read.insert(n.index);
    }
    const bool shares = !cone->rows.empty() || std::any_of(cone->outside.begin(), cone->outside.end(), [&](NodeId n) {
      return !node(n).on_host && read.contains(n.index);
    });
    if (!shares) continue;
    block_->together.add(fold, first);
    group.add_fold(fold, cone->stage);
    return;
  }
  block_->together.add(fold, fold);
  RowGroup group(plan_.program, f.array, f.folded, [this](NodeId n) { return is_inline(n); });
  group.add_fold(fold, 0);
  block_->rows.push_back(std::move(group));
}

// --- maps ------------------------------------------------------------------------------------------------------------

void Scheduler::group_maps(const Block& block) {
  for (const uint32_t id : in_order(block_->roots)) {
    const Node& n = node(NodeId(id));
    if (std::holds_alternative<Fold>(n.kind) || std::holds_alternative<Contract>(n.kind)) continue;
    group_map(NodeId(id));
  }
  for (const StmtId id : block) {
    if (std::holds_alternative<Store>(program().stmts[id].kind)) block_->maps.push_back({{}, id, {}, -1});
  }
  for (const uint32_t id : in_order(block_->nodes.live)) {
    const auto* join = std::get_if<Join>(&node(NodeId(id)).kind);
    if (join == nullptr || block_->beside.contains(id)) continue;
    for (size_t k = 0; k < join->parts.size(); ++k) {
      block_->maps.push_back({{join->parts[k]}, std::nullopt, NodeId(id), static_cast<int>(k)});
    }
  }
}

void Scheduler::group_map(NodeId map) {
  const bool may_join = is_elementwise(node(map)) && !node(map).is_stored;
  if (may_join && (join_contraction(map) || join_rows(map) || join_map(map))) return;
  block_->together.add(map, map);
  block_->maps.push_back({{map}, std::nullopt, {}, -1});
}

/// Whether each axis has the domain's extent, or that broadcast with others: then the call tells.
bool Scheduler::may_have_shape(NodeId map, NodeId domain) const {
  const std::vector<ExtentId>&own = node(map).shape, &wanted = node(domain).shape;
  if (own.size() != wanted.size()) return false;
  for (size_t k = 0; k < own.size(); ++k) {
    if (!program().extents.is_or_joins(own[k], wanted[k])) return false;
  }
  return true;
}

/// A map of what a group's folds give, of each row or of each element.
bool Scheduler::join_rows(NodeId map) {
  for (RowGroup& group : block_->rows) {
    const NodeId first = group.first_fold();
    if (places_[first].epoch != places_[map].epoch) continue;
    group.row_roots.push_back(map);
    const bool is_row = group.row_value(map).has_value();
    if (is_row) {
      // What stands beside the rows must not come from them by another way.
      std::vector<NodeId> beside = leaves_of(map);
      std::erase_if(beside, [&](NodeId n) { return group.row_value(n).has_value(); });
      if (!any_depends_on(beside, first)) {
        block_->together.add(map, first);
        return true;
      }
    }
    group.row_roots.pop_back();
    if (is_row || !may_have_shape(map, group.domain())) continue;
    const auto cone = group.cone_of_root(map);
    if (!cone || cone->rows.empty()) continue;
    if (any_depends_on(cone->outside, first) || any_depends_on(cone->beside, first)) continue;
    block_->together.add(map, first);
    group.element_roots.push_back(map);
    return true;
  }
  return false;
}

/// The nodes that a kernel around this root reads.
std::vector<NodeId> Scheduler::leaves_of(NodeId root) const {
  std::vector<NodeId> out, pending{root};
  std::set<uint32_t> seen{root.index};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (id != root && !is_inline(id)) {
      out.push_back(id);
      continue;
    }
    const Map* map = as_map(program(), map_of(program(), id));
    if (map == nullptr) continue;
    for (const NodeId arg : map->args) {
      if (seen.insert(arg.index).second) pending.push_back(arg);
    }
  }
  return out;
}

/// Maps of one shape that read the same are one kernel with several results.
bool Scheduler::join_map(NodeId map) {
  const std::vector<NodeId> leaves = leaves_of(map);
  for (MapGroup& group : block_->maps) {
    if (group.roots.empty() || group.join.valid() || !is_elementwise(node(group.roots[0]))) continue;
    const NodeId first = group.roots[0];
    if (node(first).shape != node(map).shape || places_[first].epoch != places_[map].epoch || node(first).is_stored)
      continue;
    std::set<uint32_t> read;
    for (const NodeId r : group.roots) {
      for (const NodeId leaf : leaves_of(r)) read.insert(leaf.index);
    }
    bool shares = false, tangled = false;
    for (const NodeId leaf : leaves) {
      if (block_->together.are_together(leaf, first)) {
        shares = true;
      } else {
        shares = shares || (read.contains(leaf.index) && !node(leaf).on_host);
        tangled = tangled || depends_on(leaf, first);
      }
    }
    if (tangled || !shares) continue;
    block_->together.add(map, first);
    group.roots.push_back(map);
    return true;
  }
  return false;
}

}  // namespace jitc::array
