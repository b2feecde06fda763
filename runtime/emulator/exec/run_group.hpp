// The interpreter's loop.
#pragma once

#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator {

/// Why a group stopped, at group.step unless it says otherwise.
enum class StopKind : uint8_t {
  budget,    ///< the steps allowed are used up
  joined,    ///< the step where others wait is reached, or passed
  diverged,  ///< `lanes` go to `step`, the group's others to the next one
  split,     ///< `lanes` can take the step there together, the others cannot with them: two groups, both at that step
  meeting,   ///< a barrier, shuffle, vote…: the scheduler's
  builtin,   ///< a call of a function that the driver brings
  ended,     ///< the group's threads have left the kernel
  fault,     ///< warp.fault says which
};

struct Stop {
  StopKind kind;
  uint32_t lanes = 0;
  uint32_t step = 0;
};

struct RunLimits {
  uint64_t budget_steps = ~uint64_t{0};
  /// Where others of the warp wait: the group stops before it takes this step of this frame, or one behind it.
  const Frame* join_frame = nullptr;
  uint32_t join_step = 0;
};

/// Runs the group until it must stop. All its lanes stay together.
Stop run_group(Warp& warp, Group& group, const RunLimits& limits);

}  // namespace jitc::emulator
