#include "runtime/common/elementwise_plan.hpp"

#include <algorithm>
#include <bit>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/joint_axes.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

/// Room for the threads of a last block that have no element.
constexpr int64_t kNarrowLimit = (int64_t{1} << 31) - (int64_t{1} << 16);

/// All operands C-contiguous over the whole shape: one axis, and nothing to join.
bool is_one_line(std::span<const int64_t> shape, std::span<const Operand> operands) {
  return std::ranges::all_of(operands, [&](const Operand& o) {
    return std::ranges::equal(o.shape, shape) && is_c_contiguous(o.shape, o.strides_bytes, o.elem_bytes);
  });
}

void plan_line(ElementwisePlan& plan, std::span<const Operand> operands) {
  plan.extents = {plan.count_elems};
  for (const Operand& o : operands) {
    plan.addresses.push_back(o.address);
    plan.strides_bytes.push_back(static_cast<int64_t>(o.elem_bytes));
  }
}

void plan_kept_axes(ElementwisePlan& plan, std::span<const int64_t> shape, std::span<const Operand> operands) {
  plan.extents.assign(shape.begin(), shape.end());
  for (const Operand& o : operands) {
    plan.addresses.push_back(o.address);
    plan.strides_bytes.insert(plan.strides_bytes.end(), o.strides_bytes.begin(), o.strides_bytes.end());
  }
}

void plan_axes(ElementwisePlan& plan, std::span<const int64_t> shape, std::span<const Operand> operands) {
  std::vector<std::vector<int64_t>> strides;
  for (const Operand& o : operands) strides.push_back(broadcast_strides(o, shape));
  const std::vector<std::span<const int64_t>> views(strides.begin(), strides.end());
  const JointAxes joint = join_axes(shape, views);
  for (const JointAxis& axis : joint.axes) plan.extents.push_back(axis.extent);
  if (joint.axes.empty()) plan.extents = {1};
  for (size_t k = 0; k < operands.size(); ++k) {
    plan.addresses.push_back(operands[k].address + static_cast<uintptr_t>(joint.first_bytes[k]));
    for (const JointAxis& axis : joint.axes) plan.strides_bytes.push_back(axis.strides_bytes[k]);
    if (joint.axes.empty()) plan.strides_bytes.push_back(static_cast<int64_t>(operands[k].elem_bytes));
  }
}

bool is_narrow(const ElementwisePlan& plan) {
  if (plan.count_elems >= kNarrowLimit) return false;
  for (size_t k = 0; k < plan.addresses.size(); ++k) {
    const std::span<const int64_t> strides = std::span(plan.strides_bytes).subspan(k * plan.rank(), plan.rank());
    const std::optional<ByteSpan> span = byte_span(plan.extents, strides, plan.elem_bytes[k]);
    if (!span || span->end >= kNarrowLimit || span->begin <= -kNarrowLimit) return false;
  }
  return true;
}

int64_t ceil_div(int64_t value, int64_t unit) { return (value - 1) / unit + 1; }

/// Along x `inner`, along y and z the number of a line.
std::optional<ThreadSpread> spread_lines(int64_t inner, uint32_t block_x, int64_t lines, uint32_t block_y) {
  const std::optional<uint32_t> grid_x = blocks_for(inner, block_x);
  const int64_t line_blocks = ceil_div(lines, block_y), grid_z = ceil_div(line_blocks, kMaxGrid[1]);
  if (!grid_x || grid_z > kMaxGrid[2]) return std::nullopt;
  const int64_t grid_y = ceil_div(line_blocks, grid_z);
  return ThreadSpread{{*grid_x, static_cast<uint32_t>(grid_y), static_cast<uint32_t>(grid_z)}, {block_x, block_y}};
}

}  // namespace

ElementwisePlan plan_elementwise(std::span<const int64_t> shape, std::span<const Operand> operands, bool keeps_axes) {
  ElementwisePlan plan;
  plan.count_elems = runtime::count_elems(shape);
  for (const Operand& o : operands) plan.elem_bytes.push_back(o.elem_bytes);
  if (keeps_axes) {
    plan_kept_axes(plan, shape, operands);
  } else if (is_one_line(shape, operands)) {
    plan_line(plan, operands);
  } else {
    plan_axes(plan, shape, operands);
  }
  plan.is_narrow = is_narrow(plan);
  return plan;
}

std::optional<int64_t> group_shift(const ElementwisePlan& plan, int64_t count) {
  if (plan.rank() != 1) return std::nullopt;
  std::optional<int64_t> shift;
  for (size_t k = 0; k < plan.addresses.size(); ++k) {
    const int64_t stride = plan.inner_stride(k);
    if (stride == 0) continue;
    if (stride != static_cast<int64_t>(plan.elem_bytes[k])) return std::nullopt;
    const auto behind = static_cast<int64_t>(plan.addresses[k] % (plan.elem_bytes[k] * static_cast<size_t>(count)));
    if (behind % stride != 0 || (shift && *shift != behind / stride)) return std::nullopt;
    shift = behind / stride;
  }
  return shift;
}

std::optional<ThreadSpread> spread_line(int64_t count, uint32_t max_threads) {
  const std::optional<uint32_t> blocks = blocks_for(count, max_threads);
  if (!blocks) return std::nullopt;
  return ThreadSpread{{*blocks}, {max_threads}};
}

std::optional<ThreadSpread> spread_rows(const ElementwisePlan& plan, uint32_t max_threads) {
  const int64_t inner = plan.extents.back(), rows = plan.count_elems / inner;
  const auto power_within = [](int64_t wanted, uint32_t limit) {
    return wanted >= limit ? limit : std::bit_ceil(static_cast<uint32_t>(wanted));
  };
  const uint32_t block_x = power_within(inner, max_threads);
  return spread_lines(inner, block_x, rows, power_within(rows, max_threads / block_x));
}

std::optional<ThreadSpread> spread_tiles(const ElementwisePlan& plan, size_t axis, int64_t side) {
  const int64_t inner = plan.extents.back(), rows = plan.count_elems / inner;
  return spread_lines(ceil_div(inner, side), 1, rows / plan.extents[axis] * ceil_div(plan.extents[axis], side), 1);
}

}  // namespace jitc::runtime
