#include "runtime/emulator/exec/barriers.hpp"

#include <utility>

#include "runtime/emulator/alu/lane_mask.hpp"

namespace jitc::emulator {

void Barriers::arrive(const Arrival& arrival) {
  Barrier& reached = barriers_[arrival.barrier];
  reached.count_arrived += count_lanes(arrival.lanes);
  reached.count_predicates += count_lanes(arrival.predicates & arrival.lanes);
  reached.count_expected = arrival.count_threads;
  if (arrival.waits) reached.waiting.push_back({arrival.warp, arrival.lanes});
}

bool Barriers::take_complete(uint32_t count_living, Release& release) {
  for (uint32_t i = 0; i < kCount; ++i) {
    Barrier& barrier = barriers_[i];
    const uint32_t expected = barrier.count_expected != 0 ? barrier.count_expected : count_living;
    if (barrier.count_arrived == 0 || barrier.count_arrived < expected) continue;
    release = {i, std::move(barrier.waiting), barrier.count_predicates, barrier.count_arrived};
    barrier = {};
    return true;
  }
  return false;
}

}  // namespace jitc::emulator
