// A scalar expression of an array function as a function of its own, whose parameters are what it takes from the rest.
#pragma once

#include <functional>
#include <vector>

#include "src/array/ir.hpp"

namespace jitc::array {

struct ScalarFunction {
  Function function;
  std::vector<sema::ExprId> leaves;  ///< what its parameters stand for
};

/// Copies the tree below `root` down to the expressions for which `is_leaf` holds; those become parameters.
ScalarFunction extract_scalar(const types::TypeTable& types, const sema::TypedFunction& from, sema::ExprId root,
                              const std::string& name, const std::function<bool(sema::ExprId)>& is_leaf);

/// A function without parameters that returns the constant.
Function constant_function(const types::TypeTable& types, DType dtype, const sema::Constant& value, Span span);

/// (i, step) -> i + step, and (i, end, step) -> whether range(i, end, step) has elements.
Function next_in_range(const types::TypeTable& types, Span span);
Function range_goes_on(const types::TypeTable& types, Span span);

/// x -> x.
Function identity_function(const types::TypeTable& types, DType dtype, Span span);
/// x -> dtype(x), for real types.
Function cast_function(const types::TypeTable& types, DType from, DType to, Span span);

}  // namespace jitc::array
