#include "runtime/emulator/exec/warp_scheduler.hpp"

#include <algorithm>

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/exec/meeting.hpp"
#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {
namespace {

/// After so many steps another group has its turn, wherever it is: a lane that spins lets others go on.
constexpr uint64_t kTurnSteps = 4096;

/// Deeper frames first, then lower steps: who left a branch early waits behind it for the others.
bool goes_before(const Group& a, const Group& b) {
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.step < b.step;
}

/// Of bar.red.
Bits result_of(MeetingOp op, const Release& release) {
  if (op == MeetingOp::popc) return release.count_predicates;
  if (op == MeetingOp::bit_and) return release.count_predicates == release.count_arrived;
  return release.count_predicates != 0;
}

}  // namespace

WarpScheduler::WarpScheduler(Warp& warp, uint32_t count_threads, Barriers& barriers)
    : warp_(warp), barriers_(barriers) {
  const uint32_t lanes = count_threads >= kLanes ? ~uint32_t{0} : (uint32_t{1} << count_threads) - 1;
  groups_.push_back({enter_kernel(warp, lanes)});
}

WarpState WarpScheduler::run(uint64_t budget_steps) {
  const uint64_t end = warp_.count_steps + budget_steps;
  while (warp_.count_steps < end) {
    if (groups_.empty()) return WarpState::ended;
    if (!runs_apart_) {
      if (!choose_next()) return WarpState::waiting;
      join_alike();
    }
    runs_apart_ = false;
    const Stop stop = run_group(warp_, groups_.back().group, limits_for_last(end - warp_.count_steps));
    WarpState state = WarpState::turn_over;
    if (!handle(stop, state)) return state;
    if (warp_.fault.kind != FaultKind::none) return WarpState::fault;  // of lanes that met, or came to a barrier
  }
  return groups_.empty() ? WarpState::ended : WarpState::turn_over;
}

uint32_t WarpScheduler::living() const {
  uint32_t lanes = 0;
  for (const Member& member : groups_) lanes |= member.group.lanes;
  return lanes;
}

/// Puts the group that runs next last. After a turn that was used up it is the one that ran longest ago: groups that
/// ran stand behind those that did not.
bool WarpScheduler::choose_next() {
  const auto can_run = [](const Member& member) { return member.wait == Wait::none; };
  auto chosen = std::find_if(groups_.begin(), groups_.end(), can_run);
  if (chosen == groups_.end()) return false;
  for (auto other = chosen; !prefers_oldest_ && other != groups_.end(); ++other) {
    if (can_run(*other) && goes_before(other->group, chosen->group)) chosen = other;
  }
  std::rotate(chosen, chosen + 1, groups_.end());
  prefers_oldest_ = false;
  return true;
}

/// Takes groups at the same step of the same frame into the last one.
void WarpScheduler::join_alike() {
  Member& last = groups_.back();
  for (size_t i = groups_.size() - 1; i-- > 0;) {
    const Member& other = groups_[i];
    const bool is_alike =
        other.wait == Wait::none && other.group.frame == last.group.frame && other.group.step == last.group.step;
    if (!is_alike) continue;
    groups_.back().group.lanes |= other.group.lanes;
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(i));
    return join_alike();
  }
}

/// Up to the next group in the same frame.
RunLimits WarpScheduler::limits_for_last(uint64_t budget_steps) const {
  const Group& last = groups_.back().group;
  RunLimits limits = {groups_.size() > 1 ? std::min(kTurnSteps, budget_steps) : budget_steps, nullptr, UINT32_MAX};
  for (size_t i = 0; i + 1 < groups_.size(); ++i) {
    const Group& other = groups_[i].group;
    if (groups_[i].wait != Wait::none || other.frame != last.frame || other.step <= last.step) continue;
    limits.join_frame = last.frame.get();
    limits.join_step = std::min(limits.join_step, other.step);
  }
  return limits;
}

/// False where the warp stops, with its state.
bool WarpScheduler::handle(const Stop& stop, WarpState& state) {
  Member& last = groups_.back();
  switch (stop.kind) {
    case StopKind::budget: prefers_oldest_ = true; return true;
    case StopKind::joined: return true;
    case StopKind::diverged: split_last(stop.lanes, stop.step, last.group.step + 1); return true;
    case StopKind::split:
      split_last(stop.lanes, stop.step, stop.step);
      runs_apart_ = true;
      return true;
    case StopKind::ended:
      groups_.pop_back();
      complete_meetings();
      return true;
    case StopKind::builtin: state = WarpState::builtin; return false;
    case StopKind::meeting:
      if (meet()) return true;
      [[fallthrough]];
    case StopKind::fault: state = WarpState::fault; return false;
  }
  return true;
}

/// The lanes go to a step of their own; the others to theirs, and come last.
void WarpScheduler::split_last(uint32_t lanes, uint32_t step, uint32_t rest_step) {
  Member rest = groups_.back();
  rest.group.lanes &= ~lanes;
  rest.group.step = rest_step;
  groups_.back().group.lanes = lanes;
  groups_.back().group.step = step;
  if (rest.group.lanes != 0) groups_.insert(groups_.end() - 1, rest);
}

