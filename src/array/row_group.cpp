#include "src/array/row_group.hpp"

#include <algorithm>

#include "src/array/uses.hpp"

namespace jitc::array {

uint32_t RowGroup::stage_count() const {
  uint32_t count = 0;
  for (const auto& [fold, stage] : folds_) count = std::max(count, stage + 1);
  return count;
}

std::optional<RowValue> RowGroup::row_value(NodeId id) const {
  const Node& node = program_.nodes[id];
  if (const auto* fold = std::get_if<Fold>(&node.kind)) {
    const auto found = folds_.find(id.index);
    if (found == folds_.end()) return std::nullopt;
    RowValue out{id, {}, found->second};
    for (size_t axis = 0; axis < folded_.size(); ++axis) {
      if (!folded_[axis]) out.axes.push_back(static_cast<int>(axis));
      if (folded_[axis] && fold->keepdims) out.axes.push_back(-1);
    }
    return out;
  }
  if (const auto* slice = std::get_if<Slice>(&node.kind)) {
    auto out = row_value(slice->base);
    if (!out) return out;
    std::vector<int> axes;
    size_t axis = 0;
    for (const Selection& s : slice->axes) {
      if (s.kind == Selection::Kind::new_axis) {
        axes.push_back(-1);
      } else if (s.kind == Selection::Kind::whole) {
        axes.push_back(out->axes[axis++]);
      } else {
        return std::nullopt;
      }
    }
    out->axes = std::move(axes);
    return out;
  }
  if (const auto* squeeze = std::get_if<Squeeze>(&node.kind)) {
    auto out = row_value(squeeze->base);
    if (!out || out->axes[squeeze->axis] != -1) return std::nullopt;
    out->axes.erase(out->axes.begin() + squeeze->axis);
    return out;
  }
  if (const auto* permute = std::get_if<Permute>(&node.kind)) {
    auto out = row_value(permute->base);
    if (!out) return out;
    std::vector<int> axes;
    for (const uint32_t axis : permute->axes) axes.push_back(out->axes[axis]);
    out->axes = std::move(axes);
    return out;
  }
  const Map* m = as_map(program_, map_of(program_, id));
  const bool own = std::find(row_roots.begin(), row_roots.end(), id) != row_roots.end();
  if (m == nullptr || node.on_host || (!own && !is_inline_(id))) return std::nullopt;
  auto out = row_map(id, *m);
  if (out) out->value = id;
  return out;
}

/// A map of values of rows, scalars, and arrays that do not add axes to them.
std::optional<RowValue> RowGroup::row_map(NodeId id, const Map& map) const {
  const Node& node = program_.nodes[id];
  RowValue out{id, std::vector<int>(node.rank(), -1), 0};
  bool has_rows = false;
  for (const NodeId arg : map.args) {
    const auto row = row_value(arg);
    if (!row) continue;
    has_rows = true;
    out.level = std::max(out.level, row->level);
    for (size_t k = 0; k < row->axes.size(); ++k) {
      int& axis = out.axes[node.rank() - row->axes.size() + k];
      if (row->axes[k] == -1) continue;
      if (axis != -1 && axis != row->axes[k]) return std::nullopt;
      axis = row->axes[k];
    }
  }
  if (!has_rows) return std::nullopt;
  for (size_t k = 0; k < out.axes.size(); ++k) {
    // An axis that no value of the rows has must be of extent 1.
    if (out.axes[k] == -1 && !program_.extents.is_one(node.shape[k])) return std::nullopt;
    if (out.axes[k] != -1 && node.shape[k] != program_.nodes[domain_].shape[static_cast<size_t>(out.axes[k])])
      return std::nullopt;
  }
  // Axes stand in the domain's order, each once, so that arrays beside them can be lined up by new axes alone.
  int last = -1;
  for (const int axis : out.axes) {
    if (axis == -1) continue;
    if (axis <= last) return std::nullopt;
    last = axis;
  }
  return out;
}

/// Shapes are aligned at their last axes: each axis of the row must meet its own in the domain.
bool RowGroup::fits(const RowValue& row, size_t rank) const {
  for (size_t k = 0; k < row.axes.size(); ++k) {
    const size_t at = rank - row.axes.size() + k;
    if (row.axes[k] != -1 && row.axes[k] != static_cast<int>(at)) return false;
  }
  return row.axes.size() <= rank;
}

std::optional<RowGroup::Cone> RowGroup::cone(NodeId id) const {
  Cone out;
  std::set<uint32_t> seen;
  return visit(id, out, seen) ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<RowGroup::Cone> RowGroup::cone_of_root(NodeId root) const {
  Cone out;
  std::set<uint32_t> seen{root.index};
  for (const NodeId arg : as_map(program_, map_of(program_, root))->args) {
    if (!visit(arg, out, seen)) return std::nullopt;
  }
  out.inlined.push_back(root);
  return out;
}

void RowGroup::note_beside(NodeId id, Cone& out) const {
  const Map* map = as_map(program_, map_of(program_, id));
  if (map == nullptr) return;
  for (const NodeId arg : map->args) {
    const auto row = row_value(arg);
    if (row || is_inline_(arg)) {
      note_beside(row ? row->value : arg, out);
    } else {
      out.beside.push_back(arg);
    }
  }
}

bool RowGroup::visit(NodeId id, Cone& out, std::set<uint32_t>& seen) const {
  if (!seen.insert(id.index).second) return true;
  const Node& node = program_.nodes[id];
  if (const auto row = row_value(id)) {
    if (!fits(*row, program_.nodes[domain_].rank())) return false;
    out.stage = std::max(out.stage, row->level + 1);
    out.rows.push_back(*row);
    note_beside(row->value, out);
    return true;
  }
  if (!is_elementwise(node) || node.on_host || !is_inline_(id)) {
    out.outside.push_back(id);
    return true;
  }
  for (const NodeId arg : as_map(program_, map_of(program_, id))->args) {
    if (!visit(arg, out, seen)) return false;
  }
  out.inlined.push_back(id);
  return true;
}

}  // namespace jitc::array
