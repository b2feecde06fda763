#include "runtime/common/memory_overlap.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/byte_range.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

bool has_elems(const Operand& o) { return std::ranges::find(o.shape, 0) == o.shape.end(); }

/// Nothing where the array reaches over more than the address space, as no memory does.
std::optional<ByteRange> range_of(const Operand& o) {
  const std::optional<ByteSpan> span = byte_span(o.shape, o.strides_bytes, o.elem_bytes);
  if (!span) return std::nullopt;
  return ByteRange{o.address + static_cast<uintptr_t>(span->begin), o.address + static_cast<uintptr_t>(span->end)};
}

/// The largest step that all steps of the array are multiples of; 0 where there are none.
uint64_t common_step(const Operand& o, uint64_t step) {
  for (size_t axis = 0; axis < o.shape.size(); ++axis) {
    if (o.shape[axis] < 2) continue;
    const int64_t stride = o.strides_bytes[axis];
    step = std::gcd(step, stride < 0 ? -static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride));
  }
  return step;
}

struct Axis {
  uint64_t stride_bytes = 0;  ///< without its sign, which does not matter here
  int64_t extent = 0;
};

/// By falling stride.
std::vector<Axis> axes_of(const Operand& o) {
  std::vector<Axis> axes;
  for (size_t axis = 0; axis < o.shape.size(); ++axis) {
    const int64_t stride = o.strides_bytes[axis];
    const auto length = stride < 0 ? -static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride);
    if (o.shape[axis] > 1) axes.push_back({length, o.shape[axis]});
  }
  std::ranges::sort(axes, {}, [](const Axis& a) { return ~a.stride_bytes; });
  return axes;
}

/// Each step leads over all that the shorter ones reach.
bool is_nested(const std::vector<Axis>& axes, size_t elem_bytes) {
  uint64_t reach = elem_bytes;
  for (size_t i = axes.size(); i-- > 0;) {
    if (axes[i].stride_bytes < reach) return false;
    uint64_t length = 0;
    if (__builtin_mul_overflow(static_cast<uint64_t>(axes[i].extent - 1), axes[i].stride_bytes, &length)) return false;
    if (__builtin_add_overflow(reach, length, &reach)) return false;
  }
  return true;
}

/// By looking at every element.
bool overlaps_by_search(const std::vector<Axis>& axes, size_t elem_bytes) {
  std::vector<uint64_t> places{0};
  for (const Axis& axis : axes) {
    const size_t count = places.size();
    for (int64_t i = 1; i < axis.extent; ++i) {
      for (size_t k = 0; k < count; ++k) places.push_back(places[k] + static_cast<uint64_t>(i) * axis.stride_bytes);
    }
  }
  std::ranges::sort(places);
  for (size_t k = 1; k < places.size(); ++k) {
    if (places[k] - places[k - 1] < elem_bytes) return true;
  }
  return false;
}

}  // namespace

bool may_overlap(const Operand& a, const Operand& b) {
  if (!has_elems(a) || !has_elems(b)) return false;
  const std::optional<ByteRange> in_a = range_of(a), in_b = range_of(b);
  if (in_a && in_b && !in_a->overlaps(*in_b)) return false;
  // Modulo a step that all steps are multiples of, each array lies at one place.
  const uint64_t step = common_step(b, common_step(a, 0));
  if (step == 0) return true;
  // The difference of the addresses modulo the step, though it may be negative.
  const uint64_t distance =
      b.address >= a.address ? (b.address - a.address) % step : (step - (a.address - b.address) % step) % step;
  return distance < a.elem_bytes || distance + b.elem_bytes > step;
}

bool may_overlap_itself(const Operand& array) {
  if (!has_elems(array)) return false;
  const std::vector<Axis> axes = axes_of(array);
  if (is_nested(axes, array.elem_bytes)) return false;
  if (!axes.empty() && axes.back().stride_bytes < array.elem_bytes) return true;
  constexpr int64_t kMaxSearched = int64_t{1} << 20;
  int64_t count = 1;
  for (const Axis& axis : axes) {
    if (__builtin_mul_overflow(count, axis.extent, &count) || count > kMaxSearched) return true;
  }
  return overlaps_by_search(axes, array.elem_bytes);
}

bool are_same_elements(const Operand& a, const Operand& b, std::span<const int64_t> shape) {
  if (a.address != b.address || a.elem_bytes != b.elem_bytes) return false;
  const std::vector<int64_t> in_a = broadcast_strides(a, shape), in_b = broadcast_strides(b, shape);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] > 1 && in_a[axis] != in_b[axis]) return false;
  }
  return true;
}

}  // namespace jitc::runtime
