// Kernel programs that several tests use.
#pragma once

#include <functional>

#include "src/kernel/builder.hpp"

namespace jitc::codegen::tests {

using MakeValue = std::function<kernel::ExprId(kernel::Builder&, const std::vector<kernel::ExprId>& operands)>;

/// out[i] = value(a[i], b[i], …) for i < n, one contiguous array per operand.
/// Parameters: n (i8), out, the operands' arrays in order.
kernel::KernelProgram elementwise(const std::string& symbol, DType result, const std::vector<DType>& operands,
                                  const MakeValue& make_value);

/// out[i] = a * x[i] + y[i] for i < n. Parameters: n (i8), a (f4), x, y, out.
kernel::KernelProgram axpy(const std::string& symbol = "axpy");

/// D[i, j] = sqrt(Σ_k (X[i, k] - X[j, k])²) in f8, strided, on a two-dimensional grid with nested guards.
/// Parameters: X, X.shape[0], X.shape[1], X.strides[0], X.strides[1], D, D.strides[0], D.strides[1].
kernel::KernelProgram pairwise(const std::string& symbol = "pairwise");

}  // namespace jitc::codegen::tests
