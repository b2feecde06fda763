#include "runtime/common/reduce_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "jitc/reduction_tree.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/joint_axes.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

/// Threads of a GPU's blocks.
constexpr int64_t kThreads = 256;
/// About how many threads fill a GPU.
constexpr int64_t kBusyThreads = 1 << 16;
/// Blocks for each worker of a host, so that none waits long for the last one.
constexpr int64_t kBlocksPerWorker = 8;

/// In the order of the axes: what continues an axis in steps of the same length joins it.
void plan_inner(ReducePlan& plan, std::span<const int64_t> shape, std::span<const int64_t> strides,
                const std::vector<bool>& folded) {
  std::vector<int64_t> made;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!folded[axis] || shape[axis] == 1) continue;
    if (!made.empty() && made.back() == strides[axis] * shape[axis]) {
      plan.inner.back() *= shape[axis];
      made.back() = strides[axis];
    } else {
      plan.inner.push_back(shape[axis]);
      made.push_back(strides[axis]);
    }
  }
  if (plan.inner.empty()) {
    plan.inner = {1};
    made = {0};
  }
  plan.source_strides_bytes.insert(plan.source_strides_bytes.end(), made.begin(), made.end());
}

/// The result's axes but for those that were kept of folded ones.
std::vector<int64_t> own_strides(const Operand& result, const std::vector<bool>& folded) {
  if (result.shape.size() != folded.size()) return {result.strides_bytes.begin(), result.strides_bytes.end()};
  std::vector<int64_t> out;
  for (size_t axis = 0; axis < folded.size(); ++axis) {
    if (!folded[axis]) out.push_back(result.strides_bytes[axis]);
  }
  return out;
}

void plan_outer(ReducePlan& plan, const Operand& array, const std::vector<bool>& folded, const Operand& result) {
  std::vector<int64_t> shape, source;
  for (size_t axis = 0; axis < folded.size(); ++axis) {
    if (folded[axis]) continue;
    shape.push_back(array.shape[axis]);
    source.push_back(array.strides_bytes[axis]);
  }
  const std::vector<int64_t> target = own_strides(result, folded);
  const std::vector<std::span<const int64_t>> views{source, target};
  const JointAxes joint = join_axes(shape, views);
  plan.source = array.address + static_cast<uintptr_t>(joint.first_bytes[0]);
  plan.result = result.address + static_cast<uintptr_t>(joint.first_bytes[1]);
  for (const JointAxis& axis : joint.axes) {
    plan.outer.push_back(axis.extent);
    plan.source_strides_bytes.push_back(axis.strides_bytes[0]);
    plan.result_strides_bytes.push_back(axis.strides_bytes[1]);
  }
  plan.result_strides_bytes.push_back(0);
}

/// Neighbouring results are read closer to each other than the elements of one.
bool reads_columns(const ReducePlan& plan) {
  if (plan.outer.empty() || plan.count_inner() == 1) return false;
  return std::abs(plan.source_strides_bytes[plan.outer.size() - 1]) < std::abs(plan.source_strides_bytes.back());
}

/// A power of two for one thread of a block per line; fewer on a host where there would not be a block for each worker.
uint32_t threads_for(int64_t count, bool is_host, unsigned workers) {
  if (!is_host) return kThreads;
  const int64_t wanted = std::clamp(count / (workers * kBlocksPerWorker), int64_t{1}, kThreads);
  return std::bit_floor(static_cast<uint32_t>(wanted));
}

}  // namespace

int64_t ReducePlan::count_outer() const { return count_elems(outer); }
int64_t ReducePlan::count_inner() const { return count_elems(inner); }
int64_t ReducePlan::blocks() const { return (count_inner() - 1) / kReduceBlock + 1; }

std::vector<bool> folded_axes(std::string_view title, std::span<const int> axes, int rank) {
  std::vector<bool> out(static_cast<size_t>(rank));
  for (const int axis : axes) {
    if (rank == 0 && (axis == 0 || axis == -1)) continue;
    if (axis < -rank || axis >= rank) {
      fail(ErrorCode::argument, "{}: there is no axis {}: the array has {} {}", title, axis, rank,
           rank == 1 ? "axis" : "axes");
    }
    const auto place = static_cast<size_t>(axis < 0 ? axis + rank : axis);
    if (out[place]) fail(ErrorCode::argument, "{}: axis {} is named twice", title, place);
    out[place] = true;
  }
  return out;
}

std::vector<int64_t> shape_without(std::span<const int64_t> shape, const std::vector<bool>& folded, bool keepdims) {
  std::vector<int64_t> out;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!folded[axis] || keepdims) out.push_back(folded[axis] ? 1 : shape[axis]);
  }
  return out;
}

ReducePlan plan_reduction(const Operand& array, const std::vector<bool>& folded, const Operand& result) {
  ReducePlan plan;
  plan_outer(plan, array, folded, result);
  plan_inner(plan, array.shape, array.strides_bytes, folded);
  return plan;
}

ReducePasses split_reduction(const ReducePlan& plan, uintptr_t partials, size_t elem_bytes) {
  ReducePasses out{plan, plan};
  const auto between_blocks = plan.count_outer() * static_cast<int64_t>(elem_bytes);
  out.first.result = out.rest.source = partials;
  out.first.result_strides_bytes = c_strides(plan.outer, elem_bytes);
  out.first.result_strides_bytes.push_back(between_blocks);
  out.rest.inner = {plan.blocks()};
  out.rest.source_strides_bytes = out.first.result_strides_bytes;
  return out;
}

std::optional<ReduceSpread> spread_reduction(const ReducePlan& plan, bool is_host, unsigned workers) {
  const int64_t jobs = plan.count_outer() * plan.blocks();
  const int64_t runs = (std::min(plan.count_inner(), kReduceBlock) - 1) / kReduceRun + 1;
  const auto most_lanes = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(runs)));
  ReduceSpread out;
  out.jobs_first = reads_columns(plan);
  int64_t lanes = 1;
  while (!is_host && lanes < most_lanes && (!out.jobs_first || jobs * lanes < kBusyThreads)) lanes *= 2;
  if (lanes == 1) {
    auto lines = spread_lines(jobs, is_host, workers);
    if (lines) lines->runs = most_lanes;
    return lines;
  }
  out.lanes = static_cast<uint16_t>(lanes);
  out.runs = most_lanes / lanes;
  const auto jobs_per_block = static_cast<uint32_t>(kThreads / lanes);
  const std::optional<uint32_t> blocks = blocks_for(jobs, jobs_per_block);
  if (!blocks) return std::nullopt;
  out.grid = {*blocks};
  out.block = out.jobs_first ? Dim3{jobs_per_block, out.lanes} : Dim3{out.lanes, jobs_per_block};
  return out;
}

std::optional<ReduceSpread> spread_lines(int64_t count, bool is_host, unsigned workers) {
  const uint32_t threads = threads_for(count, is_host, workers);
  const std::optional<uint32_t> blocks = blocks_for(count, threads);
  if (!blocks) return std::nullopt;
  ReduceSpread out;
  out.grid = {*blocks};
  out.block = {threads};
  return out;
}

}  // namespace jitc::runtime
