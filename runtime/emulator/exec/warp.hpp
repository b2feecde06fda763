// What a group of lanes needs of its surroundings while it runs.
#pragma once

#include <array>
#include <vector>

#include "runtime/emulator/exec/fault.hpp"
#include "runtime/emulator/exec/frame.hpp"
#include "runtime/emulator/exec/memory.hpp"

namespace jitc::emulator {

constexpr size_t kCountSpecials = static_cast<size_t>(Special::total_smem_size) + 1;

class Observer;

/// A warp of a block. Its groups are the scheduler's.
struct Warp {
  uint32_t index = 0;  ///< in its block
  const LinkedProgram* program = nullptr;
  Memory* memory = nullptr;
  Observer* observer = nullptr;            ///< null where nobody watches
  uint32_t local_limit_bytes = 512 << 10;  ///< of each lane
  std::array<std::array<Bits, kLanes>, kCountSpecials> specials = {};
  uint64_t count_steps = 0;   ///< the clock
  uint64_t count_writes = 0;  ///< stores, and atomic operations that changed something
  Fault fault;
};

/// The kernel's own frame, at its first step.
Group enter_kernel(Warp& warp, uint32_t lanes);

/// A frame of a function with its special registers filled in.
std::shared_ptr<Frame> make_frame(Warp& warp, uint32_t function);

}  // namespace jitc::emulator
