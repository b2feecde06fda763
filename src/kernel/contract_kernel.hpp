// What a contraction computes, apart from how it is tiled:
//
//   out[batch, m, n] = epilogue(sum over k of a(batch, m, k) * b(batch, k, n), …)
//
// The order of the sum is fixed (docs/design/contractions.md), so that all devices give the same bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/kernel/row_kernel.hpp"

namespace jitc::kernel {

/// One factor: what each of its elements is of the arrays that are read for it.
struct ContractFactor {
  std::vector<KernelOperand> operands;
  /// Of the operands' elements, in their order; null where the one operand is the factor as it is.
  std::shared_ptr<const sema::TypedFunction> element = nullptr;
};

struct ContractKernel {
  std::string name;
  source::Span span;
  /// In which products are summed: f4, f8 (fused multiply-adds), c8, c16, ints (they wrap), b1 (or of ands). The
  /// factors' elements are converted to it.
  DType dtype = DType::f4;
  ContractFactor a, b;
  /// Of the sum, as `dtype`, and of `epilogue_operands` at (batch, m, n); its results are the outputs. Null where the
  /// one output is the sum, converted to the output's type.
  std::shared_ptr<const sema::TypedFunction> epilogue = nullptr;
  std::vector<KernelOperand> epilogue_operands;
  std::vector<DType> outputs;
};

}  // namespace jitc::kernel
