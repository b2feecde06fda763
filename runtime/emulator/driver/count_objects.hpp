// What a program has of the driver, in numbers: for whoever looks for what was never freed.
#pragma once

#include <vector>

#include "jitc/emulator.h"

namespace jitc::emulator::driver {

/// One row for each kind of object, in the same order each time. With the lock held.
std::vector<JitcEmulatorCounter> count_objects();

}  // namespace jitc::emulator::driver
