// Maps that several kernels take: computed once and kept, or in each of them.
#include <algorithm>

#include "src/array/scheduler.hpp"

namespace jitc::array {

/// The kernel computes `root`: it takes all maps that this is made of, up to those with memory.
void Scheduler::note_use(NodeId root, uint32_t kernel, std::map<uint32_t, std::set<uint32_t>>& used) const {
  std::vector<NodeId> pending{root};
  std::set<uint32_t> seen;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (!seen.insert(id.index).second || (id != root && !is_inline(id))) continue;
    if (is_inline(id)) used[id.index].insert(kernel);
    const NodeId computed = map_of(program(), id);
    if (is_inline(computed)) used[computed.index].insert(kernel);
    if (const Map* m = as_map(program(), computed)) {
      for (const NodeId arg : m->args) pending.push_back(arg);
    }
  }
}

/// Whether a map is computed by the kernel with this number, which computes `member`, and by no other.
bool Scheduler::is_only_in(NodeId id, NodeId member, uint32_t kernel) const {
  if (block_->together.are_together(id, member)) return true;
  const auto found = block_->used.find(id.index);
  return is_inline(id) && found != block_->used.end() && found->second == std::set<uint32_t>{kernel};
}

/// Not a map whose function returns several: then its items are values.
bool Scheduler::is_one_value(NodeId id) const {
  const Map* map = as_map(program(), id);
  return map == nullptr || types_.as_tuple(map->function->return_type) == nullptr;
}

/// True where a map got memory of its own: costly ones that several kernels take, those that a larger shape or a
/// contraction would compute again for each of its elements, and those that a store comes between.
bool Scheduler::force_shared() {
  std::map<uint32_t, std::set<uint32_t>> used;
  uint32_t kernel = 0;
  const auto note_taken = [&](NodeId id) {
    if (is_inline(id)) note_use(id, kernel, used);
  };
  for (const RowGroup& group : block_->rows) {
    for (const auto& [fold, stage] : group.folds()) note_taken(std::get<Fold>(node(NodeId(fold)).kind).array);
    for (const NodeId r : group.row_roots) note_use(r, kernel, used);
    for (const NodeId r : group.element_roots) note_use(r, kernel, used);
    ++kernel;
  }
  for (const ContractGroup& group : block_->contractions) {
    const auto& c = std::get<Contract>(node(group.product).kind);
    note_taken(c.a);
    note_taken(c.b);
    for (const NodeId r : group.roots) note_use(r, kernel, used);
    ++kernel;
  }
  for (const MapGroup& group : block_->maps) {
    for (const NodeId r : group.roots) {
      const auto* copy = std::get_if<Copy>(&node(r).kind);
      copy != nullptr ? note_taken(copy->array) : note_use(r, kernel, used);
    }
    if (group.store) note_taken(std::get<Store>(program().stmts[*group.store].kind).value);
    ++kernel;
  }
  block_->used = used;
  bool changed = false;
  const auto force = [&](uint32_t id) { changed = block_->forced.insert(id).second || changed; };
  for (const auto& [id, kernels] : used) {
    const Node& n = node(NodeId(id));
    const Map& m = *as_map(program(), map_of(program(), NodeId(id)));
    if (m.args.empty()) continue;
    const bool costly = cost_of(*m.function) > kCheap;
    if (!is_one_value(NodeId(id))) continue;
    if (costly && kernels.size() > 1) force(id);
    const uint32_t epoch = places_[NodeId(id)].epoch;
    for (const uint32_t position : block_->nodes.effects[id]) {
      if (places_.epoch_at(block_->number, position) != epoch) force(id);
    }
    for (const NodeId user : block_->nodes.users[id]) {
      if (places_.has(user) && places_[user].epoch != epoch) force(id);
      if (!is_elementwise(node(user))) continue;
      const bool grows = node(user).rank() > n.rank() && n.rank() > 0;
      const bool is_row = std::any_of(block_->rows.begin(), block_->rows.end(),
                                      [&](const RowGroup& g) { return g.row_value(NodeId(id)).has_value(); });
      if (costly && grows && !is_row) force(id);
    }
  }
  return changed;
}

}  // namespace jitc::array
