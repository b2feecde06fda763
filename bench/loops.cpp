// Compiled with -O3 -march=native -fopenmp: see CMakeLists.txt.
#include "bench/loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jitc::bench {
namespace {

/// One row of C: the loop over its columns is innermost, so that it runs along rows of B.
void matmul_row(const float* A_row, const float* B, float* C_row, int k, int m) {
  std::fill_n(C_row, m, 0.0f);
  for (int inner = 0; inner < k; ++inner) {
    const float a = A_row[inner];
    const float* B_row = B + static_cast<ptrdiff_t>(inner) * m;
    for (int j = 0; j < m; ++j) C_row[j] += a * B_row[j];
  }
}

}  // namespace

void matmul_loops(const float* A, const float* B, float* C, int n, int k, int m, int thread_count) {
  batched_matmul_loops(A, B, C, 1, n, k, m, thread_count);
}

void batched_matmul_loops(const float* A, const float* B, float* C, int batch, int n, int k, int m, int thread_count) {
#pragma omp parallel for collapse(2) num_threads(thread_count) schedule(static)
  for (ptrdiff_t layer = 0; layer < batch; ++layer) {
    for (ptrdiff_t row = 0; row < n; ++row) {
      matmul_row(A + (layer * n + row) * k, B + layer * k * m, C + (layer * n + row) * m, k, m);
    }
  }
}

void softmax_loops(const float* x, float* out, int rows, int columns, int thread_count) {
#pragma omp parallel for num_threads(thread_count) schedule(static)
  for (ptrdiff_t i = 0; i < rows; ++i) {
    const float* in = x + i * columns;
    float* result = out + i * columns;
    float largest = -std::numeric_limits<float>::infinity();
    for (int j = 0; j < columns; ++j) largest = std::max(largest, in[j]);
    float total = 0;
    for (int j = 0; j < columns; ++j) {
      result[j] = std::exp(in[j] - largest);
      total += result[j];
    }
    for (int j = 0; j < columns; ++j) result[j] /= total;
  }
}

void histogram_loops(const uint8_t* data, uint32_t* counts, size_t size, int thread_count) {
#pragma omp parallel num_threads(thread_count)
  {
    uint32_t own[256] = {};
#pragma omp for schedule(static)
    for (size_t i = 0; i < size; ++i) ++own[data[i]];
#pragma omp critical
    for (int bin = 0; bin < 256; ++bin) counts[bin] += own[bin];
  }
}

}  // namespace jitc::bench
