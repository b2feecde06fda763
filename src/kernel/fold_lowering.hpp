// What the kernels have in common that apply a function of two values to its own results. Private to src/kernel.
#pragma once

#include <string>
#include <vector>

#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

/// An array argument. Its parts become parameters where they are first used.
struct FoldArray {
  uint32_t argument = 0;
  DType dtype = DType::f8;
  ExprId data;
  std::vector<ExprId> extents, strides;
};

class FoldLowering {
 protected:
  FoldLowering(Lowerer& lowerer, const sema::TypedFunction& function)
      : l_(lowerer), b_(lowerer.b_), function_(function) {}

  FoldArray add_array(const std::string& name, DType dtype, uint32_t rank, bool read, bool written);
  /// Extents and byte strides as parameters of the kernel.
  ExprId extent(FoldArray& array, uint32_t axis);
  ExprId stride(FoldArray& array, uint32_t axis);
  /// The extents of axes [begin, end) multiplied.
  ExprId count(FoldArray& array, uint32_t begin, uint32_t end);

  /// Adds to each of `offsets` what `number`, in C order of the axes [begin, end) of `arrays[0]`, is in the bytes of
  /// the array of the same place; all arrays have these axes. The index along each axis is given to `note(axis,
  /// index)`.
  template <class Note>
  void add_place(ExprId number, uint32_t begin, uint32_t end, const std::vector<FoldArray*>& arrays,
                 const std::vector<LocalId>& offsets, const Note& note);
  void add_place(ExprId number, uint32_t begin, uint32_t end, const std::vector<FoldArray*>& arrays,
                 const std::vector<LocalId>& offsets) {
    add_place(number, begin, end, arrays, offsets, [](uint32_t, ExprId) {});
  }

  /// The element so many bytes behind the first one.
  MemRef at(const FoldArray& array, LocalId offset) { return {array.data, {{b_.local(offset), l_.number(1)}}}; }
  Value load(const FoldArray& array, LocalId offset) { return l_.load(at(array, offset), array.dtype); }
  void store(const FoldArray& array, LocalId offset, const Value& value) { l_.store(at(array, offset), value); }

  /// f(left, right). Both are evaluated before anything else happens.
  Value apply(const Value& left, const Value& right) {
    return l_.inline_function(function_, {l_.pin(left), l_.pin(right)}, 0, function_.span);
  }
  /// A variable of the function's own type.
  Slot make_value(const std::string& name) { return l_.make_slot(name, param(0).type); }
  const sema::Variable& param(size_t index) const { return function_.vars[function_.params[index]]; }
  DType param_dtype(size_t index) const { return l_.dtype_of(param(index).type); }

  // --- short names of i8 arithmetic
  LocalId int_local(const std::string& name, ExprId value) {
    const LocalId local = b_.add_local(name, scalar(DType::i8));
    b_.assign(local, value);
    return local;
  }
  ExprId add(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kAdd, lhs, rhs); }
  ExprId mul(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kMul, lhs, rhs); }
  ExprId min(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kMin, lhs, rhs); }
  ExprId less(ExprId lhs, ExprId rhs) { return b_.compare(CompareOp::kLt, lhs, rhs); }
  void increase(LocalId local, ExprId by) { b_.assign(local, add(b_.local(local), by)); }

  Lowerer& l_;
  Builder& b_;
  const sema::TypedFunction& function_;
};

template <class Note>
void FoldLowering::add_place(ExprId number, uint32_t begin, uint32_t end, const std::vector<FoldArray*>& arrays,
                             const std::vector<LocalId>& offsets, const Note& note) {
  const std::vector<ExprId> indices = l_.split_number(b_.convert(DType::u8, number), begin, end, DType::i8,
                                                      [&](uint32_t axis) { return extent(*arrays[0], axis); });
  for (uint32_t axis = begin; axis < end; ++axis) {
    const ExprId index = indices[axis - begin];
    for (size_t k = 0; k < arrays.size(); ++k) increase(offsets[k], mul(index, stride(*arrays[k], axis)));
    note(axis, index);
  }
}

}  // namespace jitc::kernel
