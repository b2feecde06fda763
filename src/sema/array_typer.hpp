// Types the built-in functions of whole arrays: what they are made of, down to maps, views, folds and contractions.
// Private to src/sema; its methods are spread over array_*.cpp by idea.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sema/function_typer.hpp"

namespace jitc::sema {

class ArrayTyper {
 public:
  explicit ArrayTyper(FunctionTyper& typer) : t_(typer) {}

  /// A call of a function of builtins.def.
  ExprId call(const BuiltinEntity& b, const syntax::CallExpr& e, Span span);
  /// np.zeros(…) and others that also make arrays of constants.
  ExprId make(ArrayMaker maker, const syntax::CallExpr& e, Span span);
  /// np.add.reduce(…): `ufunc` is a built-in function, or a ufunc of the file.
  ExprId ufunc_method(const Entity& ufunc, const syntax::AttributeExpr& method, const syntax::CallExpr& e, Span span);
  /// The function that `array.name(…)` calls with the array as its first argument; null for none.
  static const Builtin* method(std::string_view name);
  /// min or max of several values as the function that folds an array; other functions as they are.
  static const Builtin* folding(const Builtin* row);
  ExprId matmul(ExprId a, ExprId b, Span span, Span op_span);
  /// a.T: all axes turned around.
  ExprId reverse_axes(ExprId array, Span span);

 private:
  using SynExprId = syntax::ExprId;
  using Scalar = types::Scalar;
  using Syntax = syntax::CallExpr;
  using Function = ExprId (ArrayTyper::*)(ArrayFn fn);

  static Function function_of(ArrayFn fn);

  // --- array_arguments.cpp: the call at hand ---
  /// Binds the arguments; false after a report.
  bool bind(const std::vector<std::string_view>& names, size_t needed);
  bool given(size_t index) const { return args_[index].valid() && !is_none(args_[index]); }
  bool is_none(SynExprId id) const;
  Span span_of(SynExprId id) const;
  /// The argument as an array, or as an array or a scalar; an invalid id after a report.
  ExprId array(size_t index);
  ExprId value(size_t index);
  ExprId value_of(SynExprId id);
  std::optional<bool> flag(size_t index, bool otherwise);
  std::optional<Int128> constant_int(SynExprId id);
  std::optional<Int128> constant_int(size_t index, Int128 otherwise);
  /// An axis of an array of `rank`, counted from the front.
  std::optional<uint32_t> axis(SynExprId id, int rank);
  std::optional<std::vector<uint32_t>> axes(SynExprId id, int rank);
  /// Of a tuple or list in the text; of anything else that alone.
  std::vector<SynExprId> items(SynExprId id) const;
  /// By axis: named by the argument, or all where it is absent.
  std::optional<std::vector<bool>> folded(size_t index, int rank);
  std::optional<DType> dtype(size_t index);
  /// An i8 that the host knows before anything runs.
  ExprId extent_value(ExprId value);
  /// An int, or a tuple of ints, as extents. Nothing after a report.
  std::optional<std::vector<ExprId>> shape(SynExprId id);
  std::optional<std::vector<ExprId>> shape_of_value(ExprId value, Span span);
  /// The items of a tuple or a list of arrays.
  std::optional<std::vector<ExprId>> arrays(SynExprId id);
  std::optional<std::string> text(SynExprId id) const;
  ExprId bad(Span span, std::string_view what, std::string_view help);
  ExprId poison() { return t_.poison(span_); }

  // --- array_parts.cpp: what functions are made of ---
  ExprId number(Int128 v) { return t_.weak_int(span_, v); }
  ExprId real_number(double v);
  /// An i8, as extents and bounds are.
  ExprId integer(Int128 v) { return t_.to_dtype(number(v), DType::i8); }
  /// A second use of an expression that share() made usable several times.
  ExprId again(ExprId id) { return t_.copy(id); }
  ExprId extent(ExprId array, uint32_t axis) { return t_.extent(again(array), axis, span_); }
  std::vector<ExprId> extents(ExprId array);
  ExprId binary(syntax::BinaryOp op, ExprId a, ExprId b);
  ExprId compare(syntax::CompareOp op, ExprId a, ExprId b);
  ExprId function(std::string_view name, std::vector<ExprId> args);
  ExprId cast(ExprId value, DType dtype) { return t_.map_cast(value, dtype, span_); }
  /// A new array that is equal to this one.
  ExprId same_elements(ExprId array);
  /// The same elements in memory of their own.
  ExprId copied(ExprId array);
  ExprId fill(ExprId value, DType dtype, std::vector<ExprId> shape);
  ExprId in_range(ExprId value, DType dtype);
  ExprId iota(ExprId count);
  /// 0, 1, 2 … along one axis of an array of `rank`, whose other extents are 1.
  ExprId index_along(ExprId count, int rank, uint32_t axis);
  ExprId permute(ExprId array, std::vector<uint32_t> axes);
  ExprId broadcast(ExprId array, std::vector<ExprId> shape);
  ExprId reshape(ExprId array, std::vector<ExprId> shape);
  ExprId flattened(ExprId array) { return reshape(array, {integer(-1)}); }
  ExprId as_vector(ExprId array) { return t_.rank_of(array) == 1 ? array : flattened(array); }
  /// array[:, …, begin:end:step, …]; invalid ids are defaults.
  ExprId slice(ExprId array, uint32_t axis, ExprId lower, ExprId upper, ExprId step = {});
  ExprId new_axis(ExprId array, uint32_t axis);
  ExprId squeeze(ExprId array, uint32_t axis);
  struct FoldShape {
    std::vector<bool> folded;
    bool keepdims = false;
    bool is_product = false;
  };
  ExprId fold(FoldOp op, ExprId array, const FoldShape& shape, std::string_view name, bool needs_elements = false);
  /// How many elements are folded, as a weak int.
  ExprId count_folded(ExprId array, const FoldShape& shape);
  /// A value that is used several times.
  class Let;

