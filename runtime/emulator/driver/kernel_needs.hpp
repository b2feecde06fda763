// What a kernel needs, and how many of its blocks a multiprocessor holds.
#pragma once

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {

/// A kernel of the current context, or null.
std::shared_ptr<Kernel> find_kernel(CUfunction handle);

/// As set, or as the kernel's text says.
int attribute_of(const Kernel& kernel, CUfunction_attribute attribute);
int device_value(const Kernel& kernel, CUdevice_attribute attribute);

/// Blocks of `block_size` threads that one multiprocessor runs at once; 0 for one that does not fit.
int active_blocks(const Kernel& kernel, int block_size, size_t dynamic_shared_bytes);

}  // namespace jitc::emulator::driver
