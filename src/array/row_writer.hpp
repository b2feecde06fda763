// A row group as a row kernel: its stages, the functions of each, and the numbers of their values.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "src/array/function_writer.hpp"
#include "src/array/scheduler.hpp"

namespace jitc::array {

class RowWriter {
 public:
  RowWriter(Scheduler& scheduler, uint32_t index)
      : s_(scheduler), index_(index), group_(scheduler.block_->rows[index]) {
    find_values();
  }

  /// All stages in one kernel.
  RowsKernel whole();
  /// The stages one after the other, each a kernel: folds, and then maps of what they gave.
  std::vector<RowsKernel> in_steps();
  /// The maps of elements, which in steps are a kernel of their own; no roots for none.
  const std::vector<NodeId>& element_roots() const { return group_.element_roots; }
  bool is_one_walk() const { return stages_ == 1 && group_.element_roots.empty(); }
  /// Of a node that kernels in steps keep in memory.
  bool is_kept(NodeId id) const { return row_maps_.contains(id.index) || group_.has_fold(id); }

 private:
  const Program& program() const { return s_.program(); }
  void find_values();
  void note_rows(const std::vector<RowValue>& rows);
  void find_kept();
  void line_up(NodeId map);
  void line_up_leaves(NodeId id, const std::vector<int>& axes);
  NodeId lined_up(NodeId id);
  bool needs_memory(NodeId id) const;
  bool is_ours(NodeId user) const;

  RowsKernel write(uint32_t first, uint32_t last);
  void write_stage(RowsKernel& out, uint32_t stage);
  void write_element(RowsKernel& out, kernel::RowStage& stage, uint32_t number, std::vector<NodeId>& extra);
  void write_row(RowsKernel& out, kernel::RowStage& stage, uint32_t number);
  uint32_t number_of(RowsKernel& out, NodeId leaf, bool of_row);
  void add_output(RowsKernel& out, NodeId value, bool always);

  Scheduler& s_;
  uint32_t index_;
  RowGroup& group_;
  uint32_t stages_ = 0;
  std::map<uint32_t, uint32_t> element_stage_;      ///< of element roots
  std::map<uint32_t, uint32_t> row_maps_;           ///< maps of rows that are computed once, to their levels
  std::map<uint32_t, std::vector<int>> leaf_axes_;  ///< of what maps of rows take from elsewhere
  std::map<uint32_t, NodeId> lined_up_;
  std::map<uint32_t, uint32_t> kept_;  ///< costly maps of elements that later stages take, to the one that computes
  // Of the kernel that is being written.
  std::map<uint32_t, uint32_t> numbers_;
  uint32_t next_ = 0;
  bool in_steps_ = false;
};

}  // namespace jitc::array
