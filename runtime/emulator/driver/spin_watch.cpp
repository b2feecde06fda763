#include "runtime/emulator/driver/spin_watch.hpp"

namespace jitc::emulator::driver {

bool SpinWatch::notice(uint64_t epoch, uint64_t fingerprint) {
  if (epoch != epoch_) {
    *this = {};
    epoch_ = epoch;
    remembered_ = fingerprint;
    return false;
  }
  if (spins_) return false;
  if (fingerprint == remembered_) return spins_ = true;
  if (++count_turns_ == most_turns_) {
    remembered_ = fingerprint;
    count_turns_ = 0;
    most_turns_ *= 2;
  }
  return false;
}

}  // namespace jitc::emulator::driver