/// The last group is at a step that threads take together. False with warp.fault where it may not.
bool WarpScheduler::meet() {
  Member& last = groups_.back();
  const Step& step = step_of(last.group);
  if (is_for_who_is_there(step)) {
    perform({groups_.size() - 1});
    return true;
  }
  const bool is_by_mask = meets_by_mask(step.action);
  if (is_by_mask && !take_mask(step)) return false;
  if (is_by_mask || step.is_uniform) {
    groups_.back().wait = Wait::meeting;
    complete_meeting(Member(groups_.back()));
  } else {
    arrive(last, step);
  }
  return true;
}

/// The mask that the group's lanes give; those that give another than the first become a group of their own.
bool WarpScheduler::take_mask(const Step& step) {
  Member& last = groups_.back();
  const Bits* masks = last.group.frame->source(step.src[mask_source(step.action)]);
  last.mask = static_cast<uint32_t>(masks[first_lane(last.group.lanes)]);
  uint32_t alike = 0;
  for (uint32_t rest = last.group.lanes; rest != 0; rest &= rest - 1) {
    const uint32_t lane = first_lane(rest);
    const auto mask = static_cast<uint32_t>(masks[lane]);
    if (mask == last.mask) alike |= uint32_t{1} << lane;
    if ((mask >> lane & 1) != 0) continue;
    warp_.fault = {FaultKind::not_in_mask, Area::generic, false, lane, 0, 0, last.group.frame->function->decoded,
                   last.group.step};
    return false;
  }
  if (alike != last.group.lanes) split_last(alike, last.group.step, last.group.step);
  return true;
}

/// The groups that wait at the same step for the same lanes, whatever their frames.
std::vector<size_t> WarpScheduler::waiting_alike(const Member& like) const {
  std::vector<size_t> found;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const Member& other = groups_[i];
    const bool is_there =
        other.group.frame->function == like.group.frame->function && other.group.step == like.group.step;
    if (is_there && other.wait == Wait::meeting && other.mask == like.mask) found.push_back(i);
  }
  return found;
}

/// When all lanes that the meeting waits for are there they go on, or on to the block's barrier.
bool WarpScheduler::complete_meeting(const Member& like) {
  const std::vector<size_t> members = waiting_alike(like);
  uint32_t present = 0;
  for (size_t i : members) present |= groups_[i].group.lanes;
  if (present != (like.mask & living())) return false;
  const Step& step = step_of(like.group);
  if (meets_by_mask(step.action)) {
    perform(members);
  } else {
    for (size_t i : members) arrive(groups_[i], step);
  }
  return true;
}

/// Lanes have ended: who waited for them waits no longer.
void WarpScheduler::complete_meetings() {
  for (size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].wait == Wait::meeting) complete_meeting(Member(groups_[i]));
  }
}

void WarpScheduler::perform(const std::vector<size_t>& members) {
  std::vector<const Group*> groups;
  for (size_t i : members) groups.push_back(&groups_[i].group);
  const Step& step = step_of(*groups.front());
  if (warp_.observer != nullptr && !warp_.observer->meet(warp_, groups, step)) return;
  run_meeting(groups, step);
  for (size_t i : members) {
    groups_[i].wait = Wait::none;
    groups_[i].mask = ~uint32_t{0};
    ++groups_[i].group.step;
  }
}

void WarpScheduler::arrive(Member& member, const Step& step) {
  const Frame& frame = *member.group.frame;
  const uint32_t first = first_lane(member.group.lanes);
  const auto barrier = static_cast<uint32_t>(frame.source(step.src[0])[first]) % Barriers::kCount;
  Arrival arrival = {barrier, warp_.index, member.group.lanes, 0, 0, step.action != Action::barrier_arrive};
  if (!step.src[1].is_none()) arrival.count_threads = static_cast<uint32_t>(frame.source(step.src[1])[first]);
  for (uint32_t lane = 0; !step.src[2].is_none() && lane < kLanes; ++lane) {
    arrival.predicates |= static_cast<uint32_t>(frame.source(step.src[2])[lane] & 1) << lane;
  }
  if (warp_.observer != nullptr && !warp_.observer->arrive(warp_, member.group, step, arrival)) return;
  member.wait = arrival.waits ? Wait::barrier : Wait::none;
  if (!arrival.waits) ++member.group.step;
  barriers_.arrive(arrival);
}

void WarpScheduler::release(uint32_t lanes, const Release& release) {
  for (Member& member : groups_) {
    if (member.wait != Wait::barrier || (member.group.lanes & lanes) == 0) continue;
    const Step& step = step_of(member.group);
    for (uint32_t rest = step.dst.is_none() ? 0 : member.group.lanes; rest != 0; rest &= rest - 1) {
      member.group.frame->row(step.dst)[first_lane(rest)] = result_of(static_cast<MeetingOp>(step.variant), release);
    }
    member.wait = Wait::none;
    ++member.group.step;
  }
}

}  // namespace jitc::emulator
