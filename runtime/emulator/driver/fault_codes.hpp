// What a kernel's fault is to the driver.
#pragma once

#include "runtime/emulator/driver/calls.hpp"
#include "runtime/emulator/exec/fault.hpp"

namespace jitc::emulator::driver {

/// The code that the context has from then on.
CUresult code_of(FaultKind kind);

}  // namespace jitc::emulator::driver
