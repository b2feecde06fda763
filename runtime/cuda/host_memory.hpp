// Host memory that a device reaches.
#pragma once

#include <cstddef>

#include "jitc/host_array.hpp"
#include "runtime/cuda/device_state.hpp"

namespace jitc::runtime::cuda {

/// Throws DriverError, and Error(device) where the device or the driver has no such memory. Freed by Cleanup.
std::byte* allocate_host(DeviceState& device, size_t size_bytes, HostMemoryKind kind, const HostMemoryOptions& options);

/// The device's address of mapped or managed memory.
std::byte* device_address_of(DeviceState& device, std::byte* host_data, HostMemoryKind kind);

/// Page-locks memory of the caller, and undoes it.
void pin(DeviceState& device, void* data, size_t size_bytes);
void unpin(DeviceState& device, void* data) noexcept;

}  // namespace jitc::runtime::cuda
