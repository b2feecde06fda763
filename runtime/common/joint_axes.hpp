// Walks over several arrays at once: the fewest axes that describe one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jitc::runtime {

/// One step along an axis takes operand k `strides_bytes[k]` further.
struct JointAxis {
  int64_t extent = 0;
  std::vector<int64_t> strides_bytes;
};

/// Visits the elements of all operands in step, though not in the order of the axes that were given: from the longest
/// stride of the first operand to the shortest. No axis has extent 1, and none continues the next one in all operands.
/// An axis along which all operands run backwards, or stand still, runs forwards from the other end.
struct JointAxes {
  std::vector<JointAxis> axes;       ///< outermost first
  std::vector<int64_t> first_bytes;  ///< by operand: from its element (0, 0, …) to the first that is visited
};

/// `strides_bytes` has a row for each operand, with a stride for each axis of `shape`. There are elements.
JointAxes join_axes(std::span<const int64_t> shape, std::span<const std::span<const int64_t>> strides_bytes);

}  // namespace jitc::runtime
