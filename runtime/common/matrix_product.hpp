// A product of matrices, as libraries know it.
#pragma once

#include <cstdint>

#include "jitc/dtype.hpp"

namespace jitc::runtime {

/// Those that every BLAS has.
constexpr bool libraries_multiply(DType dtype) {
  return dtype == DType::f4 || dtype == DType::f8 || dtype == DType::c8 || dtype == DType::c16;
}

/// Where the elements of a matrix lie, one matrix for each batch.
struct MatrixPlace {
  void* data = nullptr;
  int64_t batch_bytes = 0;  ///< from one batch to the next
  int64_t row_bytes = 0, column_bytes = 0;
};

/// out[batch, m, n] = sum over k of a[batch, m, k] * b[batch, k, n], all of `dtype`. The factors are only read; no
/// element of the output is an element of a factor.
struct MatrixProduct {
  DType dtype = DType::f4;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  MatrixPlace a, b, out;
};

}  // namespace jitc::runtime
