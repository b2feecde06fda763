// Memory within the limits of a device: its own, its pools', and memory of the host that it reaches.
#pragma once

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {

/// What a device has left.
uint64_t free_bytes(const Context& context);

/// Memory of the kind, of `pool` when pooled. Null where the device, or the host that stands for it, is full.
AllocationPtr allocate(Context& context, MemoryKind kind, uint64_t size_bytes, const std::shared_ptr<Pool>& pool = {});
/// Once is enough; more does nothing.
void release(const AllocationPtr& allocation);

}  // namespace jitc::emulator::driver
