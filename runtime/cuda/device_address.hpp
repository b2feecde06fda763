// Device addresses as the driver and as the runtime write them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cuda/driver_abi.hpp"

namespace jitc::runtime::cuda {

inline CUdeviceptr device_address(const std::byte* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

inline std::byte* device_pointer(CUdeviceptr address) {
  return reinterpret_cast<std::byte*>(static_cast<uintptr_t>(address));
}

}  // namespace jitc::runtime::cuda
