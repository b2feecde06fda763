// The Gaussian density of dsl-examples/gaussian.dsl as a loop in C++.
#pragma once

#include <cstddef>

namespace jitc::bench {

/// out[i] = density of x[i] for i in [0, n), spread over `thread_count` threads.
void normal_density(const float* x, float* out, size_t n, float mean, float sigma, size_t thread_count);

}  // namespace jitc::bench
