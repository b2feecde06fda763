// What lies at an address, in the names of the kernel's author.
#pragma once

#include <string>

#include "runtime/emulator/driver/execute.hpp"

namespace jitc::emulator::driver {

/// "x[12] (x is f4[:] of shape (10,))": the element of the array argument to which the address belongs, and no other.
/// Empty where the PTX says nothing of arrays (program/launch_notes.hpp), or none or several have it.
std::string array_element_at(const KernelLaunch& launch, uint64_t address);

/// The same of an access, which may be outside of its array: the array is the one from which the address was computed.
/// Where that is none or several, as above.
std::string array_element_of(const KernelLaunch& launch, const Fault& fault);

}  // namespace jitc::emulator::driver
