// Whether a kernel can be launched like this.
#pragma once

#include "runtime/emulator/driver/kernel_needs.hpp"

namespace jitc::emulator::driver {

struct LaunchShape {
  std::array<uint32_t, 3> grid;
  std::array<uint32_t, 3> block;
  uint32_t dynamic_shared_bytes = 0;
  bool is_cooperative = false;
};

/// In the order of the driver: limits of the device, then what the kernel needs, then whether all blocks fit at once.
CUresult check_shape(const Kernel& kernel, const LaunchShape& shape);

}  // namespace jitc::emulator::driver
