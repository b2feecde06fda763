// Copies that the driver does: runs of bytes, rectangles, and as many of those as it takes.
#pragma once

#include "runtime/common/strided_copy.hpp"
#include "runtime/cuda/cuda_queue.hpp"

namespace jitc::runtime::cuda {

/// Whether the driver can: all strides run forwards, on both sides.
bool is_direct(const CollapsedCopy& copy);

/// How many calls it takes.
uint64_t direct_calls(const DeviceState& device, const CollapsedCopy& copy);

/// The context is current. On the default queue host memory was read or written when this returns.
void copy_direct(DeviceState& device, CudaQueue& queue, StridedCopy::Direction direction, const CollapsedCopy& copy);

}  // namespace jitc::runtime::cuda
