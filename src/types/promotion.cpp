#include "src/types/promotion.hpp"

namespace jitc::types {

namespace {

using enum DType;

// Rows and columns in the order of DType. Source: NumPy 2, numpy.promote_types (NEP 50); bf16 is jitc's own: f2's row,
// but that the two meet in f4.
// clang-format off
constexpr DType kTable[kDTypeCount][kDTypeCount] = {
    //            b1    i1    i2    i4    i8    u1    u2    u4    u8    f2  bf16    f4    f8    c8   c16
    /* b1   */ {  b1,   i1,   i2,   i4,   i8,   u1,   u2,   u4,   u8,   f2, bf16,   f4,   f8,   c8,  c16},
    /* i1   */ {  i1,   i1,   i2,   i4,   i8,   i2,   i4,   i8,   f8,   f2, bf16,   f4,   f8,   c8,  c16},
    /* i2   */ {  i2,   i2,   i2,   i4,   i8,   i2,   i4,   i8,   f8,   f4,   f4,   f4,   f8,   c8,  c16},
    /* i4   */ {  i4,   i4,   i4,   i4,   i8,   i4,   i4,   i8,   f8,   f8,   f8,   f8,   f8,  c16,  c16},
    /* i8   */ {  i8,   i8,   i8,   i8,   i8,   i8,   i8,   i8,   f8,   f8,   f8,   f8,   f8,  c16,  c16},
    /* u1   */ {  u1,   i2,   i2,   i4,   i8,   u1,   u2,   u4,   u8,   f2, bf16,   f4,   f8,   c8,  c16},
    /* u2   */ {  u2,   i4,   i4,   i4,   i8,   u2,   u2,   u4,   u8,   f4,   f4,   f4,   f8,   c8,  c16},
    /* u4   */ {  u4,   i8,   i8,   i8,   i8,   u4,   u4,   u4,   u8,   f8,   f8,   f8,   f8,  c16,  c16},
    /* u8   */ {  u8,   f8,   f8,   f8,   f8,   u8,   u8,   u8,   u8,   f8,   f8,   f8,   f8,  c16,  c16},
    /* f2   */ {  f2,   f2,   f4,   f8,   f8,   f2,   f4,   f8,   f8,   f2,   f4,   f4,   f8,   c8,  c16},
    /* bf16 */ {bf16, bf16,   f4,   f8,   f8, bf16,   f4,   f8,   f8,   f4, bf16,   f4,   f8,   c8,  c16},
    /* f4   */ {  f4,   f4,   f4,   f8,   f8,   f4,   f4,   f8,   f8,   f4,   f4,   f4,   f8,   c8,  c16},
    /* f8   */ {  f8,   f8,   f8,   f8,   f8,   f8,   f8,   f8,   f8,   f8,   f8,   f8,   f8,  c16,  c16},
    /* c8   */ {  c8,   c8,   c8,  c16,  c16,   c8,   c8,  c16,  c16,   c8,   c8,   c8,  c16,   c8,  c16},
    /* c16  */ { c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16,  c16},
};
// clang-format on

Scalar join_weak(Scalar a, Scalar b) {
  const bool constant = a.strength == Strength::kWeakConst && b.strength == Strength::kWeakConst;
  return {kind_rank(a.dtype) >= kind_rank(b.dtype) ? a.dtype : b.dtype,
          constant ? Strength::kWeakConst : Strength::kWeakRuntime};
}

Scalar join_weak_with_typed(Scalar weak, DType partner) {
  const bool higher = kind_rank(weak.dtype) > kind_rank(partner);
  // A complex number beside a float has parts of the float's precision, or the nearest there is.
  if (is_complex(weak.dtype) && is_float(partner)) return {promote(c8, partner), Strength::kTyped};
  // Behind a loop variable or a shape a narrow int must not wrap, so the int partner widens to i8.
  const bool widens = weak.strength == Strength::kWeakRuntime && weak.dtype == i8 && is_int(partner);
  return {higher || widens ? promote(weak.dtype, partner) : partner, Strength::kTyped};
}

}  // namespace

DType promote(DType a, DType b) { return kTable[static_cast<size_t>(a)][static_cast<size_t>(b)]; }

int kind_rank(DType dtype) { return is_complex(dtype) ? 3 : is_float(dtype) ? 2 : is_int(dtype) ? 1 : 0; }

Scalar join(Scalar a, Scalar b) {
  if (a.weak() && b.weak()) return join_weak(a, b);
  if (a.weak()) return join_weak_with_typed(a, b.dtype);
  if (b.weak()) return join_weak_with_typed(b, a.dtype);
  return {promote(a.dtype, b.dtype), Strength::kTyped};
}

Scalar as_arithmetic_operand(Scalar s) {
  if (s.dtype != b1) return s;
  return {i8, s.strength == Strength::kWeakConst ? Strength::kWeakConst : Strength::kWeakRuntime};
}

bool widens_to_f64(Scalar a, Scalar b, Scalar result) {
  const auto is_f8 = [](Scalar s) { return part_type(s.dtype) == f8 && s.strength != Strength::kWeakConst; };
  return part_type(result.dtype) == f8 && !result.weak() && !is_f8(a) && !is_f8(b);
}

}  // namespace jitc::types
