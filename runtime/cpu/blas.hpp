// Products of matrices by a BLAS library that the machine happens to have. Never required: whoever asks has a kernel
// of our own for what is refused here, whose sums have another order.
#pragma once

#include <memory>
#include <string>

#include "runtime/common/matrix_product.hpp"

namespace jitc::runtime::cpu {

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

  /// Whether the type, the strides and the extents are such that BLAS knows.
  static bool takes(const MatrixProduct& product);
  /// Does it, and returns when it is done. False, and nothing has happened, where it does not take it.
  bool product(const MatrixProduct& product) const;

 private:
  template <class Scalar>
  using Gemm = void (*)(int, int, int, int, int, int, Scalar, const void*, int, const void*, int, Scalar, void*, int);

  explicit Blas(std::string path) : path_(std::move(path)) {}

  std::string path_;
#define JITC_BLAS_FUNCTION(member, symbol, scalar) Gemm<scalar> member##_ = nullptr;
#include "runtime/cpu/blas_functions.def"
#undef JITC_BLAS_FUNCTION
};

}  // namespace jitc::runtime::cpu
