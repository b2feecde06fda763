// JITC_EMU_CHECK: what watches a launch.
#pragma once

#include "runtime/emulator/check/race_check.hpp"
#include "runtime/emulator/driver/execute.hpp"
#include "runtime/emulator/driver/settings.hpp"

namespace jitc::emulator::driver {

/// The launch is to run on one host thread.
class LaunchChecks : public LaunchObserver {
 public:
  /// `launch` outlives it.
  LaunchChecks(const KernelLaunch& launch, const Checks& checks);

  std::unique_ptr<Observer> begin_block(uint64_t index) override;
  void end_block(uint64_t /*index*/, Observer& /*observer*/) override {}

 private:
  const Checks checks_;
  const LaunchFacts facts_;
  LaunchRaces races_;
};

}  // namespace jitc::emulator::driver
