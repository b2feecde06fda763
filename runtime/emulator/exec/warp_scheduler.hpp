// Independent thread scheduling: which group of a warp runs next, where groups join, and who waits for whom.
#pragma once

#include <vector>

#include "runtime/emulator/exec/barriers.hpp"
#include "runtime/emulator/exec/run_group.hpp"

namespace jitc::emulator {

/// Why a warp stopped.
enum class WarpState : uint8_t {
  turn_over,  ///< its steps are used up; it can go on
  waiting,    ///< no group can run: they wait at barriers, or at meetings whose lanes do not come
  ended,
  fault,    ///< warp.fault
  builtin,  ///< the first group, at_builtin(), is at a call of the driver's
};

class WarpScheduler {
 public:
  /// The first `count_threads` lanes enter the kernel. `warp` outlives the scheduler.
  WarpScheduler(Warp& warp, uint32_t count_threads, Barriers& barriers);

  WarpState run(uint64_t budget_steps);
  /// The lanes, which wait at a barrier, go on.
  void release(uint32_t lanes, const Release& release);
  /// The lanes that have not ended.
  uint32_t living() const;
  /// The group whose call the owner is to perform; it then moves on with finish_builtin().
  Group& at_builtin() { return groups_.back().group; }
  void finish_builtin() { ++groups_.back().group.step; }

  /// At a meeting of lanes of the warp, an aligned barrier's included; at a barrier, for other warps.
  enum class Wait : uint8_t { none, meeting, barrier };
  struct Member {
    Group group;
    Wait wait = Wait::none;
    uint32_t mask = ~uint32_t{0};  ///< whom a meeting waits for, of those that live
  };
  /// For reports: where every living thread is.
  const std::vector<Member>& members() const { return groups_; }

 private:
  static const Step& step_of(const Group& group) { return group.frame->function->decoded->steps[group.step]; }

  bool choose_next();
  void join_alike();
  RunLimits limits_for_last(uint64_t budget_steps) const;
  bool handle(const Stop& stop, WarpState& state);
  void split_last(uint32_t lanes, uint32_t step, uint32_t rest_step);
  bool meet();
  bool take_mask(const Step& step);
  void complete_meetings();
  bool complete_meeting(const Member& like);
  std::vector<size_t> waiting_alike(const Member& like) const;
  void perform(const std::vector<size_t>& members);
  void arrive(Member& member, const Step& step);

  Warp& warp_;
  Barriers& barriers_;
  std::vector<Member> groups_;  ///< the one that runs is the last
  bool prefers_oldest_ = false;
  bool runs_apart_ = false;  ///< the last was split off: it takes its step before anything joins it again
};

}  // namespace jitc::emulator
