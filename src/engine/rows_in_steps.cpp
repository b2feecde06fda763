// Rows that are longer than a block, stage by stage: a few rows at a time, so that the later stages find in a cache
// what the first has read from memory.
#include <algorithm>

#include "src/engine/plan_runner.hpp"
#include "src/engine/view_maps.hpp"

namespace jitc::engine {

namespace {

/// What a cache holds while the stages take turns: of a CPU for each thread; of a GPU in all, where fewer rows would
/// not keep its threads busy either.
constexpr int64_t kHostBytesOfThread = 1 << 20, kDeviceBytes = 16 << 20;

}  // namespace

void PlanRunner::launch_in_steps(const array::RowsKernel& rows, const std::vector<int64_t>& shape, bool by_parts) {
  const auto outer = static_cast<size_t>(std::ranges::find(rows.folded, false) - rows.folded.begin());
  const auto launch_all = [&] {
    for (const uint32_t step : rows.in_steps) launch(step);
  };
  if (!by_parts || outer == shape.size() || shape[outer] == 0) return launch_all();
  int64_t bytes = 0;  // of what belongs to one place of the first axis that stays
  for (size_t k = 0; k < rows.operands.size(); ++k) {
    if (!rows.rows.operands[k].per_row) bytes += size_bytes(rows.rows.operands[k].dtype);
  }
  for (const array::Result& r : rows.results) bytes += r.of_elements ? size_bytes(node(r.value).dtype) : 0;
  for (size_t k = 0; k < shape.size(); ++k) bytes *= k == outer ? 1 : std::max<int64_t>(shape[k], 1);
  const int64_t budget =
      place_.backend->is_host() ? kHostBytesOfThread * place_.backend->worker_threads() : kDeviceBytes;
  const int64_t count = std::max<int64_t>(budget / std::max<int64_t>(bytes, 1), 1);
  if (bytes > 4 * budget || count >= shape[outer]) return launch_all();
  for (int64_t begin = 0; begin < shape[outer]; begin += count) {
    window_ = Window{outer, shape.size(), begin, std::min(begin + count, shape[outer])};
    launch_all();
  }
  window_.reset();
}

/// The part of a shape, or of what lies beside it, that the window shows: shapes are aligned at their last axes.
std::vector<int64_t> PlanRunner::in_window(std::vector<int64_t> shape) const {
  if (window_) shape[window_->axis] = window_->end - window_->begin;
  return shape;
}

NodeValue PlanRunner::in_window(const NodeValue& value) const {
  if (!window_ || value.kind == NodeValue::Kind::scalar) return value;
  const size_t rank = value.shape().size(), from_right = window_->rank - window_->axis;
  if (rank < from_right || value.shape()[rank - from_right] == 1) return value;
  const size_t axis = rank - from_right;
  std::vector<int64_t> begin(rank, 0), end = value.shape();
  begin[axis] = window_->begin;
  end[axis] = window_->end;
  return box_of(value, begin, end);
}

/// Of a result of rows: dense, whether or not the folded axes are kept.
Array PlanRunner::rows_in_window(const Array& result, std::span<const int64_t> domain) const {
  if (!window_) return result;
  const int64_t each = result.size() / domain[window_->axis];
  return result.ravel().slice(0, window_->begin * each, window_->end * each);
}

}  // namespace jitc::engine
