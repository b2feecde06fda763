// The loops of dsl-examples/pairwise.dsl in C++.
#pragma once

#include <cstddef>

namespace jitc::bench {

/// D[i, j] = |X[i] - X[j]| for all i in [row_begin, row_end) and j in [0, n); X is n × dims, D n × n, both C order.
void pairwise_rows(const double* X, double* D, size_t n, size_t dims, size_t row_begin, size_t row_end);

/// The same for all rows, spread over `thread_count` threads.
void pairwise(const double* X, double* D, size_t n, size_t dims, size_t thread_count);

}  // namespace jitc::bench
