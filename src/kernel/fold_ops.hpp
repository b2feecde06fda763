// How a FoldOp accumulates: its state, the state of no elements, and two states in one. Private to src/kernel.
#pragma once

#include <vector>

#include "src/kernel/builder.hpp"
#include "src/kernel/lowerer.hpp"
#include "src/kernel/row_kernel.hpp"

namespace jitc::kernel {

/// What a fold has seen: scalars of state_dtypes().
///
///   most folds       the value
///   complex kAdd     real part, imaginary part
///   complex kMul     the same, and whether there is an element: 1 * x is not x for all complex numbers
///   kArgMin, kArgMax the value, its number
using FoldState = std::vector<ExprId>;

std::vector<DType> state_dtypes(const Fold& fold);

/// Combined with it on either side, every state stays as it is, bit for bit but for the payloads of NaNs.
FoldState identity_state(Builder& b, const Fold& fold);
/// Of one element; `number` is its number in the row.
FoldState element_state(Builder& b, const Fold& fold, const Value& element, ExprId number);
/// Expressions of the states are used more than once.
FoldState combine_states(Builder& b, const Fold& fold, const FoldState& lhs, const FoldState& rhs);
/// What the fold is of all that the state has seen.
Value fold_result(const Fold& fold, const FoldState& state);

/// A state that has seen an element as values of partial_dtypes(fold), and back.
std::vector<Value> state_values(const Fold& fold, const FoldState& state);
FoldState state_of_values(Builder& b, const Fold& fold, const std::vector<Value>& values);

}  // namespace jitc::kernel
