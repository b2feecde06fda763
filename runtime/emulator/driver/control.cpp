#include "runtime/emulator/driver/control.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {
namespace {

size_t last_report(char* out, size_t size_bytes) {
  const std::lock_guard lock(state().mutex);
  const std::string& text = state().report;
  if (out == nullptr || size_bytes == 0) return text.size();
  const size_t length = std::min(text.size(), size_bytes - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
  return text.size();
}

constexpr JitcEmulatorControl kControl = {sizeof(JitcEmulatorControl), last_report};

}  // namespace
}  // namespace jitc::emulator::driver

extern "C" __attribute__((visibility("default"))) const JitcEmulatorControl* jitc_emulator_control() {
  return &jitc::emulator::driver::kControl;
}
