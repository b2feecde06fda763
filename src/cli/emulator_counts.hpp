// What the emulated GPU counts while it runs kernels, in the words of `jitc run --counts`.
#pragma once

#include <string>

#include "jitc/device.hpp"
#include "jitc/emulator.h"

namespace jitc::cli {

/// Counts the launches from its making on. One at a time.
class EmulatorCounts {
 public:
  /// Throws io::InputError where the device is none of the emulator's.
  explicit EmulatorCounts(const Device& device);
  ~EmulatorCounts();
  EmulatorCounts(const EmulatorCounts&) = delete;
  EmulatorCounts& operator=(const EmulatorCounts&) = delete;

  /// A table of all counters that are not zero, and what they say of each other. After the launches have ended.
  std::string text() const;

 private:
  const JitcEmulatorControl* control_;
};

}  // namespace jitc::cli
