// The special registers of the threads of a warp.
#pragma once

#include "runtime/emulator/driver/execute.hpp"
#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator::driver {

/// Coordinates of the nth thread or block of a shape; x counts fastest.
std::array<uint32_t, 3> place_in(const std::array<uint32_t, 3>& shape, uint32_t nth);

/// Of the warp whose lane 0 is that thread of the block.
void fill_specials(Warp& warp, const KernelLaunch& launch, const std::array<uint32_t, 3>& block, uint32_t first_thread);

}  // namespace jitc::emulator::driver
