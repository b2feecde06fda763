// A kernel of a fault's file, run on the emulator.
#pragma once

#include "tests/unit/emulator_faults/fault_case.hpp"

namespace jitc::emulator_test {

/// What the emulator says of the kernel, with instructions for lines and no addresses; nothing if it has no fault.
std::string report_of(const FaultCase& one, const std::string& kernel);

}  // namespace jitc::emulator_test
