// Folds that walk the rows of one shape together, and what is computed of rows and of their elements beside them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "src/array/ir.hpp"

namespace jitc::array {

/// One value of each row: for each axis of the node, the axis of the domain, or -1 where its extent is 1. `level` is
/// the stage after which it is known.
struct RowValue {
  NodeId value;  ///< a fold or a map; what views that add or drop axes of extent 1 stand for
  std::vector<int> axes;
  uint32_t level = 0;
};

class RowGroup {
 public:
  /// `is_inline(node)`: it is a map, or the item of one, that is computed where it is taken.
  using IsInline = std::function<bool(NodeId)>;
  RowGroup(const Program& program, NodeId domain, std::vector<bool> folded, IsInline is_inline)
      : program_(program), domain_(domain), folded_(std::move(folded)), is_inline_(std::move(is_inline)) {}

  NodeId domain() const { return domain_; }
  const std::vector<bool>& folded() const { return folded_; }
  bool same_rows(NodeId domain, const std::vector<bool>& folded) const {
    return program_.nodes[domain].shape == program_.nodes[domain_].shape && folded == folded_;
  }

  /// What the node is for the group; nothing where it is no value of the rows.
  std::optional<RowValue> row_value(NodeId id) const;
  /// What computing elements of `id` takes: values of the rows, and nodes of elsewhere. Nothing where a value of the
  /// rows would be taken along other axes than its own.
  struct Cone {
    std::vector<RowValue> rows;
    std::vector<NodeId> outside;
    std::vector<NodeId> beside;   ///< what maps of the rows take that is no value of the rows
    std::vector<NodeId> inlined;  ///< maps, each behind those that it takes
    uint32_t stage = 0;           ///< the first in which it can be computed
  };
  std::optional<Cone> cone(NodeId id) const;
  /// The same of a map that the kernel computes although it has memory.
  std::optional<Cone> cone_of_root(NodeId root) const;

  NodeId first_fold() const { return NodeId(folds_.begin()->first); }
  void add_fold(NodeId fold, uint32_t stage) { folds_.emplace(fold.index, stage); }
  bool has_fold(NodeId id) const { return folds_.contains(id.index); }
  const std::map<uint32_t, uint32_t>& folds() const { return folds_; }  ///< to their stages
  uint32_t stage_count() const;

  std::vector<NodeId> row_roots;      ///< maps of row values that need memory
  std::vector<NodeId> element_roots;  ///< maps of elements that the group computes

 private:
  bool visit(NodeId id, Cone& out, std::set<uint32_t>& seen) const;
  void note_beside(NodeId id, Cone& out) const;
  std::optional<RowValue> row_map(NodeId id, const Map& map) const;
  bool fits(const RowValue& row, size_t rank) const;

  const Program& program_;
  NodeId domain_;
  std::vector<bool> folded_;
  IsInline is_inline_;
  std::map<uint32_t, uint32_t> folds_;
};

}  // namespace jitc::array
