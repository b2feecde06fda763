#include "runtime/common/strided_copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

namespace jitc::runtime {

namespace {

/// Whether one step along `outer` is where `inner` would go on.
bool continues(const CopyAxis& outer, const CopyAxis& inner) {
  return outer.dst_stride_bytes == inner.dst_stride_bytes * inner.extent &&
         outer.src_stride_bytes == inner.src_stride_bytes * inner.extent;
}

void flip_if_backwards(CollapsedCopy& copy, CopyAxis& axis) {
  if (axis.dst_stride_bytes > 0 || axis.src_stride_bytes > 0) return;
  copy.dst += (axis.extent - 1) * axis.dst_stride_bytes;
  copy.src += (axis.extent - 1) * axis.src_stride_bytes;
  axis.dst_stride_bytes = -axis.dst_stride_bytes;
  axis.src_stride_bytes = -axis.src_stride_bytes;
}

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
  CollapsedCopy out{copy.dst, copy.src, {}, copy.elem_bytes};
  std::vector<CopyAxis> axes;
  for (size_t i = 0; i < copy.shape.size(); ++i) {
    if (copy.shape[i] == 1) continue;
    axes.push_back({copy.shape[i], copy.dst_strides_bytes[i], copy.src_strides_bytes[i]});
    flip_if_backwards(out, axes.back());
  }
  const auto length = [](const CopyAxis& axis) { return std::abs(axis.dst_stride_bytes); };
  std::stable_sort(axes.begin(), axes.end(),
                   [&](const CopyAxis& a, const CopyAxis& b) { return length(a) > length(b); });
  for (const CopyAxis& axis : axes) {
    if (!out.axes.empty() && continues(out.axes.back(), axis)) {
      out.axes.back() = {out.axes.back().extent * axis.extent, axis.dst_stride_bytes, axis.src_stride_bytes};
    } else {
      out.axes.push_back(axis);
    }
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
