// Compiled with -O3 -march=native -ffast-math -fopenmp, so that libmvec computes exp: see CMakeLists.txt.
#include "bench/array_function_twins.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace jitc::bench {

void axpb_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
  const float *a = inputs[0], *b = inputs[1];
#pragma omp parallel for simd num_threads(threads)
  for (int64_t i = 0; i < shape[0]; ++i) out[i] = 2 * a[i] + b[i];
}

void damped_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
  const float *a = inputs[0], *b = inputs[1];
#pragma omp parallel for simd num_threads(threads)
  for (int64_t i = 0; i < shape[0]; ++i) out[i] = std::exp(-a[i]) * std::sqrt(b[i] * b[i] + 1);
}

namespace {

/// Blocks keep the error small; the compiler spreads each over the lanes of its vectors.
float sum_of(const float* a, int64_t count) {
  constexpr int64_t kBlock = 4096;
  double sum = 0;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    float block = 0;
    for (int64_t i = begin; i < std::min(begin + kBlock, count); ++i) block += a[i];
    sum += static_cast<double>(block);
  }
  return static_cast<float>(sum);
}

}  // namespace

void total_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
  double sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (int t = 0; t < threads; ++t) {
    const int64_t begin = shape[0] * t / threads, end = shape[0] * (t + 1) / threads;
    sum += static_cast<double>(sum_of(inputs[0] + begin, end - begin));
  }
  *out = static_cast<float>(sum);
}

void row_sums_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
#pragma omp parallel for num_threads(threads)
  for (int64_t row = 0; row < shape[0]; ++row) out[row] = sum_of(inputs[0] + row * shape[1], shape[1]);
}

/// Each thread adds up a part of the rows, in blocks for the error's sake.
void column_sums_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
  constexpr int64_t kBlock = 1024;
  const int64_t rows = shape[0], columns = shape[1];
  std::vector<double> sums(static_cast<size_t>(columns), 0);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> own(static_cast<size_t>(columns), 0);
    std::vector<float> block(static_cast<size_t>(columns));
#pragma omp for
    for (int64_t begin = 0; begin < rows; begin += kBlock) {
      std::fill(block.begin(), block.end(), 0.0f);
      for (int64_t row = begin; row < std::min(begin + kBlock, rows); ++row) {
        const float* x = inputs[0] + row * columns;
        float* sum = block.data();
#pragma omp simd
        for (int64_t c = 0; c < columns; ++c) sum[c] += x[c];
      }
      for (size_t c = 0; c < own.size(); ++c) own[c] += static_cast<double>(block[c]);
    }
#pragma omp critical
    for (size_t c = 0; c < own.size(); ++c) sums[c] += own[c];
  }
  for (int64_t c = 0; c < columns; ++c) out[c] = static_cast<float>(sums[static_cast<size_t>(c)]);
}

void softmax_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
  const int64_t columns = shape[1];
#pragma omp parallel for num_threads(threads)
  for (int64_t row = 0; row < shape[0]; ++row) {
    const float* x = inputs[0] + row * columns;
    float* y = out + row * columns;
    float largest = -HUGE_VALF, sum = 0;
#pragma omp simd reduction(max : largest)
    for (int64_t j = 0; j < columns; ++j) largest = std::max(largest, x[j]);
#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < columns; ++j) {
      y[j] = std::exp(x[j] - largest);
      sum += y[j];
    }
    const float scale = 1 / sum;
#pragma omp simd
    for (int64_t j = 0; j < columns; ++j) y[j] *= scale;
  }
}

/// In tiles whose rows and columns are whole cache lines.
void transposed_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
  constexpr int64_t kTile = 32;
  const int64_t rows = shape[0], columns = shape[1];
  const float* x = inputs[0];
#pragma omp parallel for collapse(2) num_threads(threads)
  for (int64_t column = 0; column < columns; column += kTile) {
    for (int64_t row = 0; row < rows; row += kTile) {
      const int64_t column_end = std::min(column + kTile, columns), row_end = std::min(row + kTile, rows);
      for (int64_t c = column; c < column_end; ++c) {
        for (int64_t r = row; r < row_end; ++r) out[c * rows + r] = x[r * columns + c];
      }
    }
  }
}

void distances_twin(const float* const* inputs, float* out, const int64_t* shape, int threads) {
  const int64_t points = shape[0], features = shape[1];
#pragma omp parallel for num_threads(threads)
  for (int64_t i = 0; i < points; ++i) {
    const float* x = inputs[0] + i * features;
    for (int64_t j = 0; j < points; ++j) {
      const float* y = inputs[1] + j * features;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < features; ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
      out[i * points + j] = std::sqrt(sum);
    }
  }
}

}  // namespace jitc::bench
