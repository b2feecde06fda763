#include "runtime/emulator/counters/counting_observer.hpp"

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/counters/requests.hpp"

namespace jitc::emulator {
namespace {

Counter counter_of(Unit unit) {
  switch (unit) {
    case Unit::integer: return Counter::integer;
    case Unit::half: return Counter::half;
    case Unit::f32: return Counter::f32;
    case Unit::f64: return Counter::f64;
    case Unit::special: return Counter::special;
    case Unit::conversion: return Counter::conversion;
    case Unit::move: return Counter::move;
    case Unit::load: return Counter::load;
    case Unit::store: return Counter::store;
    case Unit::atomic: return Counter::atomic;
    case Unit::control: return Counter::control;
    case Unit::barrier: return Counter::barrier;
    case Unit::warp: return Counter::warp;
    case Unit::other: return Counter::other;
  }
  return Counter::other;
}

/// The lanes of a generic access may be in different areas; each area has its own request.
std::vector<LaneAccess> lanes_in(std::span<const LaneAccess> lanes, Area area) {
  std::vector<LaneAccess> found;
  for (const LaneAccess& lane : lanes) {
    if (lane.area == area) found.push_back(lane);
  }
  return found;
}

class RequestCounter {
 public:
  RequestCounter(Counters& counters, Unit unit, uint32_t size_bytes)
      : counters_(counters), unit_(unit), size_bytes_(size_bytes) {}

  void global(std::span<const LaneAccess> lanes) {
    const uint32_t sectors = count_sectors(lanes, size_bytes_);
    add({Counter::global_load_requests, Counter::global_store_requests, Counter::global_atomic_requests}, 1);
    add({Counter::global_load_sectors, Counter::global_store_sectors, Counter::global_atomic_sectors}, sectors);
    const uint64_t bytes = lanes.size() * size_bytes_;
    if (unit_ != Unit::atomic) add({Counter::global_load_bytes, Counter::global_store_bytes}, bytes);
  }

  void shared(std::span<const LaneAccess> lanes) {
    add({Counter::shared_load_requests, Counter::shared_store_requests, Counter::shared_atomic_requests}, 1);
    if (unit_ == Unit::atomic) return;  // how long those take depends on the chip
    const Wavefronts wavefronts = count_wavefronts(lanes, size_bytes_);
    add({Counter::shared_load_wavefronts, Counter::shared_store_wavefronts}, wavefronts.taken);
    add({Counter::shared_load_least, Counter::shared_store_least}, wavefronts.least);
  }

  void local(std::span<const LaneAccess> lanes) {
    counters_.add(Counter::local_requests, 1);
    counters_.add(Counter::local_sectors, count_local_sectors(lanes, size_bytes_));
  }

 private:
  /// To the counter of loads, stores or atomic operations.
  struct Choice {
    Counter load, store, atomic = store;
  };
  void add(const Choice& choice, uint64_t amount) {
    counters_.add(unit_ == Unit::load ? choice.load : unit_ == Unit::store ? choice.store : choice.atomic, amount);
  }

  Counters& counters_;
  Unit unit_;
  uint32_t size_bytes_;
};

}  // namespace

bool CountingObserver::step(Warp& /*warp*/, const Group& group, const Step& step, uint32_t lanes) {
  // A branch is taken by all that come to it, whatever its guard says.
  const bool is_branch = step.action == Action::branch || step.action == Action::branch_indexed;
  if (is_branch) counters_.add(Counter::branches, 1);
  const uint32_t taking = count_lanes(is_branch ? group.lanes : lanes);
  if (taking == 0) return true;
  counters_.add(Counter::warp_instructions, 1);
  counters_.add(Counter::thread_instructions, taking);
  counters_.add(counter_of(step.unit), taking);
  return true;
}

bool CountingObserver::access(Warp& /*warp*/, const Group& /*group*/, const Step& step, const ObservedAccess& access) {
  RequestCounter counter(counters_, step.unit, access.size_bytes);
  if (const auto lanes = lanes_in(access.lanes, Area::global); !lanes.empty()) counter.global(lanes);
  if (const auto lanes = lanes_in(access.lanes, Area::shared); !lanes.empty()) counter.shared(lanes);
  if (const auto lanes = lanes_in(access.lanes, Area::local); !lanes.empty()) counter.local(lanes);
  return true;
}

void CountingObserver::diverged(Warp& /*warp*/, const Group& /*group*/, const Step& /*step*/, uint32_t /*taken*/) {
  counters_.add(Counter::divergent_branches, 1);
}

bool CountingObserver::arrive(Warp& /*warp*/, const Group& /*group*/, const Step& /*step*/,
                              const Arrival& /*arrival*/) {
  counters_.add(Counter::barrier_waits, 1);
  return true;
}

}  // namespace jitc::emulator
