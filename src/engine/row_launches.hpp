// The launches of one kernel over rows: docs/design/row-folds.md.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/common/row_plan.hpp"
#include "src/array/plan.hpp"
#include "src/engine/fold_call.hpp"
#include "src/engine/node_values.hpp"

namespace jitc::engine {

/// Where an output goes: all elements of the domain, or one for each row in the order of the axes that stay.
struct RowTarget {
  Array array;
  bool of_elements = false;
};

class RowLaunches {
 public:
  using Give = std::function<void(const kernel::RowsForm&, Dim3, Dim3, std::span<const KernelValue>)>;

  /// Operands broadcast to `shape`; all arrays lie on the backend. The references must stay.
  RowLaunches(const array::RowsKernel& rows, std::span<const int64_t> shape, std::span<const NodeValue> operands,
              std::span<const RowTarget> targets, runtime::Backend& backend, std::shared_ptr<runtime::Queue> queue);
  void run(const Give& give);

 private:
  runtime::RowCall to_call() const;
  std::vector<int64_t> split(std::span<const int64_t> by_axis, bool outer_only) const;
  void launch(const runtime::RowPass& pass, const Give& give);
  void add_operands(std::vector<KernelValue>& values, kernel::RowsForm& form) const;
  void add_array(const runtime::RowArrayView& view, std::vector<kernel::Walk>& walks,
                 std::vector<KernelValue>& values) const;
  void add_partials(std::vector<kernel::Walk>& walks, std::vector<KernelValue>& values) const;

  const array::RowsKernel& rows_;
  std::span<const int64_t> shape_;
  std::span<const NodeValue> operands_;
  std::span<const RowTarget> targets_;
  runtime::Backend& backend_;
  std::shared_ptr<runtime::Queue> queue_;
  runtime::RowPlan plan_;
  std::vector<DType> partial_dtypes_;
  runtime::RowPartials layout_;
  std::vector<Array> partials_, earlier_;
  size_t lanes_axis_ = 0;
};

}  // namespace jitc::engine
