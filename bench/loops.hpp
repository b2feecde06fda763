// The work of the kernels in folder kernels as plain loops over rows, for one compiler to do its best with. All arrays
// are in C order; the outer loop is spread over OpenMP's threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jitc::bench {

/// C = A B of n × k and k × m.
void matmul_loops(const float* A, const float* B, float* C, int n, int k, int m, int thread_count);

/// The same for each of `batch` matrices.
void batched_matmul_loops(const float* A, const float* B, float* C, int batch, int n, int k, int m, int thread_count);

/// out[i, :] = exp(x[i, :] - max) / sum.
void softmax_loops(const float* x, float* out, int rows, int columns, int thread_count);

/// Adds the number of each byte to counts[256].
void histogram_loops(const uint8_t* data, uint32_t* counts, size_t size, int thread_count);

}  // namespace jitc::bench
