// Scalars that the host computes while a call runs: extents, bounds of slices, conditions of loops.
#pragma once

#include <optional>
#include <span>

#include "jitc/program.hpp"
#include "src/sema/typed.hpp"

namespace jitc::array {

/// Whether the host computes such an expression where it has the operands: ints, bools, and the operations of floats
/// that are rounded correctly.
bool is_host_operation(const types::TypeTable& types, const sema::TypedFunction& function, const sema::Expr& expr);

/// Whether evaluate() has a value for every call of the function: one expression of such operations.
bool can_evaluate(const types::TypeTable& types, const sema::TypedFunction& function);

/// The same bits that a kernel would compute.
Scalar evaluate(const types::TypeTable& types, const sema::TypedFunction& function, std::span<const Scalar> args);

}  // namespace jitc::array
