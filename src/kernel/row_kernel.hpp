// What a kernel over rows computes, apart from how its threads are spread. A row is what the inner axes of a shape hold
// at one place of the outer axes; it is walked once for each stage. Softmax along the last axis is three stages:
//
//   operands   0: x (of each element)
//   stage 0    element (x) -> x                 folds: max       -> value 1, of the row
//   stage 1    element (x, m) -> e, e           folds: add of the first e; value 2 is the second e, value 3 the sum
//   stage 2    element (e, s) -> e / s          value 4
//   outputs    value 4
//
// The tree of every fold is fixed (docs/design/row-folds.md): it depends on the extents of the inner axes alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jitc/dtype.hpp"
#include "src/sema/typed.hpp"
#include "src/types/fold_op.hpp"

namespace jitc::kernel {

using types::FoldOp;

struct Fold {
  FoldOp op = FoldOp::kAdd;
  DType dtype = DType::f8;  ///< of the elements that are folded, and of the result but for kArgMin and kArgMax
};

/// Of the result.
DType fold_dtype(const Fold& fold);
/// Of the arrays that hold the fold of each block of a row: one, or one with the values and one with their numbers.
std::vector<DType> partial_dtypes(const Fold& fold);

/// Elements of a block: a row of more is done in several kernels, which only a kernel can be cut into that has folds in
/// one stage alone and stores no elements.
inline constexpr int64_t kRowBlock = 4096;
inline constexpr int64_t kRowLeaf = 512;    ///< of a leaf of a block's tree
inline constexpr int64_t kRowColumns = 32;  ///< of a leaf; an element is in row e / 32 and column e % 32 of it

/// What a kernel reads: an array, a scalar of the call, or an index, whose value is a number of i8 that grows by a
/// given step along each axis.
struct KernelOperand {
  enum class Kind : uint8_t { array, scalar, index };
  std::string name;
  DType dtype = DType::f8;
  Kind kind = Kind::array;
  bool per_row = false;  ///< it stands still along all inner axes, whatever the call
};

/// One walk along the row, and what is computed of its folds. Values are numbered: operands first, then for each stage
/// in order those results of `element` that are not folded, one value of each element; the folds, one value of the
/// row; and the results of `row`, values of the row.
struct RowStage {
  /// Of each element; its results (one, or the items of a tuple) are first those that `folds` fold. May be null where
  /// the stage walks nothing.
  std::shared_ptr<const sema::TypedFunction> element = nullptr;
  std::vector<uint32_t> element_args;  ///< values, of elements or of the row
  std::vector<Fold> folds;
  std::shared_ptr<const sema::TypedFunction> row = nullptr;  ///< may be null
  std::vector<uint32_t> row_args;                            ///< values of the row
};

/// Results that are stored: all elements of the row, or its one value.
struct RowOutput {
  std::string name;
  uint32_t value = 0;
};

struct RowKernel {
  std::string name;
  source::Span span;
  std::vector<KernelOperand> operands;
  std::vector<RowStage> stages;
  std::vector<RowOutput> outputs;
};

}  // namespace jitc::kernel
