#include "runtime/emulator/driver/launch_counts.hpp"

#include "runtime/emulator/counters/counting_observer.hpp"

namespace jitc::emulator::driver {

std::unique_ptr<Observer> LaunchCounts::begin_block(uint64_t /*index*/) { return std::make_unique<CountingObserver>(); }

void LaunchCounts::end_block(uint64_t /*index*/, Observer& observer) {
  counters_.add(static_cast<CountingObserver&>(observer).counters());
  ++count_blocks_;
}

Counters LaunchCounts::of(const KernelLaunch& launch) const {
  Counters all = counters_;
  all.add(Counter::launches, 1);
  all.add(Counter::blocks, count_blocks_);
  all.add(Counter::threads, count_blocks_ * launch.block[0] * launch.block[1] * launch.block[2]);
  return all;
}

}  // namespace jitc::emulator::driver
