// Copies by way of packed host memory, for strides that the driver cannot follow: axes that run in opposite directions
// or stand still, elements in another order on the other side.
#pragma once

#include "runtime/common/backend.hpp"
#include "runtime/cuda/cuda_queue.hpp"

namespace jitc::runtime::cuda {

/// Calls of the driver that a copy between host and device takes this way.
uint64_t staged_calls(const DeviceState& device, const StridedCopy& copy);

/// Waits for the queue. The context is current.
void copy_staged(DeviceState& device, CudaQueue& queue, const StridedCopy& copy);

}  // namespace jitc::runtime::cuda
