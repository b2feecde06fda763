#include "src/array/row_writer.hpp"

#include <algorithm>

namespace jitc::array {

namespace {
/// Where numbers of values that are no operands start, until the operands are counted.
constexpr uint32_t kStageValues = 1U << 20;
}  // namespace

void RowWriter::note_rows(const std::vector<RowValue>& rows) {
  for (const RowValue& row : rows) {
    if (is_elementwise(s_.node(row.value))) row_maps_.emplace(row.value.index, row.level);
  }
}

void RowWriter::find_values() {
  stages_ = group_.stage_count();
  for (const auto& [fold, stage] : group_.folds()) {
    const auto cone = group_.cone(std::get<Fold>(s_.node(NodeId(fold)).kind).array);
    JITC_CHECK(cone.has_value(), "a fold that its group cannot compute");
    note_rows(cone->rows);
  }
  for (const NodeId root : group_.element_roots) {
    const auto cone = group_.cone_of_root(root);
    JITC_CHECK(cone.has_value(), "a map that its group cannot compute");
    note_rows(cone->rows);
    element_stage_.emplace(root.index, cone->stage);
    stages_ = std::max(stages_, cone->stage + 1);
  }
  for (const NodeId root : group_.row_roots) row_maps_.emplace(root.index, group_.row_value(root)->level);
  for (const auto& [map, level] : row_maps_) line_up(NodeId(map));
  find_kept();
}

/// Costly maps of elements that more than one stage takes are computed in the first and kept.
void RowWriter::find_kept() {
  std::map<uint32_t, std::set<uint32_t>> stages_of;
  const auto note = [&](NodeId root, uint32_t stage) {
    const auto cone = element_stage_.contains(root.index) ? group_.cone_of_root(root) : group_.cone(root);
    JITC_CHECK(cone.has_value(), "a map that its group cannot compute");
    for (const NodeId n : cone->inlined) stages_of[n.index].insert(stage);
  };
  for (const auto& [fold, stage] : group_.folds()) note(std::get<Fold>(s_.node(NodeId(fold)).kind).array, stage);
  for (const auto& [root, stage] : element_stage_) note(NodeId(root), stage);
  for (const auto& [id, stages] : stages_of) {
    const NodeId map = map_of(program(), NodeId(id));
    const bool whole = s_.node(NodeId(id)).shape == s_.node(group_.domain()).shape;
    if (stages.size() > 1 && whole && cost_of(*as_map(program(), map)->function) > kCheap)
      kept_.emplace(id, *stages.begin());
  }
}

/// Notes along which axes of the domain lie the arrays that a map of rows takes from elsewhere.
void RowWriter::line_up(NodeId map) {
  const std::vector<int> axes = group_.row_value(map)->axes;
  for (const NodeId arg : as_map(program(), map_of(program(), map))->args) {
    const Node& a = s_.node(arg);
    std::vector<int> own;
    for (size_t k = 0; k < a.rank(); ++k) own.push_back(axes[axes.size() - a.rank() + k]);
    if (const auto row = group_.row_value(arg)) {
      leaf_axes_.insert_or_assign(row->value.index, group_.row_value(row->value)->axes);
      if (is_elementwise(s_.node(row->value)) && !row_maps_.contains(row->value.index)) line_up(row->value);
    } else {
      line_up_leaves(arg, own);
    }
  }
}

/// The same for what a map takes that is computed on the way.
void RowWriter::line_up_leaves(NodeId id, const std::vector<int>& axes) {
  if (!s_.is_inline(id)) {
    leaf_axes_.insert_or_assign(id.index, axes);
    return;
  }
  for (const NodeId arg : as_map(program(), map_of(program(), id))->args) {
    const size_t rank = s_.node(arg).rank();
    line_up_leaves(arg, {axes.end() - static_cast<std::ptrdiff_t>(rank), axes.end()});
  }
}

/// A view of the node whose axes are those of the domain, at their last ones.
NodeId RowWriter::lined_up(NodeId id) {
  const auto known = lined_up_.find(id.index);
  if (known != lined_up_.end()) return known->second;
  const auto found = leaf_axes_.find(id.index);
  const Node n = s_.node(id);
  const size_t rank = s_.node(group_.domain()).rank();
  if (found == leaf_axes_.end() || n.rank() == 0) return id;
  bool in_place = n.rank() <= rank;
  for (size_t k = 0; k < n.rank(); ++k) {
    const int at = static_cast<int>(rank - n.rank() + k);
    in_place = in_place && (found->second[k] == at || found->second[k] == -1);
  }
  if (in_place) return id;
  Slice view{id, {}};
  std::vector<ExtentId> shape;
  size_t k = 0;
  const auto skip = [&] {
    while (k < n.rank() && found->second[k] == -1) view.axes.push_back({Selection::Kind::first, {}, {}, {}, {}}), ++k;
  };
  for (int d = 0; d < static_cast<int>(rank); ++d) {
    skip();
    const bool has = k < n.rank() && found->second[k] == d;
    view.axes.push_back({has ? Selection::Kind::whole : Selection::Kind::new_axis, {}, {}, {}, {}});
    shape.push_back(has ? n.shape[k] : s_.plan_.program.extents.constant(1));
    k += has ? 1 : 0;
  }
  skip();
  const NodeId made = s_.plan_.program.nodes.add({n.span, n.dtype, std::move(shape), std::move(view)});
  s_.places_.add(made, {s_.block_->number, 0, 0});
  lined_up_.emplace(id.index, made);
  return made;
}

// --- what leaves the kernel ------------------------------------------------------------------------------------------

bool RowWriter::is_ours(NodeId user) const { return s_.is_only_in(user, group_.first_fold(), index_); }

bool RowWriter::needs_memory(NodeId id) const {
  if (s_.block_->nodes.effects.contains(id.index)) return true;
  const auto users = s_.block_->nodes.users.find(id.index);
  if (users == s_.block_->nodes.users.end()) return false;
  return std::any_of(users->second.begin(), users->second.end(), [&](NodeId user) {
    if (is_ours(user)) return false;
    if (view_base(s_.node(user)).valid() && group_.row_value(user)) return needs_memory(user);
    // The item of a map stands for the map.
    if (std::holds_alternative<Item>(s_.node(user).kind)) return needs_memory(user);
    return true;
  });
}

// --- kernels ---------------------------------------------------------------------------------------------------------

RowsKernel RowWriter::whole() {
  in_steps_ = false;
  return write(0, stages_);
}

std::vector<RowsKernel> RowWriter::in_steps() {
  in_steps_ = true;
  std::vector<RowsKernel> out;
  for (uint32_t stage = 0; stage < group_.stage_count(); ++stage) out.push_back(write(stage, stage + 1));
  return out;
}

RowsKernel RowWriter::write(uint32_t first, uint32_t last) {
  RowsKernel out;
  out.domain = group_.domain();
  out.folded = group_.folded();
  for (const auto& [fold, stage] : group_.folds()) {
    if (stage >= first && stage < last) out.folds.push_back(NodeId(fold));
  }
  numbers_.clear();
  // Operands come first in the numbering, and are known only when all functions are written: values of stages are
  // counted from a number of their own until then.
  next_ = kStageValues;
  for (uint32_t stage = first; stage < last; ++stage) write_stage(out, stage);
  const auto operands = static_cast<uint32_t>(out.operands.size());
  const auto settle = [&](uint32_t& number) {
    if (number >= kStageValues) number = number - kStageValues + operands;
  };
  for (kernel::RowStage& stage : out.rows.stages) {
    for (uint32_t& n : stage.element_args) settle(n);
    for (uint32_t& n : stage.row_args) settle(n);
  }
  for (kernel::RowOutput& output : out.rows.outputs) settle(output.value);
  return out;
}

void RowWriter::add_output(RowsKernel& out, NodeId value, bool always) {
  if (!always && !needs_memory(value)) return;
  out.rows.outputs.push_back({"out" + std::to_string(out.results.size()), numbers_.at(value.index)});
  out.results.push_back({value, NodeId(), -1, element_stage_.contains(value.index)});
}

void RowWriter::write_stage(RowsKernel& out, uint32_t number) {
  kernel::RowStage stage;
  std::vector<NodeId> extra;
  write_element(out, stage, number, extra);
  for (const NodeId e : extra) numbers_[e.index] = next_++;
  for (const auto& [fold, at] : group_.folds()) {
    if (at == number) numbers_[fold] = next_++;
  }
  write_row(out, stage, number);
  for (const auto& [root, at] : element_stage_) {
    if (at == number && !in_steps_) add_output(out, NodeId(root), true);
  }
  for (const auto& [fold, at] : group_.folds()) {
    if (at == number) add_output(out, NodeId(fold), in_steps_);
  }
  for (const auto& [map, level] : row_maps_) {
    const bool is_root =
        std::find(group_.row_roots.begin(), group_.row_roots.end(), NodeId(map)) != group_.row_roots.end();
    if (level == number && (is_root || in_steps_)) add_output(out, NodeId(map), true);
  }
  out.rows.stages.push_back(std::move(stage));
}

uint32_t RowWriter::number_of(RowsKernel& out, NodeId leaf, bool of_row) {
  const NodeId node = of_row ? lined_up(leaf) : leaf;
  if (const auto found = numbers_.find(leaf.index); found != numbers_.end()) return found->second;
  const auto at = std::find(out.operands.begin(), out.operands.end(), node);
  const auto number = static_cast<uint32_t>(at - out.operands.begin());
  if (at != out.operands.end()) {
    if (of_row) out.rows.operands[number].per_row = true;
    return number;
  }
  const Node& n = s_.node(node);
  const size_t rank = group_.folded().size();
  // What a map of rows takes has no more than one element in each, though only a call may tell.
  bool per_row = true;
  for (size_t axis = 0; axis < rank && !of_row; ++axis) {
    if (!group_.folded()[axis] || axis < rank - n.rank()) continue;
    per_row = per_row && program().extents.is_one(n.shape[axis - (rank - n.rank())]);
  }
  out.operands.push_back(node);
  out.rows.operands.push_back(s_.operand(node, per_row));
  return number;
}

void RowWriter::write_element(RowsKernel& out, kernel::RowStage& stage, uint32_t number, std::vector<NodeId>& extra) {
  std::vector<NodeId> roots;
  for (const auto& [fold, at] : group_.folds()) {
    if (at != number) continue;
    const Fold& f = std::get<Fold>(s_.node(NodeId(fold)).kind);
    stage.folds.push_back({f.op, s_.node(f.array).dtype});
    roots.push_back(f.array);
  }
  if (!in_steps_) {
    for (const auto& [root, at] : element_stage_) {
      if (at == number) extra.push_back(NodeId(root));
    }
    for (const auto& [id, at] : kept_) {
      if (at == number && !element_stage_.contains(id)) extra.push_back(NodeId(id));
    }
  }
  roots.insert(roots.end(), extra.begin(), extra.end());
  if (roots.empty()) return;
  const auto leaf = [&](NodeId id) -> NodeId {
    if (numbers_.contains(id.index)) return id;
    if (const auto row = group_.row_value(id)) {
      if (numbers_.contains(row->value.index)) return row->value;
      return id;  // in steps, memory that an earlier kernel wrote
    }
    const bool computed_here = element_stage_.contains(id.index);
    return computed_here ? NodeId() : s_.leaf_of(id);
  };
  WrittenFunction written = write_function(s_.types_, program(), roots, leaf, "element");
  for (const NodeId l : written.leaves) stage.element_args.push_back(number_of(out, l, false));
  stage.element = std::move(written.function);
}

void RowWriter::write_row(RowsKernel& out, kernel::RowStage& stage, uint32_t number) {
  std::vector<NodeId> roots;
  for (const auto& [map, level] : row_maps_) {
    if (level == number) roots.push_back(NodeId(map));
  }
  if (roots.empty()) return;
  const auto leaf = [&](NodeId id) -> NodeId {
    const auto row = group_.row_value(id);
    if (!row) return s_.leaf_of(id);
    if (numbers_.contains(row->value.index) || group_.has_fold(row->value)) return row->value;
    const bool earlier = row_maps_.contains(row->value.index) && row_maps_.at(row->value.index) < number;
    if (earlier) return row->value;
    return NodeId();
  };
  WrittenFunction written = write_function(s_.types_, program(), roots, leaf, "row");
  for (const NodeId l : written.leaves) stage.row_args.push_back(number_of(out, l, true));
  stage.row = std::move(written.function);
  for (const NodeId r : roots) numbers_[r.index] = next_++;
}

}  // namespace jitc::array
