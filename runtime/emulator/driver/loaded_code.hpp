// A module's way into the memory of a device.
#pragma once

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {

/// Gives its variables memory and first values. Null where the device is full.
std::shared_ptr<LoadedCode> place(LoadedModule module, Context& context);

/// The kernel with all its addresses.
std::shared_ptr<Kernel> make_kernel(const std::shared_ptr<LoadedCode>& code, const Program& program);

/// Where a variable lies.
uint64_t address_of(const LoadedCode& code, const Symbol& symbol);

}  // namespace jitc::emulator::driver
