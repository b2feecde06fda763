// The array functions of array_functions.cpp as loops in C++ with OpenMP, as one would write them for speed.
#pragma once

#include <cstdint>

namespace jitc::bench {

/// Reads arrays of f4 in C order, the first of them of `shape`, and stores to `out`; memory is 64-byte aligned.
using Twin = void (*)(const float* const* inputs, float* out, const int64_t* shape, int threads);

void axpb_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);
void damped_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);
void total_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);
void row_sums_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);
void column_sums_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);
void softmax_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);
void transposed_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);
/// The second input has as many rows as the first.
void distances_twin(const float* const* inputs, float* out, const int64_t* shape, int threads);

}  // namespace jitc::bench
