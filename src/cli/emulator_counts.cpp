#include "src/cli/emulator_counts.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "src/cli/failure.hpp"

namespace jitc::cli {

namespace {

/// Of the process's CUDA driver; null where that is not the emulator, or an older one.
const JitcEmulatorControl* find_control() {
  // The driver is loaded already, and stays so.
  void* library = dlopen(Device::cuda_driver().library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  const auto control = reinterpret_cast<decltype(&jitc_emulator_control)>(dlsym(library, "jitc_emulator_control"));
  dlclose(library);
  if (control == nullptr || control()->size_bytes < sizeof(JitcEmulatorControl)) return nullptr;
  return control();
}

using Counters = std::vector<JitcEmulatorCounter>;

double value_of(const Counters& counters, std::string_view name) {
  const auto found = std::find_if(counters.begin(), counters.end(), [&](const auto& c) { return c.name == name; });
  return found == counters.end() ? 0 : static_cast<double>(found->value);
}

/// What two counters say together.
struct Ratio {
  const char* name;
  const char* dividend;
  const char* divisor;
  double scale;
  const char* meaning;
};

constexpr Ratio kRatios[] = {
    {"lanes", "instructions.thread", "instructions.warp", 1.0 / 32,
     "of the 32 lanes that take an instruction, on average"},
    {"divergence", "branches.divergent", "branches", 1, "of the branches after which lanes went two ways"},
    {"global.load.sectors per request", "global.load.sectors", "global.load.requests", 1, ""},
    {"global.store.sectors per request", "global.store.sectors", "global.store.requests", 1, ""},
    {"shared.load conflict degree", "shared.load.wavefronts", "shared.load.least", 1, "1 is without bank conflicts"},
    {"shared.store conflict degree", "shared.store.wavefronts", "shared.store.least", 1, ""},
};

std::string line(std::string_view name, const std::string& value, std::string_view meaning) {
  std::string out = fmt::format("{:<32}  {:>14}  {}", name, value, meaning);
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

}  // namespace

EmulatorCounts::EmulatorCounts(const Device& device) : control_(device.is_host() ? nullptr : find_control()) {
  if (control_ == nullptr) {
    fail(fmt::format("--counts: {} does not count", device.name()), "run it on the emulated GPU: --device emu");
  }
  control_->reset_counters();
  control_->set_counting(1);
}

EmulatorCounts::~EmulatorCounts() { control_->set_counting(0); }

std::string EmulatorCounts::text() const {
  Counters counters(control_->counters(nullptr, 0));
  control_->counters(counters.data(), counters.size());
  std::string out = line("counter", "value", "what it counts");
  for (const JitcEmulatorCounter& counter : counters) {
    if (counter.value != 0) out += line(counter.name, fmt::format("{}", counter.value), counter.meaning);
  }
  for (const Ratio& ratio : kRatios) {
    const double divisor = value_of(counters, ratio.divisor);
    if (divisor == 0) continue;
    out += line(ratio.name, fmt::format("{:.3f}", value_of(counters, ratio.dividend) / divisor * ratio.scale),
                ratio.meaning);
  }
  return out;
}

}  // namespace jitc::cli