  // --- array_creation.cpp ---
  ExprId like(ArrayFn fn);
  ExprId eye(ArrayFn fn);
  ExprId triangle(ArrayFn fn);
  ExprId meshgrid(ArrayFn fn);
  ExprId as_array(ArrayFn fn);
  ExprId arange();
  ExprId linspace();
  ExprId filled(ArrayMaker maker);
  ExprId in_given_type(ExprId value);
  /// What NumPy makes of a value: a Python int becomes i8, or u8 if it is larger, a float f8.
  DType default_dtype(ExprId value) const;

  // --- array_literals.cpp ---
  class Items;
  ExprId array_of();
  ExprId copy_of(ExprId value, Span span);
  DType common_dtype(const std::vector<ExprId>& numbers) const;
  ExprId array_of_items(const std::vector<uint64_t>& shape, const std::vector<ExprId>& numbers, DType type);
  ExprId places(const std::vector<uint64_t>& shape);

  // --- array_ufuncs.cpp ---
  ExprId outer_of(const Entity& ufunc);

  // --- array_views.cpp ---
  ExprId transpose(ArrayFn fn);
  ExprId matrix_transpose(ArrayFn fn);
  ExprId moveaxis(ArrayFn fn);
  ExprId swapaxes(ArrayFn fn);
  ExprId flip(ArrayFn fn);
  ExprId roll(ArrayFn fn);
  ExprId roll_along(ExprId array, ExprId shift, uint32_t axis);
  ExprId squeeze_axes(ArrayFn fn);
  ExprId expand_dims(ArrayFn fn);
  ExprId broadcast_to(ArrayFn fn);
  ExprId broadcast_arrays(ArrayFn fn);
  ExprId reshape_array(ArrayFn fn);
  ExprId ravel(ArrayFn fn);
  ExprId concat(ArrayFn fn);
  ExprId stack(ArrayFn fn);
  ExprId repeat(ArrayFn fn);
  ExprId tile(ArrayFn fn);
  ExprId diagonal(ArrayFn fn);
  ExprId diff(ArrayFn fn);
  ExprId join(std::vector<ExprId> parts, uint32_t axis);
  ExprId own_copy(ExprId array);

  // --- array_elements.cpp ---
  ExprId clip(ArrayFn fn);
  ExprId select(ArrayFn fn);
  ExprId as_type(ArrayFn fn);
  ExprId is_close(ArrayFn fn);
  ExprId array_equal(ArrayFn fn);
  ExprId nan_to_num(ArrayFn fn);

  // --- array_folds.cpp ---
  struct FoldCall {
    ExprId array;
    FoldShape shape;
    std::optional<DType> dtype;
    SynExprId initial, where;
    bool ok = false;
  };
  FoldCall fold_call(const std::vector<std::string_view>& names);
  ExprId sum(ArrayFn fn);
  ExprId mean(ArrayFn fn);
  ExprId variance(ArrayFn fn);
  ExprId extreme(ArrayFn fn);
  ExprId arg_extreme(ArrayFn fn);
  ExprId truth(ArrayFn fn);
  ExprId count_nonzero(ArrayFn fn);
  ExprId ptp(ArrayFn fn);
  ExprId log_sum_exp(ArrayFn fn);
  ExprId norm(ArrayFn fn);
  ExprId average(ArrayFn fn);
  /// In which type a sum or product of such elements is computed, unless the caller names one.
  static DType sum_dtype(DType dtype);
  ExprId sum_of(ExprId array, const FoldShape& shape, std::string_view name);
  ExprId mean_of(ExprId array, const FoldShape& shape, ExprId count);
  ExprId with_initial(ExprId folded, const FoldCall& call, std::string_view combine);
  ExprId where_or(ExprId array, ExprId where, double otherwise);

  // --- array_products.cpp ---
  ExprId product(ArrayFn fn);
  ExprId outer(ArrayFn fn);
  ExprId tensordot(ArrayFn fn);
  ExprId einsum(ArrayFn fn);
  ExprId trace(ArrayFn fn);
  /// Both in their common type.
  bool meet(ExprId& a, ExprId& b);
  /// Whether an extent of 1 may meet any other along the letters that go, as einsum has it.
  enum class Summed : uint8_t { equal, broadcast };
  ExprId contract(ExprId a, const std::string& a_labels, ExprId b, const std::string& b_labels,
                  const std::string& out_labels, Summed summed = Summed::equal);
  ExprId multiply_and_fold(ExprId a, const std::string& a_labels, ExprId b, const std::string& b_labels,
                           const std::string& out_labels, Summed summed);
  ExprId to_labels(ExprId array, std::string labels, const std::string& wanted);
  ExprId diagonals(ExprId array, std::string& labels);
  ExprId sum_away(ExprId array, std::string& labels, const std::string& kept);

  FunctionTyper& t_;
  const syntax::CallExpr* call_ = nullptr;
  BuiltinEntity builtin_{};
  Span span_;
  std::vector<SynExprId> args_;
  bool folds_first_axis_ = false;  ///< where no axis is named, not all of them
};

/// let.value() may be used any number of times; close() puts what was shared around the result.
class ArrayTyper::Let {
 public:
  Let(ArrayTyper& typer, ExprId value) : t_(typer.t_), shared_(t_.share(value)) {}
  ExprId value() const { return t_.copy(shared_.value); }
  ExprId close(ExprId body) const { return t_.unknown(body) ? body : t_.wrap(shared_, body); }

 private:
  FunctionTyper& t_;
  FunctionTyper::Shared shared_;
};

}  // namespace jitc::sema
