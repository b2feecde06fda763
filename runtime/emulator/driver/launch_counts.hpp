// The counters of one launch.
#pragma once

#include "runtime/emulator/counters/counters.hpp"
#include "runtime/emulator/driver/execute.hpp"

namespace jitc::emulator::driver {

class LaunchCounts : public LaunchObserver {
 public:
  std::unique_ptr<Observer> begin_block(uint64_t index) override;
  void end_block(uint64_t index, Observer& observer) override;

  /// Of all blocks that have ended, and the launch itself. After execute().
  Counters of(const KernelLaunch& launch) const;

 private:
  Counters counters_;
  uint64_t count_blocks_ = 0;
};

}  // namespace jitc::emulator::driver
