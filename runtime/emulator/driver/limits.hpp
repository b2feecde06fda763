// The limits of a context, as set or as they are at first.
#pragma once

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {

size_t limit_of(const Context& context, CUlimit limit);

/// Streams: 0 is the least, smaller is greater.
constexpr int kGreatestPriority = -5;

}  // namespace jitc::emulator::driver
