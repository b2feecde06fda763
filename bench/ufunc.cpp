// Calls of ufuncs on the CPU device: what a call of one element costs, and a large array against the same loop in C++
// -O3 -march=native. ufunc [THREADS [FILE.json]]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>

#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "bench/ufunc_twin.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr const char* kText = R"text(
import math
import numpy as np
from numba import vectorize

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)

@vectorize(["f4(f4, f4, f4)"])
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)

@vectorize(["f4(f4, f4)", "f8(f8, f8)"])
def product(a, b):
    return a * b
)text";

constexpr int kCallsPerSample = 1000;

/// Milliseconds are of `kCallsPerSample` calls, so the numbers shown are microseconds per call.
Row one_element(const Function& product, const Device& device, bool into) {
  const Array a = device.to_device(std::vector<float>{2}), out = device.empty({1}, f4);
  const auto calls = [&] {
    for (int i = 0; i < kCallsPerSample; ++i) {
      if (into)
        product.call_into(out, a, a);
      else
        product(a, a);
    }
  };
  return {into ? "us per call of one element, into out" : "us per call of one element",
          "",
          take_turns(50, {calls})[0],
          {},
          {}};
}

Row large(const Function& gaussian, const Device& device, unsigned thread_count) {
  constexpr size_t kCount = 10'000'000;
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<float> uniform(-4, 4);
  std::vector<float> x(kCount), twin(kCount);
  for (float& value : x) value = uniform(engine);
  const Array input = device.to_device(x), out = device.empty({static_cast<int64_t>(kCount)}, f4);
  const std::vector<Samples> samples =
      take_turns(15, {[&] { gaussian.call_into(out, input, 0.5, 1.25); },
                      [&] { normal_density(x.data(), twin.data(), kCount, 0.5f, 1.25f, thread_count); }});
  const std::vector<float> ours = out.to_vector<float>();
  for (size_t i = 0; i < kCount; ++i) {
    // Each side's exp is within a few ulp of the exact one.
    if (!(std::fabs(ours[i] - twin[i]) <= 1e-6f * twin[i])) throw std::logic_error("the two results differ");
  }
  return {fmt::format("Gaussian density of 1e7 f4, {} thread{}", thread_count, thread_count == 1 ? "" : "s"),
          "g++ -O3 -march=native", samples[0], samples[1], 1.0};
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  using namespace jitc::bench;
  return jitc::bench::run_benchmark("ufunc", [&] {
    const std::string threads = argc > 1 ? argv[1] : "1";
    // Read once by the device, so one process measures one number of threads.
    setenv("JITC_CPU_THREADS", threads.c_str(), 1);
    const auto thread_count = static_cast<unsigned>(std::stoul(threads));
    const jitc::Device device = jitc::Device::open("cpu");
    const jitc::Program program = jitc::compile(kText);
    report("ufunc calls",
           {one_element(program["product"], device, false), one_element(program["product"], device, true),
            large(program["gaussian"], device, thread_count)},
           argc > 2 ? argv[2] : "");
  });
}
