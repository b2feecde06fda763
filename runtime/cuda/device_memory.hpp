// Memory of one device, with what is done when there is no more.
#pragma once

#include <cstddef>

#include "runtime/common/counters.hpp"
#include "runtime/cuda/cuda_queue.hpp"

namespace jitc::runtime::cuda {

/// Memory for work that `queue` is given from now on. When there is none, what was freed is given back and the driver
/// asked once more. Throws DriverError, of kind memory with the numbers; `counters` knows what the arrays hold.
std::byte* allocate(DeviceState& device, size_t size_bytes, CudaQueue& queue, const Counters& counters);

/// Gives what nobody uses back to the driver, after waiting for the device; bytes.
size_t trim(DeviceState& device);

MemoryState memory_state(DeviceState& device);

}  // namespace jitc::runtime::cuda
