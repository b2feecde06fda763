// What can be seen of a block's threads while they run: the door for checks and counters.
#pragma once

#include <span>

#include "runtime/emulator/exec/barriers.hpp"
#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator {

/// One lane's part of an access, in an area that is not generic; the address counts in that area's own space.
struct LaneAccess {
  uint32_t lane;
  Area area;
  uint64_t address;
  std::byte* bytes;  ///< there, and aligned
};

/// A load, store or atomic operation of a group's active lanes, of which each may be made.
struct ObservedAccess {
  const Access& access;
  uint32_t size_bytes;  ///< of each lane: all values of a vector
  std::span<const LaneAccess> lanes;
};

/// Watches one block. Every hook is called by the host thread that runs the block, for a warp's steps in their order;
/// only an instance of the interpreter that is used for observed blocks calls them. One that answers false has set
/// warp.fault, and the block stops there.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The group is about to take the step, with its effect for `lanes`. Comes once for each time that a group takes a
  /// step; what lanes do in turns, each turn counts.
  virtual bool step(Warp& /*warp*/, const Group& /*group*/, const Step& /*step*/, uint32_t /*lanes*/) { return true; }
  /// Behind step(), before the access is made. Not called without lanes.
  virtual bool access(Warp& /*warp*/, const Group& /*group*/, const Step& /*step*/, const ObservedAccess& /*access*/) {
    return true;
  }
  /// `taken` go to the branch's target, the group's others to the next step.
  virtual void diverged(Warp& /*warp*/, const Group& /*group*/, const Step& /*step*/, uint32_t /*taken*/) {}
  /// The lanes of the groups have met and are about to do what they met for (or to ask who is active).
  virtual bool meet(Warp& /*warp*/, std::span<const Group* const> /*groups*/, const Step& /*step*/) { return true; }
  /// The group has come to a barrier, at which it waits or not.
  virtual bool arrive(Warp& /*warp*/, const Group& /*group*/, const Step& /*step*/, const Arrival& /*arrival*/) {
    return true;
  }
  /// The barrier lets its threads go.
  virtual void release(const Release& /*release*/) {}
  /// The group is at the first step of the function that it has called; its arguments are there.
  virtual void called(Warp& /*warp*/, const Group& /*group*/) {}
  /// The group is about to go back to the caller of its frame, which has the results.
  virtual void returned(Warp& /*warp*/, const Group& /*group*/) {}

  /// More about the fault that a hook has set.
  virtual std::string explain() const { return {}; }
};

}  // namespace jitc::emulator
