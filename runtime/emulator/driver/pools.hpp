// Pools: memory of a device that is kept after it is freed.
#pragma once

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {

/// What the pools of a device hold, used or kept.
uint64_t reserved_bytes(int device);

/// Takes so much of the pool, which grows by at most `free_bytes`; false where that is not enough.
bool take(Pool& pool, uint64_t size_bytes, uint64_t free_bytes);
void give_back(Pool& pool, uint64_t size_bytes);

/// Gives up what the pool keeps beyond `keep_bytes`.
void trim(Pool& pool, uint64_t keep_bytes);
/// What every synchronisation does.
void trim_to_thresholds();

}  // namespace jitc::emulator::driver
