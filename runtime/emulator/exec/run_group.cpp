#include "runtime/emulator/exec/run_group.hpp"

#include <optional>

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/exec/access.hpp"
#include "runtime/emulator/exec/calls.hpp"
#include "runtime/emulator/exec/fence.hpp"
#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {
namespace {

/// The group's lanes whose guard holds.
uint32_t active_lanes(const Group& group, const Step& step) {
  if (step.guard.is_none()) return group.lanes;
  const Bits* guard = group.frame->source(step.guard);
  uint32_t active = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) active |= static_cast<uint32_t>(guard[lane] & 1) << lane;
  return group.lanes & (step.is_guard_negated ? ~active : active);
}

void run_alu(Frame& frame, const Step& step, uint32_t lanes) {
  const Slot carry = frame.function->decoded->carry;
  const AluRows rows = {frame.row(step.dst),
                        step.second.is_none() ? nullptr : frame.row(step.second),
                        carry.is_none() ? nullptr : frame.row(carry),
                        {frame.source(step.src[0]), frame.source(step.src[1]), frame.source(step.src[2]),
                         frame.source(step.src[3]), frame.source(step.src[4])},
                        &step.alu.rules};
  step.alu.run(rows, lanes);
}

/// The clock counts steps of the warp; the timer is the same clock.
void run_read_clock(const Warp& warp, Frame& frame, const Step& step) {
  const auto id = static_cast<Special>(step.variant);
  const bool is_high = id == Special::clock_hi || id == Special::globaltimer_hi;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    frame.row(step.dst)[lane] = is_high ? warp.count_steps >> 32 : warp.count_steps;
  }
}

void run_frame_address(Frame& frame, const Step& step) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    frame.row(step.dst)[lane] = frame.local_base_bytes + frame.source(step.src[0])[lane];
  }
}

/// The group's own way out of a step: nothing for one that leaves it running, at group.step.
using MaybeStop = std::optional<Stop>;

MaybeStop run_branch(Group& group, const Step& step, uint32_t lanes) {
  if (lanes != group.lanes && lanes != 0) return Stop{StopKind::diverged, lanes, step.index};
  group.step = lanes != 0 ? step.index : group.step + 1;
  return std::nullopt;
}

/// Those of `lanes` for which `value(lane)` is what it is for the first of them.
template <class Value>
uint32_t lanes_like_the_first(uint32_t lanes, Value value) {
  const auto first = value(first_lane(lanes));
  uint32_t alike = 0;
  for_lanes(lanes, [&](uint32_t lane) {
    if (value(lane) == first) alike |= uint32_t{1} << lane;
  });
  return alike;
}

/// An index beyond the table is undefined in PTX; here it falls through.
MaybeStop run_branch_indexed(Group& group, const Step& step) {
  const Frame& frame = *group.frame;
  const std::vector<uint32_t>& table = frame.function->decoded->branch_tables[step.index];
  const Bits* index = frame.source(step.src[0]);
  const auto target = [&](uint32_t lane) {
    const auto at = static_cast<uint32_t>(index[lane]);
    return at < table.size() ? table[at] : group.step + 1;
  };
  const uint32_t together = lanes_like_the_first(group.lanes, target);
  if (together != group.lanes) return Stop{StopKind::split, together, group.step};
  group.step = target(first_lane(together));
  return std::nullopt;
}

MaybeStop run_call_step(Warp& warp, Group& group, const Step& step) {
  const CallSite& call = group.frame->function->decoded->calls[step.index];
  if (call.builtin != Builtin::none) return Stop{StopKind::builtin, group.lanes, group.step};
  if (!call.address.is_none()) {
    const Bits* address = group.frame->source(call.address);
    const uint32_t together = lanes_like_the_first(group.lanes, [&](uint32_t lane) { return address[lane]; });
    if (together != group.lanes) return Stop{StopKind::split, together, group.step};
  }
  if (!run_call(warp, group, step)) return Stop{StopKind::fault};
  return std::nullopt;
}

MaybeStop run_trap(Warp& warp, const Group& group) {
  warp.fault = {FaultKind::trap, Area::generic, false, first_lane(group.lanes), 0, 0, group.frame->function->decoded,
                group.step};
  return Stop{StopKind::fault};
}

