// The vector clocks of a block's threads, and what moves knowledge from one to another.
#pragma once

#include <unordered_map>

#include "runtime/emulator/check/vector_clock.hpp"
#include "runtime/emulator/exec/barriers.hpp"
#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// What was released at an address that strong accesses meet at.
using SyncPlaces = std::unordered_map<uint64_t, VectorClock>;

/// Orders follow the PTX ISA's "Memory Consistency Model": barriers and meetings of a warp's lanes; a release (or a
/// fence and then a strong write) that an acquire (or a strong read and then a fence) reads from. Scopes are not looked
/// at: all count as wide enough.
class BlockClocks {
 public:
  BlockClocks(uint32_t block, uint32_t count_threads);

  const VectorClock& known(uint32_t thread) const { return threads_[thread].known; }
  uint32_t time(uint32_t thread) const { return threads_[thread].time; }

  /// `lanes` of the warp have met.
  void meet(uint32_t warp, uint32_t lanes);
  void arrive(const Arrival& arrival);
  void release(const Release& release);
  /// What waits for lanes that have ended waits no longer: to end is to arrive everywhere.
  void end(uint32_t warp, uint32_t lanes);
  void fence(uint32_t thread);
  /// A strong access, at the place that it reads or writes.
  void read(uint32_t thread, Ordering ordering, const SyncPlaces& places, uint64_t place);
  void write(uint32_t thread, Ordering ordering, bool is_update, SyncPlaces& places, uint64_t place);

 private:
  struct Thread {
    VectorClock known;
    VectorClock released;  ///< at its last fence: what strong writes hand on
    VectorClock pending;   ///< what strong reads have seen: the next fence takes it over
    uint32_t time = 1;
  };

  /// All that the lanes know, their own times included. They begin new times.
  VectorClock told_by(uint32_t warp, uint32_t lanes);
  VectorClock told_by_thread(uint32_t thread);
  void learn(uint32_t warp, uint32_t lanes, const VectorClock& told);

  const uint32_t block_;
  std::vector<Thread> threads_;
  std::vector<VectorClock> barriers_{Barriers::kCount};
  VectorClock ended_;
};

}  // namespace jitc::emulator
