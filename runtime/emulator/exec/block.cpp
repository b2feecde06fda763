#include "runtime/emulator/exec/block.hpp"

#include <algorithm>

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/exec/fill_specials.hpp"
#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {
namespace {

/// Of a warp, before another has its turn.
constexpr uint64_t kWarpTurnSteps = 1 << 16;

class Fingerprint {
 public:
  void add(uint64_t word) {
    value_ = (value_ ^ word) * 0x9E3779B97F4A7C15;
    value_ ^= value_ >> 29;
  }
  void add(const WarpScheduler::Member& member) {
    add(member.group.step);
    add(uint64_t{member.group.lanes} << 32 | member.mask);
    add(static_cast<uint64_t>(member.wait));
    for (const Frame* frame = member.group.frame.get(); frame != nullptr; frame = frame->caller.get()) {
      add(frame->return_step);
      for (const Bits bits : frame->rows) add(bits);
    }
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0;
};

}  // namespace

Block::Block(const LinkedProgram& program, const BlockPlace& place, std::span<Memory* const> memories,
             Observer* observer)
    : observer_(observer) {
  uint64_t left = place.block.total();
  for (uint32_t i = 0; i < count_warps(place.block); ++i) {
    Warp& warp = warps_.emplace_back();
    warp.index = i;
    warp.observer = observer;
    warp.program = &program;
    warp.memory = memories[i];
    warp.local_limit_bytes = place.local_limit_bytes;
    fill_specials(place, i, program.program->static_shared_bytes, warp);
    schedulers_.emplace_back(warp, static_cast<uint32_t>(std::min<uint64_t>(left, kLanes)), barriers_);
    left -= std::min<uint64_t>(left, kLanes);
  }
}

BlockState Block::run(uint64_t budget_steps) {
  bool has_moved = current_ != 0;  // to take up a round in its middle, something had moved
  for (uint64_t used = 0; used < budget_steps;) {
    for (; current_ < warps_.size(); ++current_) {
      const uint64_t before = warps_[current_].count_steps;
      const WarpState state = schedulers_[current_].run(std::min(kWarpTurnSteps, budget_steps));
      if (state == WarpState::fault) return BlockState::fault;
      if (state == WarpState::builtin) return BlockState::builtin;
      used += warps_[current_].count_steps - before;
      has_moved |= warps_[current_].count_steps != before;
    }
    current_ = 0;
    if (count_living() == 0) return BlockState::ended;
    if (!release_barriers() && !has_moved) return BlockState::stuck;
    has_moved = false;
  }
  return BlockState::turn_over;
}

uint32_t Block::count_living() const {
  uint32_t count = 0;
  for (const WarpScheduler& scheduler : schedulers_) count += count_lanes(scheduler.living());
  return count;
}

/// Whether any barrier let threads go.
bool Block::release_barriers() {
  Release release;
  bool has_released = false;
  while (barriers_.take_complete(count_living(), release)) {
    if (observer_ != nullptr) observer_->release(release);
    for (const Release::Threads& threads : release.waiting) schedulers_[threads.warp].release(threads.lanes, release);
    has_released = true;
  }
  return has_released;
}

uint64_t Block::count_writes() const {
  uint64_t count = 0;
  for (const Warp& warp : warps_) count += warp.count_writes;
  return count;
}

uint64_t Block::fingerprint() const {
  Fingerprint print;
  for (const WarpScheduler& scheduler : schedulers_) {
    for (const WarpScheduler::Member& member : scheduler.members()) print.add(member);
  }
  return print.value();
}

std::vector<WaitingThreads> Block::waiting() const {
  std::vector<WaitingThreads> found;
  for (uint32_t i = 0; i < schedulers_.size(); ++i) {
    for (const WarpScheduler::Member& member : schedulers_[i].members()) {
      found.push_back({i, member.group.lanes, member.group.frame->function->decoded, member.group.step});
    }
  }
  return found;
}

}  // namespace jitc::emulator
