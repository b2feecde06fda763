// The numbers of the values of a row kernel: see row_kernel.hpp.
#pragma once

#include <vector>

#include "src/kernel/row_kernel.hpp"
#include "src/types/type.hpp"

namespace jitc::kernel {

/// What the number of a value stands for.
struct RowSource {
  enum class Kind : uint8_t { operand, element, fold, row };
  Kind kind = Kind::operand;
  uint32_t stage = 0;  ///< of an operand its number
  uint32_t item = 0;   ///< among the results of the stage's function, or its folds
};

/// By number of the value.
std::vector<RowSource> row_sources(const RowKernel& kernel, const types::TypeTable& types);
DType row_value_dtype(const RowKernel& kernel, const types::TypeTable& types, const RowSource& source);
/// Each element has its own, or all of a row have the same.
bool is_of_element(const RowKernel& kernel, const RowSource& source);

/// Whether rows of more than kRowBlock elements can be done in phases: folds in one stage alone, no outputs of
/// elements.
bool rows_may_be_long(const RowKernel& kernel, const types::TypeTable& types);

}  // namespace jitc::kernel
