// A kernel on one thread: what a scheduler does in the simplest case.
#pragma once

#include "runtime/emulator/exec/run_group.hpp"

namespace jitc::emulator {

/// Runs the kernel's thread 0 of block 0 of a grid of one thread, at most `budget_steps`. Anything at which threads
/// would meet stops it.
Stop run_thread(Warp& warp, uint64_t budget_steps);

}  // namespace jitc::emulator