/// Steps that change where the group is, or end it; all of its lanes take them, or none.
MaybeStop run_control(Warp& warp, Group& group, const Step& step, uint32_t lanes) {
  if (step.action == Action::branch) return run_branch(group, step, lanes);
  if (lanes == 0) return ++group.step, std::nullopt;
  if (lanes != group.lanes) return Stop{StopKind::split, lanes, group.step};
  switch (step.action) {
    case Action::branch_indexed: return run_branch_indexed(group, step);
    case Action::call: return run_call_step(warp, group, step);
    case Action::ret: return run_return(warp, group) ? MaybeStop() : Stop{StopKind::ended, lanes};
    case Action::exit: return Stop{StopKind::ended, lanes};
    case Action::trap: return run_trap(warp, group);
    default: return Stop{StopKind::meeting, lanes, group.step};
  }
}

/// Whether run_plain takes it.
bool is_plain(Action action) {
  switch (action) {
    case Action::alu:
    case Action::load:
    case Action::store:
    case Action::atomic:
    case Action::reduce:
    case Action::frame_address:
    case Action::read_clock:
    case Action::fence:
    case Action::nothing:
    case Action::sleep:
    case Action::breakpoint: return true;
    default: return false;
  }
}

bool is_access(Action action) {
  return action == Action::load || action == Action::store || action == Action::atomic || action == Action::reduce;
}

/// Before a plain step; false with warp.fault.
bool observe_plain(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  return warp.observer->step(warp, group, step, lanes) &&
         (!is_access(step.action) || observe_access(warp, group, step, lanes));
}

/// Steps after which the group is at the next one. Nothing for those that are run_control's.
template <bool kIsObserved>
std::optional<bool> run_plain(Warp& warp, Group& group, const Step& step, uint32_t lanes) {
  if (kIsObserved && is_plain(step.action) && !observe_plain(warp, group, step, lanes)) return false;
  switch (step.action) {
    case Action::alu: run_alu(*group.frame, step, lanes); return true;
    case Action::load: return run_load(warp, group, step, lanes);
    case Action::store: return run_store(warp, group, step, lanes);
    case Action::atomic:
    case Action::reduce: return run_atomic(warp, group, step, lanes);
    case Action::frame_address: run_frame_address(*group.frame, step); return true;
    case Action::read_clock: run_read_clock(warp, *group.frame, step); return true;
    case Action::fence: run_fence(); return true;
    case Action::nothing:
    case Action::sleep:
    case Action::breakpoint: return true;
    default: return std::nullopt;
  }
}

/// A step of run_control. What it splits comes again.
MaybeStop run_control_observed(Warp& warp, Group& group, const Step& step, uint32_t lanes) {
  const Group before = group;
  const MaybeStop stop = run_control(warp, group, step, lanes);
  if (stop && stop->kind == StopKind::split) return stop;
  if (!warp.observer->step(warp, before, step, lanes)) return Stop{StopKind::fault};
  if (stop && stop->kind == StopKind::diverged) warp.observer->diverged(warp, before, step, lanes);
  return stop;
}

/// Two instances: in the one that nobody observes nothing is paid for it.
template <bool kIsObserved>
Stop run(Warp& warp, Group& group, const RunLimits& limits) {
  for (uint64_t left = limits.budget_steps; left > 0; --left) {
    if (group.frame.get() == limits.join_frame && group.step >= limits.join_step) return {StopKind::joined};
    const Step& step = group.frame->function->decoded->steps[group.step];
    const uint32_t lanes = active_lanes(group, step);
    ++warp.count_steps;
    if (const auto is_done = run_plain<kIsObserved>(warp, group, step, lanes)) {
      if (!*is_done) return {StopKind::fault};
      ++group.step;
    } else if (const MaybeStop stop = kIsObserved ? run_control_observed(warp, group, step, lanes)
                                                  : run_control(warp, group, step, lanes)) {
      return *stop;
    }
  }
  return {StopKind::budget};
}

}  // namespace

Stop run_group(Warp& warp, Group& group, const RunLimits& limits) {
  return warp.observer == nullptr ? run<false>(warp, group, limits) : run<true>(warp, group, limits);
}

}  // namespace jitc::emulator
