#include "runtime/cuda/staged_copy.hpp"

#include <algorithm>
#include <vector>

#include "runtime/common/layout.hpp"
#include "runtime/common/strided_copy.hpp"
#include "runtime/cuda/copies.hpp"
#include "runtime/cuda/direct_copy.hpp"

namespace jitc::runtime::cuda {

namespace {

using Direction = StridedCopy::Direction;

/// A copy between host and device in two: packed memory has the device's elements in the device's order, each once.
struct Stage {
  std::vector<int64_t> shape;  // of the host's part: axes along which the device stands still come last
  std::vector<int64_t> host_strides, packed_strides, device_strides;
  int64_t host_offset = 0, device_offset = 0;
  size_t device_rank = 0;  // the axes of the device's part come first
  size_t size_bytes = 0;

  std::span<const int64_t> device_shape() const { return {shape.data(), device_rank}; }
};

struct Axis {
  int64_t extent, host_stride, device_stride;
};

/// Turns each axis so that the device runs forwards.
std::vector<Axis> device_axes(const StridedCopy& copy, Stage& stage) {
  const bool is_in = copy.direction == Direction::host_to_device;
  const auto host_strides = is_in ? copy.src_strides_bytes : copy.dst_strides_bytes;
  const auto device_strides = is_in ? copy.dst_strides_bytes : copy.src_strides_bytes;
  std::vector<Axis> axes;
  for (size_t i = 0; i < copy.shape.size(); ++i) {
    Axis axis{copy.shape[i], host_strides[i], device_strides[i]};
    if (axis.device_stride < 0) {
      stage.host_offset += (axis.extent - 1) * axis.host_stride;
      stage.device_offset += (axis.extent - 1) * axis.device_stride;
      axis = {axis.extent, -axis.host_stride, -axis.device_stride};
    }
    axes.push_back(axis);
  }
  std::stable_sort(axes.begin(), axes.end(),
                   [](const Axis& a, const Axis& b) { return a.device_stride > b.device_stride; });
  return axes;
}

Stage plan(const StridedCopy& copy) {
  Stage stage;
  for (const Axis& axis : device_axes(copy, stage)) {
    stage.shape.push_back(axis.extent);
    stage.host_strides.push_back(axis.host_stride);
    stage.device_strides.push_back(axis.device_stride);
    if (axis.device_stride != 0) stage.device_rank = stage.shape.size();
  }
  stage.device_strides.resize(stage.device_rank);
  stage.packed_strides = c_strides(stage.device_shape(), copy.elem_bytes);
  stage.packed_strides.resize(stage.shape.size());  // zeros: the same element again
  stage.size_bytes = copy.elem_bytes;
  for (const int64_t extent : stage.device_shape()) stage.size_bytes *= static_cast<size_t>(extent);
  return stage;
}

/// The part that the driver does.
StridedCopy device_part(const StridedCopy& copy, const Stage& stage, std::byte* packed) {
  const auto packed_strides = std::span(stage.packed_strides).first(stage.device_rank);
  if (copy.direction == Direction::host_to_device) {
    return {copy.direction,       copy.dst + stage.device_offset, packed,
            stage.device_shape(), stage.device_strides,           packed_strides,
            copy.elem_bytes};
  }
  return {copy.direction,       packed,         copy.src + stage.device_offset, stage.device_shape(), packed_strides,
          stage.device_strides, copy.elem_bytes};
}

/// The part that the host does.
StridedCopy host_part(const StridedCopy& copy, const Stage& stage, std::byte* packed) {
  if (copy.direction == Direction::host_to_device) {
    return {copy.direction,     packed,         copy.src + stage.host_offset, stage.shape, stage.packed_strides,
            stage.host_strides, copy.elem_bytes};
  }
  return {copy.direction,     copy.dst + stage.host_offset, packed,         stage.shape,
          stage.host_strides, stage.packed_strides,         copy.elem_bytes};
}

/// Host memory that copies on a queue use: it does not go before they are done.
class PackedMemory {
 public:
  PackedMemory(DeviceState& device, CudaQueue& queue, size_t size_bytes)
      : device_(device), stream_(queue.handle()), bytes_(size_bytes) {}
  ~PackedMemory() {
    const Driver& driver = device_.driver();
    if (is_used_) device_.context.note(driver.cuStreamSynchronize, driver.cuStreamSynchronize(stream_), "waiting");
  }
  PackedMemory(const PackedMemory&) = delete;
  PackedMemory& operator=(const PackedMemory&) = delete;

  std::byte* data() { return bytes_.data(); }
  void wait() {
    const Driver& driver = device_.driver();
    device_.context.check(driver.cuStreamSynchronize, driver.cuStreamSynchronize(stream_), "waiting for a copy");
    is_used_ = false;
  }

 private:
  DeviceState& device_;
  CUstream stream_;
  std::vector<std::byte> bytes_;
  bool is_used_ = true;
};

/// Down in the source's order and up in the destination's.
void copy_within(DeviceState& device, CudaQueue& queue, const StridedCopy& copy) {
  size_t size_bytes = copy.elem_bytes;
  for (const int64_t extent : copy.shape) size_bytes *= static_cast<size_t>(extent);
  PackedMemory packed(device, queue, size_bytes);
  const std::vector<int64_t> strides = c_strides(copy.shape, copy.elem_bytes);
  run_copy(device, queue,
           {Direction::device_to_host, packed.data(), copy.src, copy.shape, strides, copy.src_strides_bytes,
            copy.elem_bytes});
  packed.wait();
  run_copy(device, queue,
           {Direction::host_to_device, copy.dst, packed.data(), copy.shape, copy.dst_strides_bytes, strides,
            copy.elem_bytes});
  packed.wait();
}

}  // namespace

uint64_t staged_calls(const DeviceState& device, const StridedCopy& copy) {
  return direct_calls(device, collapse(device_part(copy, plan(copy), nullptr)));
}

void copy_staged(DeviceState& device, CudaQueue& queue, const StridedCopy& copy) {
  if (copy.direction == Direction::within_device) return copy_within(device, queue, copy);
  const Stage stage = plan(copy);
  PackedMemory packed(device, queue, stage.size_bytes);
  if (copy.direction == Direction::host_to_device) copy_on_host(host_part(copy, stage, packed.data()));
  copy_direct(device, queue, copy.direction, collapse(device_part(copy, stage, packed.data())));
  packed.wait();
  if (copy.direction == Direction::device_to_host) copy_on_host(host_part(copy, stage, packed.data()));
}

}  // namespace jitc::runtime::cuda
