// Several watchers of a launch as one.
#pragma once

#include <vector>

#include "runtime/emulator/driver/execute.hpp"

namespace jitc::emulator::driver {

/// Each block is seen by an observer of each.
class LaunchObservers : public LaunchObserver {
 public:
  /// `observer` outlives this.
  void add(LaunchObserver& observer) { observers_.push_back(&observer); }
  bool is_empty() const { return observers_.empty(); }

  std::unique_ptr<Observer> begin_block(uint64_t index) override;
  void end_block(uint64_t index, Observer& observer) override;

 private:
  std::vector<LaunchObserver*> observers_;
};

}  // namespace jitc::emulator::driver
