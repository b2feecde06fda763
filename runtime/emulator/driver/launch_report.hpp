// What is said of a launch that ended with a fault.
#pragma once

#include <span>

#include "runtime/emulator/driver/launch_memory.hpp"
#include "runtime/emulator/exec/block.hpp"

namespace jitc::emulator::driver {

struct FaultPlace {
  const KernelLaunch& launch;
  const LaunchMemory& memory;
  std::array<uint32_t, 3> block;
};

/// Coordinates of the nth thread or block of a shape; x counts fastest.
std::array<uint32_t, 3> place_in(const std::array<uint32_t, 3>& shape, uint64_t nth);

/// Of a thread of the warp: kernel, kind, PTX line, source line, block, thread, address and the allocation next to it.
LaunchFault report_fault(const FaultPlace& place, const Warp& warp, std::string_view message);

/// Of a block whose threads all wait, for whom and where.
LaunchFault report_stuck(const FaultPlace& place, std::span<const WaitingThreads> waiting);

}  // namespace jitc::emulator::driver
