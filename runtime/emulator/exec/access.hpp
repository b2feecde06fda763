// Loads, stores and atomic operations of a group's lanes.
#pragma once

#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator {

/// Each performs the step's access for `lanes`, lane by lane in their order. False, with warp.fault, at the first
/// fault.
bool run_load(Warp& warp, const Group& group, const Step& step, uint32_t lanes);
bool run_store(Warp& warp, const Group& group, const Step& step, uint32_t lanes);
bool run_atomic(Warp& warp, const Group& group, const Step& step, uint32_t lanes);

/// Tells the warp's observer of the step's access for `lanes`, before it is made. False, with warp.fault, where a
/// lane's is a fault, or the observer says no.
bool observe_access(Warp& warp, const Group& group, const Step& step, uint32_t lanes);

/// Bytes of a lane's local memory, where a call hands them over; null where there are none.
std::byte* local_bytes(Warp& warp, uint32_t lane, uint64_t address, uint32_t size_bytes, bool is_write);

/// Bytes at a generic address, for what the driver does in a thread's name; null where there are none.
std::byte* generic_bytes(Warp& warp, uint32_t lane, uint64_t address, uint32_t size_bytes);

}  // namespace jitc::emulator
