// Compiled with -O3 -march=native: see CMakeLists.txt.
#include "bench/ufunc_twin.hpp"

#include <cmath>
#include <thread>
#include <vector>

namespace jitc::bench {

namespace {

void density_part(const float* x, float* out, size_t begin, size_t end, float mean, float sigma) {
  const float scale = sigma * 2.5066282746f;
  for (size_t i = begin; i < end; ++i) {
    const float t = (x[i] - mean) / sigma;
    out[i] = std::exp(-0.5f * (t * t)) / scale;
  }
}

}  // namespace

void normal_density(const float* x, float* out, size_t n, float mean, float sigma, size_t thread_count) {
  std::vector<std::thread> threads;
  for (size_t t = 1; t < thread_count; ++t) {
    threads.emplace_back(density_part, x, out, n * t / thread_count, n * (t + 1) / thread_count, mean, sigma);
  }
  density_part(x, out, 0, n / thread_count, mean, sigma);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace jitc::bench
