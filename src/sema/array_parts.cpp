// The few operations that all functions of whole arrays are made of.
#include "src/sema/array_typer.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

ExprId ArrayTyper::real_number(double v) {
  return t_.constant(span_, {DType::f8, Strength::kWeakConst}, Constant::of_float(v));
}

std::vector<ExprId> ArrayTyper::extents(ExprId array) {
  std::vector<ExprId> out;
  for (uint32_t axis = 0; axis < static_cast<uint32_t>(t_.rank_of(array)); ++axis) {
    out.push_back(extent_value(extent(array, axis)));
  }
  return out;
}

ExprId ArrayTyper::binary(syntax::BinaryOp op, ExprId a, ExprId b) { return t_.type_binary(op, a, b, span_, span_); }

ExprId ArrayTyper::compare(syntax::CompareOp op, ExprId a, ExprId b) {
  return t_.type_comparison(op, a, b, span_, span_);
}

/// A function of NumPy, as the language has it for scalars and for elements.
ExprId ArrayTyper::function(std::string_view name, std::vector<ExprId> args) {
  for (const ExprId a : args) {
    if (!a.valid() || t_.unknown(a)) return poison();
  }
  const BuiltinEntity b{find_builtin(Module::kNumpy, name), Module::kNumpy};
  JITC_CHECK(b.builtin != nullptr, "no built-in " + std::string(name));
  if (t_.any_array(args)) return t_.map_builtin(b, args, *call_, span_);
  if (b.builtin->rule == Rule::kMinMax) return t_.call_min_max(b, args, span_);
  return t_.apply_builtin(b, args, *call_, span_);
}

ExprId ArrayTyper::fill(ExprId value, DType dtype, std::vector<ExprId> shape) {
  const int rank = static_cast<int>(shape.size());
  if (rank == 0 && !value.valid()) value = number(0);
  if (value.valid()) value = t_.to_dtype(in_range(value, dtype), dtype);
  if (rank == 0 || (value.valid() && t_.unknown(value))) return value;
  return t_.add(span_, t_.array_type(dtype, rank), FillExpr{value, std::move(shape)});
}

/// An int of the text, which wraps nowhere.
ExprId ArrayTyper::in_range(ExprId value, DType dtype) {
  const auto c = t_.constant_of(value);
  if (!c || !t_.scalar_of(value)->weak() || !c->is_int() || fits(*c, dtype)) return value;
  t_.report(DiagId::kConstantDoesNotFit, t_.span_of(value), to_string(*c), name(dtype)).help("choose a wider dtype");
  return poison();
}

ExprId ArrayTyper::iota(ExprId count) {
  if (!count.valid() || t_.unknown(count)) return poison();
  return t_.add(span_, t_.array_type(DType::i8, 1), IotaExpr{count});
}

ExprId ArrayTyper::index_along(ExprId count, int rank, uint32_t axis) {
  ExprId out = iota(count);
  for (uint32_t k = 0; k < static_cast<uint32_t>(rank); ++k) {
    if (k != axis) out = new_axis(out, k);
  }
  return out;
}

ExprId ArrayTyper::permute(ExprId array, std::vector<uint32_t> axes) {
  if (t_.unknown(array)) return array;
  const TypeId type = t_.array_type(t_.element_dtype(array), static_cast<int>(axes.size()));
  return t_.add(span_, type, PermuteExpr{array, std::move(axes)});
}

ExprId ArrayTyper::broadcast(ExprId array, std::vector<ExprId> shape) {
  if (t_.unknown(array)) return array;
  if (t_.array_of(array) == nullptr) return fill(array, default_dtype(array), std::move(shape));
  const DType dtype = t_.element_dtype(array);
  const TypeId type = t_.array_type(dtype, static_cast<int>(shape.size()));
  return t_.add(span_, type, BroadcastExpr{array, std::move(shape)});
}

ExprId ArrayTyper::reshape(ExprId array, std::vector<ExprId> shape) {
  if (t_.unknown(array)) return array;
  const TypeId type = t_.array_type(t_.element_dtype(array), static_cast<int>(shape.size()));
  return t_.add(span_, type, ReshapeExpr{array, std::move(shape)});
}

ExprId ArrayTyper::slice(ExprId array, uint32_t axis, ExprId lower, ExprId upper, ExprId step) {
  if (t_.unknown(array)) return array;
  ViewExpr view{array, {}};
  const int rank = t_.rank_of(array);
  for (uint32_t k = 0; k < static_cast<uint32_t>(rank); ++k) {
    view.axes.push_back({true, {}, {}, {}, {}});
    if (k == axis) view.axes.back() = {true, {}, lower, upper, step};
  }
  return t_.add(span_, t_.array_type(t_.element_dtype(array), rank), std::move(view));
}

ExprId ArrayTyper::new_axis(ExprId array, uint32_t axis) {
  if (t_.unknown(array)) return array;
  ViewExpr view{array, {}};
  const auto rank = static_cast<uint32_t>(t_.rank_of(array));
  for (uint32_t k = 0; k <= rank; ++k) {
    if (k == axis) view.axes.push_back({true, {}, {}, {}, {}, true});
    if (k < rank) view.axes.push_back({true, {}, {}, {}, {}});
  }
  return t_.add(span_, t_.array_type(t_.element_dtype(array), static_cast<int>(rank) + 1), std::move(view));
}

ExprId ArrayTyper::squeeze(ExprId array, uint32_t axis) {
  if (t_.unknown(array)) return array;
  const TypeId type = t_.value_type(t_.element_dtype(array), t_.rank_of(array) - 1);
  return t_.add(span_, type, SqueezeExpr{array, axis});
}

ExprId ArrayTyper::fold(FoldOp op, ExprId array, const FoldShape& shape, std::string_view name, bool needs_elements) {
  if (t_.unknown(array)) return array;
  const bool numbers = op == FoldOp::kArgMin || op == FoldOp::kArgMax;
  const DType dtype = numbers ? DType::i8 : t_.element_dtype(array);
  const int rank = t_.rank_of(array);
  if (rank == 0) return numbers ? integer(0) : array;
  int kept = rank;
  for (const bool f : shape.folded) kept -= f && !shape.keepdims ? 1 : 0;
  return t_.add(span_, t_.value_type(dtype, kept),
                FoldExpr{op, array, shape.folded, shape.keepdims, needs_elements, std::string(name), shape.is_product});
}

ExprId ArrayTyper::count_folded(ExprId array, const FoldShape& shape) {
  ExprId out = number(1);
  for (uint32_t axis = 0; axis < shape.folded.size(); ++axis) {
    if (shape.folded[axis]) out = binary(syntax::BinaryOp::kMul, out, extent(array, axis));
  }
  return out;
}

}  // namespace jitc::sema
