// What the library offers beside the driver's functions, for tests and for programs that look at a fault.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// Grows at its end only.
struct JitcEmulatorControl {
  uint32_t size_bytes;  ///< of this structure, as the library knows it
  /// The sentence about the last fault or refusal, empty before the first: writes as much as fits, with a zero behind
  /// it; returns its whole length.
  size_t (*last_report)(char* out, size_t size_bytes);
};

/// The library's one function that is none of the driver's. From any thread; the answer is valid for good.
const JitcEmulatorControl* jitc_emulator_control();
}
