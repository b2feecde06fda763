// What the library offers beside the driver's functions: include/jitc/emulator.h.
#include <algorithm>
#include <cstring>

#include "jitc/emulator.h"
#include "runtime/emulator/driver/count_objects.hpp"
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

void set_counting(int on) {
  const std::lock_guard lock(state().mutex);
  state().is_counting = on != 0;
}

size_t counters(JitcEmulatorCounter* out, size_t capacity) {
  const std::lock_guard lock(state().mutex);
  for (size_t i = 0; out != nullptr && i < std::min(capacity, kCountCounters); ++i) {
    out[i] = {kCounterTexts[i].name, kCounterTexts[i].meaning, state().counters.values()[i]};
  }
  return kCountCounters;
}

void reset_counters() {
  const std::lock_guard lock(state().mutex);
  state().counters = {};
}

size_t objects(JitcEmulatorCounter* out, size_t capacity) {
  const std::lock_guard lock(state().mutex);
  const std::vector<JitcEmulatorCounter> rows = count_objects();
  if (out != nullptr) std::copy_n(rows.begin(), std::min(capacity, rows.size()), out);
  return rows.size();
}

int set_fails(const char* rows) {
  auto fails = read_fails(rows == nullptr ? "" : rows);
  if (!fails) return 0;
  const std::lock_guard lock(state().mutex);
  state().settings.fails = std::move(*fails);
  state().call_counts = {};
  return 1;
}

uint64_t calls(const char* function) {
  const auto call = find_call(function == nullptr ? "" : function);
  if (!call) return 0;
  const std::lock_guard lock(state().mutex);
  return state().call_counts.at(static_cast<size_t>(*call));
}

constexpr JitcEmulatorControl kControl = {
    sizeof(JitcEmulatorControl), last_report, set_counting, counters, reset_counters, objects, set_fails, calls};

}  // namespace
}  // namespace jitc::emulator::driver

extern "C" __attribute__((visibility("default"))) const JitcEmulatorControl* jitc_emulator_control() {
  return &jitc::emulator::driver::kControl;
}
