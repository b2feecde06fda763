// Calls and returns: values go through the lanes' local memory, where each frame has its part.
#pragma once

#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator {

/// Moves the group into a frame of the function called, on which its lanes agree.
/// False, with warp.fault, if it cannot.
bool run_call(Warp& warp, Group& group, const Step& step);

/// Moves the group behind the call that it came from. False when it leaves the kernel.
bool run_return(Warp& warp, Group& group);

}  // namespace jitc::emulator
