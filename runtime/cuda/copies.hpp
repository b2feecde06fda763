// Copies between host and device memory and within a device, at any strides.
#pragma once

#include "runtime/common/backend.hpp"
#include "runtime/cuda/cuda_queue.hpp"

namespace jitc::runtime::cuda {

/// In the order of `queue`. On the default queue it is done when this returns, on others perhaps not. No byte between
/// the elements is touched on either side. Throws DriverError.
void run_copy(DeviceState& device, CudaQueue& queue, const StridedCopy& copy);

/// In the order of `queue`; may not be done when this returns.
void fill_zero(DeviceState& device, CudaQueue& queue, std::byte* dst, size_t size_bytes);

}  // namespace jitc::runtime::cuda
