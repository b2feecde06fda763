// Kernel text to PTX, against NVRTC compiling the same kernel written in CUDA C++. compile_time [FILE.json]
#include <fmt/format.h>

#include <exception>

#include "bench/nvrtc.hpp"
#include "bench/report.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr int kRounds = 40;

/// The same kernel in both languages.
struct Twins {
  const char* name;
  const char* kernel;
  const char* dsl;
  const char* cuda;
  double aim;  ///< ours / NVRTC
};

constexpr Twins kTwins[] = {
    {"axpy", "axpy", R"text(
from numba import cuda

@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]
)text",
     R"text(
extern "C" __global__ void axpy(float a, const float* x, float* y, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
)text",
     0.15},
    {"exp, sqrt, log and sin", "fused", R"text(
import math
from numba import cuda

@cuda.jit("void(f4[:], f4[:], f4[:])")
def fused(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = math.exp(-x[i]) * math.sqrt(y[i]) + math.log(y[i]) * math.sin(x[i])
)text",
     R"text(
extern "C" __global__ void fused(const float* x, const float* y, float* out, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = expf(-x[i]) * sqrtf(y[i]) + logf(y[i]) * sinf(x[i]);
}
)text",
     0.30},
};

/// Contiguous arrays, as the twin has them.
void compile_to_ptx(const Twins& twins) {
  const Program program = compile(twins.dsl);
  if (program[twins.kernel].artifact({.name = "sm_80", .contiguous = true}).code.empty())
    throw std::logic_error("no PTX");
}

Row compare(const Twins& twins, const Nvrtc* nvrtc) {
  std::vector<std::function<void()>> competitors{[&] { compile_to_ptx(twins); }};
  if (nvrtc) competitors.push_back([&] { nvrtc->compile(twins.cuda, "compute_80"); });
  std::vector<Samples> samples = take_turns(kRounds, competitors);
  Row row{.what = twins.name, .peer_name = "", .ours = samples[0], .peer = {}, .aim = twins.aim};
  if (nvrtc) {
    row.peer_name = nvrtc->version();
    row.peer = samples[1];
  }
  return row;
}

void run(const std::string& json_path) {
  // Before anything is warm; said beside the table because only one such sample exists in a process.
  const double first_ms = time_ms([] { compile_to_ptx(kTwins[0]); });
  const std::unique_ptr<Nvrtc> nvrtc = Nvrtc::find();
  if (!nvrtc) fmt::print("no libnvrtc here: our times alone\n");
  std::vector<Row> rows;
  for (const Twins& twins : kTwins) rows.push_back(compare(twins, nvrtc.get()));
  report("text to PTX (sm_80)", rows, json_path);
  fmt::print("\nfirst compile of the process: {:.3g} ms, {:.2g} × the median of the same kernel (aim 2)\n", first_ms,
             first_ms / rows[0].ours.median());
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  try {
    jitc::bench::run(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "compile_time: {}\n", error.what());
    return 1;
  }
}
