// Pairwise distances on the CPU device, against the same loops in C++ -O3 -march=native. pairwise [THREADS [FILE.json]]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>

#include "bench/pairwise_twin.hpp"
#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr size_t kDims = 4;
constexpr uint32_t kBlock = 16;

constexpr const char* kKernel = R"text(
import math
from numba import cuda

@cuda.jit("void(f8[:,:], f8[:,:])")
def pairwise(X, D):
    i, j = cuda.grid(2)
    if i < X.shape[0] and j < X.shape[0]:
        d = 0.0
        for k in range(X.shape[1]):
            t = X[i, k] - X[j, k]
            d += t * t
        D[i, j] = math.sqrt(d)
)text";

std::vector<double> random_points(size_t n) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> points(n * kDims);
  for (double& x : points) x = uniform(engine);
  return points;
}

/// GCC vectorises the products of a sum in order, apart from the additions, and so does not fuse all of them: the last
/// bits differ. That the kernel's own bits are right is what tests/examples shows.
bool agree(const std::vector<double>& a, const std::vector<double>& b) {
  const auto near = [](double x, double y) { return std::fabs(x - y) <= 1e-14 * std::fabs(y); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), near);
}

Row compare(size_t n, unsigned thread_count, int rounds) {
  const Device device = Device::open("cpu");
  const std::vector<double> points = random_points(n);
  const auto rows = static_cast<int64_t>(n);
  const Array X = device.to_device(points, {rows, static_cast<int64_t>(kDims)});
  const Array D = device.empty({rows, rows}, f8);
  const Program program = compile(kKernel);
  const Function kernel = program["pairwise"];
  const uint32_t blocks = (static_cast<uint32_t>(n) + kBlock - 1) / kBlock;
  const LaunchConfig config{.grid = {blocks, blocks}, .block = {kBlock, kBlock}};

  std::vector<double> twin(n * n);
  const std::vector<Samples> samples = take_turns(
      rounds,
      {[&] { kernel.launch(config, X, D); }, [&] { pairwise(points.data(), twin.data(), n, kDims, thread_count); }});
  if (!agree(D.to_vector<double>(), twin)) throw std::logic_error("the two results differ");
  return {fmt::format("{} points, {} thread{}", n, thread_count, thread_count == 1 ? "" : "s"), "g++ -O3 -march=native",
          samples[0], samples[1], 1.0};
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  using namespace jitc::bench;
  return jitc::bench::run_benchmark("pairwise", [&] {
    const std::string threads = argc > 1 ? argv[1] : "1";
    // Read once by the device, so one process measures one number of threads.
    setenv("JITC_CPU_THREADS", threads.c_str(), 1);
    const auto thread_count = static_cast<unsigned>(std::stoul(threads));
    report("pairwise distances", {compare(1000, thread_count, 60), compare(4000, thread_count, 15)},
           argc > 2 ? argv[2] : "");
  });
}
