// Finds blocks that go round for ever.
#pragma once

#include <cstdint>

namespace jitc::emulator::driver {

/// Of one block: whether its state came back while memory did not change. Remembers one state at a time, an ever older
/// one. Source: R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980.
class SpinWatch {
 public:
  /// After a turn without a change of memory since `epoch` began. True once for each epoch.
  bool notice(uint64_t epoch, uint64_t fingerprint);

 private:
  uint64_t epoch_ = ~uint64_t{0};
  uint64_t remembered_ = 0;
  uint64_t count_turns_ = 0, most_turns_ = 1;
  bool spins_ = false;
};

}  // namespace jitc::emulator::driver
