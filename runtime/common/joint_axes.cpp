#include "runtime/common/joint_axes.hpp"

#include <algorithm>
#include <cstdlib>

namespace jitc::runtime {

namespace {

/// Whether one step along `outer` is where `inner` would go on, for every operand.
bool continues(const JointAxis& outer, const JointAxis& inner) {
  for (size_t k = 0; k < outer.strides_bytes.size(); ++k) {
    if (outer.strides_bytes[k] != inner.strides_bytes[k] * inner.extent) return false;
  }
  return true;
}

void flip_if_backwards(JointAxis& axis, std::vector<int64_t>& first_bytes) {
  if (std::ranges::any_of(axis.strides_bytes, [](int64_t stride) { return stride > 0; })) return;
  for (size_t k = 0; k < first_bytes.size(); ++k) {
    first_bytes[k] += (axis.extent - 1) * axis.strides_bytes[k];
    axis.strides_bytes[k] = -axis.strides_bytes[k];
  }
}

/// Longer strides first; where those of the first operand are equal, the next one decides.
bool is_outer(const JointAxis& a, const JointAxis& b) {
  return std::ranges::lexicographical_compare(
      b.strides_bytes, a.strides_bytes, {}, [](int64_t s) { return std::abs(s); },
      [](int64_t s) { return std::abs(s); });
}

}  // namespace

JointAxes join_axes(std::span<const int64_t> shape, std::span<const std::span<const int64_t>> strides_bytes) {
  JointAxes out{{}, std::vector<int64_t>(strides_bytes.size())};
  std::vector<JointAxis> axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    JointAxis& axis = axes.emplace_back(shape[i]);
    for (const std::span<const int64_t> operand : strides_bytes) axis.strides_bytes.push_back(operand[i]);
    flip_if_backwards(axis, out.first_bytes);
  }
  std::ranges::stable_sort(axes, is_outer);
  for (JointAxis& axis : axes) {
    if (!out.axes.empty() && continues(out.axes.back(), axis)) {
      axis.extent *= out.axes.back().extent;
      out.axes.back() = std::move(axis);
    } else {
      out.axes.push_back(std::move(axis));
    }
  }
  return out;
}

}  // namespace jitc::runtime
