// What memory has to do for one instruction of a warp.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {

constexpr uint32_t kSectorBytes = 32;

/// Distinct sectors that the lanes touch, each with `size_bytes` at its address.
uint32_t count_sectors(std::span<const LaneAccess> lanes, uint32_t size_bytes);

/// The same for local memory, whose 4-byte words lie side by side for the 32 lanes of a warp. Source: CUDA C++
/// Programming Guide, "Local Memory".
uint32_t count_local_sectors(std::span<const LaneAccess> lanes, uint32_t size_bytes);

struct Wavefronts {
  uint32_t taken = 0;
  uint32_t least = 0;  ///< with all words in different banks
};

/// Passes over the banks of shared memory. Lanes that read one word share it; those of an access of 8 or 16 bytes come
/// in halves or quarters of the warp.
Wavefronts count_wavefronts(std::span<const LaneAccess> lanes, uint32_t size_bytes);

}  // namespace jitc::emulator
