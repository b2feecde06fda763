// What lies at an address, in the names of the kernel's author.
#pragma once

#include <string>

#include "runtime/emulator/driver/execute.hpp"

namespace jitc::emulator::driver {

/// "x[12] (x is f4[:] of shape (10,))": the element of the array argument that holds the address, or that lies nearest
/// in the same allocation. Empty where the PTX says nothing of arrays (program/launch_notes.hpp), or none is near.
std::string array_element_at(const KernelLaunch& launch, uint64_t address);

}  // namespace jitc::emulator::driver
