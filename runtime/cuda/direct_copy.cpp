#include "runtime/cuda/direct_copy.hpp"

#include <algorithm>
#include <span>

#include "runtime/cuda/device_address.hpp"

namespace jitc::runtime::cuda {

namespace {

using Direction = StridedCopy::Direction;

/// Whether the runs along the axis are the rows of a rectangle, which one call copies.
bool is_rectangle(const DeviceState& device, const CopyAxis& axis, size_t run_bytes) {
  const auto fits = [&](int64_t stride) {
    return std::cmp_greater_equal(stride, run_bytes) && stride <= device.facts.max_pitch_bytes;
  };
  return fits(axis.dst_stride_bytes) && fits(axis.src_stride_bytes);
}

CUDA_MEMCPY2D_v2 rectangle(Direction direction, std::byte* dst, const std::byte* src, const CopyAxis& axis,
                           size_t run_bytes) {
  CUDA_MEMCPY2D_v2 out = {};
  out.srcMemoryType = direction == Direction::host_to_device ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  out.dstMemoryType = direction == Direction::device_to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  out.srcPitch = static_cast<size_t>(axis.src_stride_bytes);
  out.dstPitch = static_cast<size_t>(axis.dst_stride_bytes);
  out.WidthInBytes = run_bytes;
  out.Height = static_cast<size_t>(axis.extent);
  if (direction == Direction::host_to_device) {
    out.srcHost = src;
  } else {
    out.srcDevice = device_address(src);
  }
  if (direction == Direction::device_to_host) {
    out.dstHost = dst;
  } else {
    out.dstDevice = device_address(dst);
  }
  return out;
}

/// One copy in its parts.
class DirectCopy {
 public:
  DirectCopy(DeviceState& device, CudaQueue& queue, Direction direction, size_t run_bytes)
      : device_(device),
        driver_(device.driver()),
        stream_(queue.handle()),
        is_default_(queue.is_default()),
        direction_(direction),
        run_bytes_(run_bytes) {}

  void run(std::byte* dst, const std::byte* src, std::span<const CopyAxis> axes) {
    if (axes.empty()) return copy_run(dst, src);
    if (axes.size() == 1 && is_rectangle(device_, axes[0], run_bytes_)) return copy_rectangle(dst, src, axes[0]);
    for (int64_t i = 0; i < axes[0].extent; ++i) {
      run(dst + i * axes[0].dst_stride_bytes, src + i * axes[0].src_stride_bytes, axes.subspan(1));
    }
  }

 private:
  void copy_run(std::byte* dst, const std::byte* src) {
    switch (direction_) {
      case Direction::host_to_device: return copy_in(device_address(dst), src);
      case Direction::device_to_host: return copy_out(dst, device_address(src));
      case Direction::within_device: return copy_within(device_address(dst), device_address(src));
    }
  }
  void copy_in(CUdeviceptr dst, const std::byte* src) {
    if (is_default_) return check(driver_.cuMemcpyHtoD, driver_.cuMemcpyHtoD(dst, src, run_bytes_), "to");
    check(driver_.cuMemcpyHtoDAsync, driver_.cuMemcpyHtoDAsync(dst, src, run_bytes_, stream_), "to");
  }
  void copy_out(std::byte* dst, CUdeviceptr src) {
    if (is_default_) return check(driver_.cuMemcpyDtoH, driver_.cuMemcpyDtoH(dst, src, run_bytes_), "from");
    check(driver_.cuMemcpyDtoHAsync, driver_.cuMemcpyDtoHAsync(dst, src, run_bytes_, stream_), "from");
  }
  void copy_within(CUdeviceptr dst, CUdeviceptr src) {
    check(driver_.cuMemcpyDtoDAsync, driver_.cuMemcpyDtoDAsync(dst, src, run_bytes_, stream_), "within");
  }
  void copy_rectangle(std::byte* dst, const std::byte* src, const CopyAxis& axis) {
    const CUDA_MEMCPY2D_v2 copy = rectangle(direction_, dst, src, axis, run_bytes_);
    const bool returns_when_done = is_default_ && direction_ != Direction::within_device;
    const CUresult code =
        returns_when_done ? driver_.cuMemcpy2DUnaligned(&copy) : driver_.cuMemcpy2DAsync(&copy, stream_);
    const AnyDriverFunction& function = returns_when_done
                                            ? static_cast<const AnyDriverFunction&>(driver_.cuMemcpy2DUnaligned)
                                            : driver_.cuMemcpy2DAsync;
    device_.context.check(function, code, "copying {} rows of {} bytes", axis.extent, run_bytes_);
  }
  void check(const AnyDriverFunction& function, CUresult code, const char* where) {
    device_.context.check(function, code, "copying {} bytes {} the device", run_bytes_, where);
  }

  DeviceState& device_;
  const Driver& driver_;
  CUstream stream_;
  bool is_default_;
  Direction direction_;
  size_t run_bytes_;
};

}  // namespace

bool is_direct(const CollapsedCopy& copy) {
  return std::all_of(copy.axes.begin(), copy.axes.end(),
                     [](const CopyAxis& axis) { return axis.dst_stride_bytes > 0 && axis.src_stride_bytes > 0; });
}

uint64_t direct_calls(const DeviceState& device, const CollapsedCopy& copy) {
  uint64_t calls = 1;
  for (const CopyAxis& axis : copy.axes) calls *= static_cast<uint64_t>(axis.extent);
  if (copy.axes.empty() || !is_rectangle(device, copy.axes.back(), copy.run_bytes)) return calls;
  return calls / static_cast<uint64_t>(copy.axes.back().extent);
}

void copy_direct(DeviceState& device, CudaQueue& queue, StridedCopy::Direction direction, const CollapsedCopy& copy) {
  DirectCopy(device, queue, direction, copy.run_bytes).run(copy.dst, copy.src, copy.axes);
}

}  // namespace jitc::runtime::cuda
