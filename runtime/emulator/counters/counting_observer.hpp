// Counts what one block does.
#pragma once

#include "runtime/emulator/counters/counters.hpp"
#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {

class CountingObserver : public Observer {
 public:
  bool step(Warp& warp, const Group& group, const Step& step, uint32_t lanes) override;
  bool access(Warp& warp, const Group& group, const Step& step, const ObservedAccess& access) override;
  void diverged(Warp& warp, const Group& group, const Step& step, uint32_t taken) override;
  bool arrive(Warp& warp, const Group& group, const Step& step, const Arrival& arrival) override;

  const Counters& counters() const { return counters_; }

 private:
  Counters counters_;
};

}  // namespace jitc::emulator
