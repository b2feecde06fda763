// Calls and returns: values go through the lanes' local memory, where each frame has its part.
#pragma once

#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator {

/// Moves the group into a frame of the function called, on which its lanes agree.
/// False, with warp.fault, if it cannot.
bool run_call(Warp& warp, Group& group, const Step& step);

/// Moves the group behind the call that it came from. False when it leaves the kernel.
bool run_return(Warp& warp, Group& group);

/// What a lane hands to the call that the group is at: argument `nth`, of at most 8 bytes.
Bits argument_of(Warp& warp, const Group& group, size_t nth, uint32_t lane);
/// The lane's result of the call that the group is at, for a function that has one; else nothing happens.
void set_result(Warp& warp, const Group& group, uint32_t lane, Bits value);

}  // namespace jitc::emulator
