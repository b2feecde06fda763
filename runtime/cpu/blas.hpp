// Products of matrices by a BLAS library that the machine happens to have. Never required: whoever asks has a kernel
// of our own for what is refused here, whose sums have another order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "jitc/dtype.hpp"

namespace jitc::runtime::cpu {

/// Elements of one matrix for each batch.
struct BlasMatrix {
  void* data = nullptr;
  int64_t batch_bytes = 0;  ///< from one batch to the next
  int64_t row_bytes = 0, column_bytes = 0;
};

/// out[batch, m, n] = sum over k of a[batch, m, k] * b[batch, k, n], all of `dtype`. The factors are only read; no
/// element of the output is an element of a factor.
struct BlasProduct {
  DType dtype = DType::f4;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  BlasMatrix a, b, out;
};

/// A loaded library. Immutable, safe from all threads; it stays loaded for good.
class Blas {
 public:
  /// Null where the library does not load or lacks a function; `why` then says which.
  static std::shared_ptr<const Blas> load(const std::string& path, std::string* why = nullptr);
  /// The process's library: JITC_BLAS where it is set (to nothing: none), else the first of libopenblas.so.0 and a
  /// libblas.so.3 that is no plain reference library, which is slower than our own kernels. Looked for once; null for
  /// none.
  static const Blas* of_process();

  const std::string& path() const { return path_; }

  /// Does it, and returns when it is done. False, and nothing has happened, where the type, the strides or the extents
  /// are none that BLAS knows.
  bool product(const BlasProduct& product) const;

 private:
  template <class Scalar>
  using Gemm = void (*)(int, int, int, int, int, int, Scalar, const void*, int, const void*, int, Scalar, void*, int);

  explicit Blas(std::string path) : path_(std::move(path)) {}

  std::string path_;
#define JITC_BLAS_FUNCTION(member, symbol, scalar) Gemm<scalar> member##_ = nullptr;
#include "runtime/cpu/blas_functions.def"
#undef JITC_BLAS_FUNCTION
};

/// With the process's library; false also where there is none.
bool blas_product(const BlasProduct& product);

}  // namespace jitc::runtime::cpu
