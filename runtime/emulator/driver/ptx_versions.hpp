// Which PTX a driver of some version takes.
#pragma once

#include <cstdint>

namespace jitc::emulator::driver {

/// 10 * major + minor; 0 for a driver that is too old to be pretended.
uint32_t newest_ptx(int driver_version);

}  // namespace jitc::emulator::driver
