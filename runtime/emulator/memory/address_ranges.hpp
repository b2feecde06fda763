// Where device addresses are. No host pointer lies there (address_space.hpp says why), so that a host that follows a
// device pointer crashes as it does on a machine with a GPU.
#pragma once

#include "runtime/emulator/program/address_space.hpp"

namespace jitc::emulator {

/// Memory that programs allocate.
constexpr Window kDeviceRange = {uint64_t{1} << 58, uint64_t{1} << 57};
/// Variables of modules.
constexpr Window kGlobalRange = {kDeviceRange.base + kDeviceRange.size_bytes, uint64_t{1} << 56};
constexpr Window kConstantRange = {kGlobalRange.base + kGlobalRange.size_bytes, uint64_t{1} << 56};
static_assert(kConstantRange.base + kConstantRange.size_bytes <= kSharedWindow.base);

/// Whether no host pointer can be meant.
constexpr bool is_device_address(uint64_t address) {
  return address - kDeviceRange.base < kConstantRange.base + kConstantRange.size_bytes - kDeviceRange.base;
}

}  // namespace jitc::emulator
