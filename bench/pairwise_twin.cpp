// Compiled with -O3 -march=native: see CMakeLists.txt.
#include "bench/pairwise_twin.hpp"

#include <cmath>
#include <thread>
#include <vector>

namespace jitc::bench {

void pairwise_rows(const double* X, double* D, size_t n, size_t dims, size_t row_begin, size_t row_end) {
  for (size_t i = row_begin; i < row_end; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double d = 0.0;
      for (size_t k = 0; k < dims; ++k) {
        const double t = X[i * dims + k] - X[j * dims + k];
        d += t * t;
      }
      D[i * n + j] = std::sqrt(d);
    }
  }
}

void pairwise(const double* X, double* D, size_t n, size_t dims, size_t thread_count) {
  std::vector<std::thread> threads;
  for (size_t t = 1; t < thread_count; ++t) {
    threads.emplace_back(pairwise_rows, X, D, n, dims, n * t / thread_count, n * (t + 1) / thread_count);
  }
  pairwise_rows(X, D, n, dims, 0, n / thread_count);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace jitc::bench
