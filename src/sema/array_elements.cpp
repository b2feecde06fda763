// Functions of each element that only arrays have.
#include <fmt/format.h>

#include "src/sema/array_typer.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using Op = syntax::BinaryOp;
using Cmp = syntax::CompareOp;

/// clip(a, min, max): minimum(maximum(a, min), max); either bound may be None.
ExprId ArrayTyper::clip(ArrayFn) {
  if (!bind({"a", "min", "max"}, 1)) return poison();
  ExprId out = value(0);
  if (!out.valid()) return poison();
  if (given(1)) out = function("maximum", {out, value(1)});
  if (given(2)) out = function("minimum", {out, value(2)});
  return out;
}

/// select([c0, c1], [v0, v1], default): where(c0, v0, where(c1, v1, default)).
ExprId ArrayTyper::select(ArrayFn) {
  if (!bind({"condlist", "choicelist", "default"}, 2)) return poison();
  const auto conds = arrays(args_[0]), choices = arrays(args_[1]);
  if (!conds || !choices) return poison();
  if (conds->size() != choices->size()) {
    return bad(span_, fmt::format("as many choices as conditions, not {} and {}", choices->size(), conds->size()), "");
  }
  ExprId out = given(2) ? value(2) : number(0);
  for (size_t k = conds->size(); k-- > 0;) out = function("where", {(*conds)[k], (*choices)[k], out});
  return out;
}

/// New elements, as NumPy's, even where they have the type: a store to the one does not change the other. With
/// copy=False the array itself.
ExprId ArrayTyper::as_type(ArrayFn) {
  if (!bind({"x", "dtype", "copy"}, 2)) return poison();
  const ExprId x = value(0);
  const auto type = x.valid() ? dtype(1) : std::nullopt;
  const auto copies = flag(2, true);
  if (!type || !copies) return poison();
  if (t_.array_of(x) == nullptr) return t_.to_dtype(x, *type);
  return *copies && t_.element_dtype(x) == *type ? same_elements(x) : cast(x, *type);
}

ExprId ArrayTyper::same_elements(ExprId array) {
  return t_.map_elements({array}, span_, [](const std::vector<ExprId>& e) { return e[0]; });
}

/// isclose(a, b, rtol, atol, equal_nan): |a - b| <= atol + rtol * |b|, equal infinities are close. allclose: all are.
ExprId ArrayTyper::is_close(ArrayFn fn) {
  if (!bind({"a", "b", "rtol", "atol", "equal_nan"}, 2)) return poison();
  const ExprId x = value(0), y = value(1);
  const auto equal_nan = flag(4, false);
  if (!x.valid() || !y.valid() || !equal_nan) return poison();
  const ExprId rtol = given(2) ? value(2) : real_number(1e-5), atol = given(3) ? value(3) : real_number(1e-8);
  if (!rtol.valid() || !atol.valid()) return poison();
  const Let a(*this, x), b(*this, y);
  const ExprId distance = function("abs", {binary(Op::kSub, a.value(), b.value())});
  const ExprId limit = binary(Op::kAdd, atol, binary(Op::kMul, rtol, function("abs", {b.value()})));
  ExprId close = binary(Op::kAnd, compare(Cmp::kLe, distance, limit), function("isfinite", {b.value()}));
  close = binary(Op::kOr, close, compare(Cmp::kEq, a.value(), b.value()));
  if (*equal_nan) {
    close = binary(Op::kOr, close, binary(Op::kAnd, function("isnan", {a.value()}), function("isnan", {b.value()})));
  }
  if (fn == ArrayFn::kAllClose && t_.array_of(close) != nullptr) {
    close = fold(FoldOp::kMul, close, {std::vector<bool>(static_cast<size_t>(t_.rank_of(close)), true)}, "allclose");
  }
  return a.close(b.close(close));
}

ExprId ArrayTyper::array_equal(ArrayFn) {
  if (!bind({"a1", "a2"}, 2)) return poison();
  const ExprId a = value(0), b = value(1);
  if (!a.valid() || !b.valid()) return poison();
  const int rank = t_.rank_of(a);
  if (rank != t_.rank_of(b)) return t_.to_dtype(number(0), DType::b1);
  const Let x(*this, a), y(*this, b);
  if (rank == 0) return x.close(y.close(compare(Cmp::kEq, x.value(), y.value())));
  ExprId same_shape =
      t_.to_dtype(t_.constant(span_, {DType::b1, types::Strength::kWeakConst}, Constant::of_bool(true)), DType::b1);
  for (uint32_t axis = 0; axis < static_cast<uint32_t>(rank); ++axis) {
    same_shape = binary(Op::kAnd, same_shape, compare(Cmp::kEq, extent(x.value(), axis), extent(y.value(), axis)));
  }
  const ExprId same = compare(Cmp::kEq, x.value(), y.value());
  const ExprId all = fold(FoldOp::kMul, same, {std::vector<bool>(static_cast<size_t>(rank), true)}, "array_equal");
  const TypeId b1 = t_.ctx_.types.scalar(DType::b1);
  // Arrays of other shapes are not equal, whether or not they broadcast.
  return x.close(y.close(t_.add(span_, b1, TernaryExpr{same_shape, all, t_.to_dtype(number(0), DType::b1)})));
}

/// nan_to_num(x, nan=0, posinf=largest, neginf=smallest).
ExprId ArrayTyper::nan_to_num(ArrayFn) {
  if (!bind({"x", "copy", "nan", "posinf", "neginf"}, 1)) return poison();
  const ExprId x = value(0);
  if (!x.valid()) return poison();
  const DType type = t_.element_dtype(x);
  if (!is_float(type)) return t_.array_of(x) != nullptr ? same_elements(x) : x;
  const double largest = type == DType::f4     ? 3.4028234663852886e38
                         : type == DType::f2   ? 65504.0
                         : type == DType::bf16 ? 3.3895313892515355e38
                                               : 1.7976931348623157e308;
  const Let a(*this, x);
  const ExprId nan = given(2) ? value(2) : real_number(0);
  const ExprId up = given(3) ? value(3) : real_number(largest), down = given(4) ? value(4) : real_number(-largest);
  const ExprId inf = real_number(std::numeric_limits<double>::infinity());
  const ExprId minus = real_number(-std::numeric_limits<double>::infinity());
  ExprId out = function("where", {compare(Cmp::kEq, a.value(), inf), up, a.value()});
  out = function("where", {compare(Cmp::kEq, a.value(), minus), down, out});
  return a.close(function("where", {function("isnan", {a.value()}), nan, out}));
}

}  // namespace jitc::sema
