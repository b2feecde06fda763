#include "runtime/common/strided_copy.hpp"

#include <cstring>
#include <span>

#include "runtime/common/joint_axes.hpp"

namespace jitc::runtime {

namespace {

/// A size known at compile time turns memcpy into one move.
template <size_t kBytes>
void copy_axis_of(std::byte* dst, const std::byte* src, const CopyAxis& axis) {
  for (int64_t i = 0; i < axis.extent; ++i) {
    std::memcpy(dst + i * axis.dst_stride_bytes, src + i * axis.src_stride_bytes, kBytes);
  }
}

void copy_axis(std::byte* dst, const std::byte* src, const CopyAxis& axis, size_t run_bytes) {
  switch (run_bytes) {
    case 1: return copy_axis_of<1>(dst, src, axis);
    case 2: return copy_axis_of<2>(dst, src, axis);
    case 4: return copy_axis_of<4>(dst, src, axis);
    case 8: return copy_axis_of<8>(dst, src, axis);
    default: break;
  }
  for (int64_t i = 0; i < axis.extent; ++i) {
    std::memcpy(dst + i * axis.dst_stride_bytes, src + i * axis.src_stride_bytes, run_bytes);
  }
}

void copy_axes(std::byte* dst, const std::byte* src, std::span<const CopyAxis> axes, size_t run_bytes) {
  if (axes.size() == 1) return copy_axis(dst, src, axes[0], run_bytes);
  for (int64_t i = 0; i < axes[0].extent; ++i) {
    copy_axes(dst + i * axes[0].dst_stride_bytes, src + i * axes[0].src_stride_bytes, axes.subspan(1), run_bytes);
  }
}

}  // namespace

CollapsedCopy collapse(const StridedCopy& copy) {
  const std::span<const int64_t> strides[] = {copy.dst_strides_bytes, copy.src_strides_bytes};
  const JointAxes joint = join_axes(copy.shape, strides);
  CollapsedCopy out{copy.dst + joint.first_bytes[0], copy.src + joint.first_bytes[1], {}, copy.elem_bytes};
  for (const JointAxis& axis : joint.axes) {
    out.axes.push_back({axis.extent, axis.strides_bytes[0], axis.strides_bytes[1]});
  }
  if (out.axes.empty()) return out;
  const CopyAxis& last = out.axes.back();
  const auto elem_bytes = static_cast<int64_t>(copy.elem_bytes);
  if (last.dst_stride_bytes == elem_bytes && last.src_stride_bytes == elem_bytes) {
    out.run_bytes = static_cast<size_t>(last.extent) * copy.elem_bytes;
    out.axes.pop_back();
  }
  return out;
}

void copy_on_host(const StridedCopy& copy) { copy_on_host(collapse(copy)); }

void copy_on_host(const CollapsedCopy& copy) {
  if (copy.axes.empty()) {
    std::memcpy(copy.dst, copy.src, copy.run_bytes);
  } else {
    copy_axes(copy.dst, copy.src, copy.axes, copy.run_bytes);
  }
}

}  // namespace jitc::runtime
