// Kernel text to PTX, against NVRTC compiling the same kernel written in CUDA C++; and what a kernel of five math
// functions takes, of which how much to link them. compile_time [FILE.json]
#include <fmt/format.h>

#include "bench/kernel_text.hpp"
#include "bench/nvrtc.hpp"
#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"
#include "src/codegen/codegen.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc::bench {
namespace {

constexpr int kRounds = 40;
/// Arrays may have more than 2^31 elements, as ours.
constexpr const char* kIndex = "-DIndex=long long";

/// A kernel of folder kernels.
struct Kernel {
  const char* what;
  const char* name;
  double aim;  ///< ours / NVRTC
};

constexpr Kernel kKernels[] = {
    {"axpy", "axpy", 0.15},
    {"exp, sqrt, log and sin", "fused", 0.30},
    {"exp, log, sin, pow and tanh", "five_functions", 0.30},
    {"tiled product", "tiled_matmul", 0.30},
    {"block softmax", "softmax", 0.30},
    {"histogram", "histogram", 0.30},
};

/// Contiguous arrays, as the twin has them.
void compile_to_ptx(const Kernel& kernel, const std::string& text) {
  CacheOptions nothing;
  nothing.folder.clear();
  set_cache(nothing);  // and forget what was compiled
  const Program program = compile(text);
  if (program[kernel.name].artifact({.name = "sm_80", .contiguous = true}).code.empty())
    throw std::logic_error("no PTX");
}

Row compare(const Kernel& kernel, const Nvrtc* nvrtc) {
  const std::string name = kernel.name, text = kernel_text(name + ".dsl"), cuda = kernel_text(name + ".cu");
  std::vector<std::function<void()>> competitors{[&] { compile_to_ptx(kernel, text); }};
  if (nvrtc) competitors.push_back([&] { nvrtc->compile(cuda, {"--gpu-architecture=compute_80", kIndex}); });
  std::vector<Samples> samples = take_turns(kRounds, competitors);
  Row row{.what = kernel.what, .peer_name = "", .ours = samples[0], .peer = {}, .aim = kernel.aim};
  if (nvrtc) {
    row.peer_name = nvrtc->version();
    row.peer = samples[1];
  }
  return row;
}

/// Of five_functions.
constexpr double kAimOfWhole = 25, kAimOfLinking = 3;

/// The whole and its stage "link math", for one target, against their aims in milliseconds.
std::vector<Row> five_functions(const std::string& target) {
  const std::string text = kernel_text("five_functions.dsl");
  Samples linking;
  const auto compile_once = [&] {
    codegen::EmitTimes times;
    const std::shared_ptr<const pipeline::Module> module = pipeline::check(text, {});
    codegen::emit(module->kernels[0].variants[0].contiguous, codegen::parse_target(target), {}, &times);
    linking.ms.push_back(times.link_math_ms);
  };
  const Samples whole = take_turns(kRounds, {compile_once})[0];
  const auto row = [&](const char* what, const Samples& ours, double aim_ms) {
    return Row{fmt::format("five functions, {}: {}", target, what), fmt::format("{} ms", aim_ms), ours,
               Samples{{aim_ms}}, 1.0};
  };
  return {row("whole", whole, kAimOfWhole), row("linking", linking, kAimOfLinking)};
}

void run(const std::string& json_path) {
  const std::string first_text = kernel_text(std::string(kKernels[0].name) + ".dsl");
  // Before anything is warm; said beside the table because only one such sample exists in a process.
  const double first_ms = time_ms([&] { compile_to_ptx(kKernels[0], first_text); });
  const std::unique_ptr<Nvrtc> nvrtc = Nvrtc::find();
  if (!nvrtc) fmt::print("no libnvrtc here: our times alone\n");
  std::vector<Row> rows;
  for (const Kernel& kernel : kKernels) rows.push_back(compare(kernel, nvrtc.get()));
  for (const char* target : {"sm_80", "cpu"}) {
    for (const Row& row : five_functions(target)) rows.push_back(row);
  }
  report("text to PTX (sm_80)", rows, json_path);
  fmt::print("\nfirst compile of the process: {:.3g} ms, {:.2g} × the median of the same kernel (aim 2)\n", first_ms,
             first_ms / rows[0].ours.median());
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("compile_time", [&] { jitc::bench::run(argc > 1 ? argv[1] : ""); });
}
