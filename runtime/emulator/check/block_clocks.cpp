#include "runtime/emulator/check/block_clocks.hpp"

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/exec/linked_program.hpp"

namespace jitc::emulator {
namespace {

template <class Body>
void for_threads(uint32_t warp, uint32_t lanes, Body body) {
  for_lanes(lanes, [&](uint32_t lane) { body(warp * kLanes + lane); });
}

bool acquires(Ordering ordering) { return ordering == Ordering::acquire || ordering == Ordering::acquire_release; }
bool releases(Ordering ordering) { return ordering == Ordering::release || ordering == Ordering::acquire_release; }

}  // namespace

BlockClocks::BlockClocks(uint32_t block, uint32_t count_threads) : block_(block), threads_(count_threads) {}

VectorClock BlockClocks::told_by(uint32_t warp, uint32_t lanes) {
  VectorClock told;
  std::vector<ThreadTime> times;
  for_threads(warp, lanes, [&](uint32_t thread) {
    told.join(threads_[thread].known);
    times.push_back({thread, threads_[thread].time++});
  });
  told.raise(block_, static_cast<uint32_t>(threads_.size()), times);
  return told;
}

VectorClock BlockClocks::told_by_thread(uint32_t thread) { return told_by(thread / kLanes, 1u << thread % kLanes); }

/// Threads that know the same before know the same behind it, and share it.
void BlockClocks::learn(uint32_t warp, uint32_t lanes, const VectorClock& told) {
  VectorClock before, behind = told;
  for_threads(warp, lanes, [&](uint32_t thread) {
    VectorClock& known = threads_[thread].known;
    if (!known.is_same_as(before)) {
      before = behind = known;
      behind.join(told);
    }
    known = behind;
  });
}

void BlockClocks::meet(uint32_t warp, uint32_t lanes) {
  VectorClock told = told_by(warp, lanes);
  told.join(ended_);
  learn(warp, lanes, told);
}

void BlockClocks::arrive(const Arrival& arrival) {
  barriers_[arrival.barrier].join(told_by(arrival.warp, arrival.lanes));
}

void BlockClocks::release(const Release& release) {
  VectorClock told = std::move(barriers_[release.barrier]);
  barriers_[release.barrier] = {};
  told.join(ended_);
  for (const Release::Threads& threads : release.waiting) learn(threads.warp, threads.lanes, told);
}

void BlockClocks::end(uint32_t warp, uint32_t lanes) { ended_.join(told_by(warp, lanes)); }

void BlockClocks::fence(uint32_t thread) {
  Thread& own = threads_[thread];
  own.known.join(own.pending);
  own.released = told_by_thread(thread);
}

void BlockClocks::read(uint32_t thread, Ordering ordering, const SyncPlaces& places, uint64_t place) {
  const auto found = places.find(place);
  if (found == places.end()) return;
  Thread& own = threads_[thread];
  own.pending.join(found->second);
  if (acquires(ordering)) own.known.join(found->second);
}

/// What a chain of updates hands on stays: a later reader of it synchronises with all of them (a release sequence).
void BlockClocks::write(uint32_t thread, Ordering ordering, bool is_update, SyncPlaces& places, uint64_t place) {
  const VectorClock told = releases(ordering) ? told_by_thread(thread) : threads_[thread].released;
  const auto found = places.find(place);
  if (found == places.end()) {
    if (!told.is_empty()) places.emplace(place, told);
  } else if (is_update) {
    found->second.join(told);
  } else {
    found->second = told;
  }
}

}  // namespace jitc::emulator
