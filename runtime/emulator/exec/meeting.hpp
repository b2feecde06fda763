// What lanes of a warp do together: shuffles, votes, matches, reductions.
#pragma once

#include <span>

#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator {

/// Whether lanes of one warp meet at it, by a mask that each gives.
bool meets_by_mask(Action action);

/// Whether it is done at once by the lanes that are at it together: activemask, and what has no mask (shuffles and
/// votes of texts from before .sync).
bool is_for_who_is_there(const Step& step);

/// The source that holds the mask.
size_t mask_source(Action action);

/// Which lane a shuffle reads: PTX ISA, "shfl.sync". Out of range it is the lane itself.
struct ShuffleSource {
  uint32_t lane;
  bool is_in_range;
};
ShuffleSource shuffle_source(MeetingOp op, uint32_t lane, Bits b, Bits c);

/// Performs the step for lanes that have met there: `groups` are at the step, in one frame or several. All of their
/// lanes take part. The groups stay at the step.
void run_meeting(std::span<const Group* const> groups, const Step& step);

}  // namespace jitc::emulator
