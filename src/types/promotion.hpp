// Promotion: what type two operands meet in.
#pragma once

#include "src/types/type.hpp"

namespace jitc::types {

/// NumPy 2's table for two typed operands.
DType promote(DType a, DType b);

/// The type in which two scalars meet in arithmetic, a comparison, a ternary or a local's live range, before looking
/// at constant values. Rules of LANGUAGE section 2: a weak constant takes its partner's type if its kind is not higher,
/// else the default of its kind joined with the partner; a run-time weak int meets a typed int as i8; weak with weak
/// stays weak (and is constant only when both are).
Scalar join(Scalar a, Scalar b);

/// What a scalar counts as in arithmetic: b1 counts as an int that is known only at run time (a constant stays one).
Scalar as_arithmetic_operand(Scalar s);

/// 0 bool, 1 int, 2 float, 3 complex.
int kind_rank(DType dtype);

/// A float or a complex number.
constexpr bool is_inexact(DType dtype) { return is_float(dtype) || is_complex(dtype); }

/// True when the join turned f4 or integers into f8 (or the parts of a c16) although no operand was f8: i4 with f4, i8
/// with u8 ….
bool widens_to_f64(Scalar a, Scalar b, Scalar result);

}  // namespace jitc::types
