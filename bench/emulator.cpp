// How fast the emulated GPU is: the tiled product, on one thread of the host. emulator [FILE.json]
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bench/kernel_text.hpp"
#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/emulator.h"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr int kRounds = 15;
constexpr int64_t kSize = 256, kTile = 16;
/// What it must not fall below, in instructions of threads.
constexpr double kLeastPerSecond = 20e6;

const JitcEmulatorControl& emulator_control() {
  void* library = dlopen(JITC_CUDAEMU, RTLD_NOW);
  if (library == nullptr) throw std::runtime_error(fmt::format("there is no {}", JITC_CUDAEMU));
  return *reinterpret_cast<decltype(&jitc_emulator_control)>(dlsym(library, "jitc_emulator_control"))();
}

double counted(const JitcEmulatorControl& control, std::string_view name) {
  std::vector<JitcEmulatorCounter> counters(control.counters(nullptr, 0));
  control.counters(counters.data(), counters.size());
  for (const JitcEmulatorCounter& counter : counters) {
    if (counter.name == name) return static_cast<double>(counter.value);
  }
  throw std::runtime_error(fmt::format("nothing counts {}", name));
}

std::vector<Row> measure() {
  const Device device = Device::open("cuda:0");
  const Program program = compile(kernel_text("tiled_matmul.dsl"));
  const Function product = program[program.functions().front()];
  const std::vector<float> elems(kSize * kSize, 0.5F);
  const Array a = device.to_device(elems, {kSize, kSize}), b = device.to_device(elems, {kSize, kSize});
  const Array c = device.zeros({kSize, kSize}, f4);
  constexpr auto kBlocks = static_cast<uint32_t>(kSize / kTile);
  const LaunchConfig config{.grid = {kBlocks, kBlocks}, .block = {kTile, kTile}};
  const auto run = [&] {
    product.launch(config, a, b, c);
    device.synchronize();
  };

  const JitcEmulatorControl& control = emulator_control();
  control.set_counting(1);
  run();
  control.set_counting(0);
  const double instructions = counted(control, "instructions.thread");
  Samples ours = take_turns(kRounds, {run})[0];
  for (double& ms : ours.ms) ms *= 1e6 / instructions;
  fmt::print("{:.1f} million instructions of threads a launch; {:.0f} million a second (median)\n", instructions * 1e-6,
             1e3 / ours.median());
  return {{"ms, a million PTX instructions of the tiled product", "20 million a second", ours,
           Samples{{1e9 / kLeastPerSecond}}, 1.0}};
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("emulator", [&] {
    setenv("JITC_CUDA_DRIVER", JITC_CUDAEMU, 1);
    setenv("JITC_EMU_THREADS", "1", 1);
    jitc::bench::report("the emulated GPU on one core", jitc::bench::measure(), argc > 1 ? argv[1] : "");
  });
}
