// Reductions: what they fold, in which type, and what is done before and after.
#include <fmt/format.h>

#include <cmath>

#include "src/sema/array_typer.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using Op = syntax::BinaryOp;
using Cmp = syntax::CompareOp;

DType ArrayTyper::sum_dtype(DType dtype) {
  if (dtype == DType::b1 || is_signed_int(dtype)) return DType::i8;
  if (is_unsigned_int(dtype)) return DType::u8;
  return dtype;
}

/// Binds a reduction's arguments: the array, and by their names axis, dtype, keepdims, initial and where.
ArrayTyper::FoldCall ArrayTyper::fold_call(const std::vector<std::string_view>& names) {
  FoldCall out;
  if (!bind(names, 1)) return out;
  out.array = value(0);
  if (!out.array.valid()) return out;
  out.shape.folded.assign(static_cast<size_t>(t_.rank_of(out.array)), true);
  out.ok = true;
  for (size_t k = 1; k < names.size(); ++k) {
    if (names[k] == "axis" && folds_first_axis_ && !args_[k].valid()) {
      for (size_t axis = 1; axis < out.shape.folded.size(); ++axis) out.shape.folded[axis] = false;
    }
    if (!given(k)) continue;
    if (names[k] == "axis") {
      const auto f = folded(k, t_.rank_of(out.array));
      out.ok = out.ok && f;
      if (f) out.shape.folded = *f;
    } else if (names[k] == "dtype") {
      out.dtype = dtype(k);
      out.ok = out.ok && out.dtype;
    } else if (names[k] == "keepdims") {
      const auto f = flag(k, false);
      out.ok = out.ok && f;
      out.shape.keepdims = f.value_or(false);
    } else if (names[k] == "initial") {
      out.initial = args_[k];
    } else if (names[k] == "where") {
      out.where = args_[k];
    }
  }
  return out;
}

ExprId ArrayTyper::where_or(ExprId array, ExprId where, double otherwise) {
  const DType type = t_.element_dtype(array);
  const ExprId value = t_.to_dtype(
      type == DType::b1 || is_int(type) ? number(static_cast<Int128>(otherwise)) : real_number(otherwise), type);
  return function("where", {where, array, value});
}

ExprId ArrayTyper::with_initial(ExprId folded, const FoldCall& call, std::string_view combine) {
  if (!call.initial.valid() || t_.unknown(folded)) return folded;
  const ExprId first = value_of(call.initial);
  if (!first.valid()) return poison();
  const DType type = t_.element_dtype(folded);
  return cast(function(combine, {t_.to_dtype(first, type), folded}), type);
}

/// Elements of 16 bits are summed in f4.
ExprId ArrayTyper::sum_of(ExprId array, const FoldShape& shape, std::string_view name) {
  const DType type = t_.element_dtype(array);
  if (!is_half(type)) return fold(FoldOp::kAdd, array, shape, name);
  return cast(fold(FoldOp::kAdd, cast(array, DType::f4), shape, name), type);
}

/// sum, prod, and the forms that take a NaN for 0 or 1.
ExprId ArrayTyper::sum(ArrayFn fn) {
  const FoldCall call = fold_call({"a", "axis", "dtype", "out", "keepdims", "initial", "where"});
  if (!call.ok) return poison();
  const bool adds = fn == ArrayFn::kSum || fn == ArrayFn::kNanSum;
  const bool drops = fn == ArrayFn::kNanSum || fn == ArrayFn::kNanProd;
  const double neutral = adds ? 0 : 1;
  ExprId a = call.array;
  if (drops && types::is_inexact(t_.element_dtype(a))) {
    const Let y(*this, call.array);
    const ExprId nan = function("isnan", {y.value()});
    const ExprId value = t_.to_dtype(real_number(neutral), t_.element_dtype(call.array));
    a = y.close(function("where", {nan, value, y.value()}));
  }
  a = cast(a, call.dtype.value_or(sum_dtype(t_.element_dtype(a))));
  if (call.where.valid()) {
    const ExprId mask = value_of(call.where);
    if (!mask.valid()) return poison();
    a = where_or(a, mask, neutral);
  }
  if (t_.unknown(a)) return poison();
  const std::string_view name = builtin_.builtin->name;
  ExprId out;
  if (adds) {
    out = sum_of(a, call.shape, name);
  } else {
    const DType type = t_.element_dtype(a);
    out = is_half(type) ? cast(fold(FoldOp::kMul, cast(a, DType::f4), call.shape, name), type)
                        : fold(FoldOp::kMul, a, call.shape, name);
  }
  return with_initial(out, call, adds ? "add" : "multiply");
}

ExprId ArrayTyper::mean_of(ExprId array, const FoldShape& shape, ExprId count) {
  return binary(Op::kDiv, fold(FoldOp::kAdd, array, shape, "mean"), count);
}

/// The sum over the number of elements; ints in f8, halves in f4.
ExprId ArrayTyper::mean(ArrayFn fn) {
  const FoldCall call = fold_call({"a", "axis", "dtype", "out", "keepdims", "where"});
  if (!call.ok) return poison();
  const DType own = t_.element_dtype(call.array);
  const DType result = call.dtype.value_or(types::is_inexact(own) ? own : DType::f8);
  const DType computed = is_half(result) ? DType::f4 : result;
  const Let source(*this, cast(call.array, computed));
  ExprId a = source.value(), mask;
  if (call.where.valid()) {
    mask = value_of(call.where);
    if (!mask.valid()) return poison();
  } else if (fn == ArrayFn::kNanMean && is_float(computed)) {
    mask = t_.map_unary(syntax::UnaryOp::kInvert, function("isnan", {source.value()}), span_);
  }
  if (!mask.valid())
    return source.close(cast(mean_of(a, call.shape, count_folded(source.value(), call.shape)), result));
  const Let counted(*this, mask);
  a = where_or(a, counted.value(), 0);
  // Where the mask broadcasts, each of its elements counts for all that it stands for.
  const ExprId weights = t_.map_elements({counted.value(), source.value()}, span_,
                                         [&](const std::vector<ExprId>& e) { return t_.to_dtype(e[0], DType::i8); });
  const ExprId count = fold(FoldOp::kAdd, weights, call.shape, "mean");
  return source.close(counted.close(cast(mean_of(a, call.shape, cast(count, part_type(computed))), result)));
}

/// The mean of the squared distances from the mean; std is its root.
ExprId ArrayTyper::variance(ArrayFn fn) {
  const FoldCall call = fold_call({"a", "axis", "dtype", "out", "ddof", "keepdims", "where"});
  if (!call.ok) return poison();
  const ExprId ddof = given(4) ? value(4) : number(0);
  if (!ddof.valid()) return poison();
  const DType own = t_.element_dtype(call.array);
  const DType result = call.dtype.value_or(types::is_inexact(own) ? own : DType::f8);
  const DType computed = is_half(result) ? DType::f4 : result;
  const Let x(*this, cast(call.array, computed));
  const bool drops = (fn == ArrayFn::kNanVar || fn == ArrayFn::kNanStd) && is_float(computed);
  FoldShape keeps = call.shape;
  keeps.keepdims = true;
  std::optional<Let> mask;
  if (call.where.valid()) {
    const ExprId given_mask = value_of(call.where);
    if (!given_mask.valid()) return poison();
    mask.emplace(*this, given_mask);
  } else if (drops) {
    mask.emplace(*this, t_.map_unary(syntax::UnaryOp::kInvert, function("isnan", {x.value()}), span_));
  }
  const auto count = [&](const FoldShape& shape) {
    if (!mask) return count_folded(x.value(), shape);
    const ExprId weights = t_.map_elements({mask->value(), x.value()}, span_,
                                           [&](const std::vector<ExprId>& e) { return t_.to_dtype(e[0], DType::i8); });
    return cast(fold(FoldOp::kAdd, weights, shape, "var"), part_type(computed));
  };
  const auto masked = [&](ExprId a) { return mask ? where_or(a, mask->value(), 0) : a; };
  const ExprId center = mean_of(masked(x.value()), keeps, count(keeps));
  const Let d(*this, binary(Op::kSub, x.value(), center));
  ExprId square;
  if (is_complex(computed)) {
    const ExprId re = function("real", {d.value()}), im = function("imag", {d.value()});
    const Let r(*this, re), i(*this, im);
    square = r.close(
        i.close(binary(Op::kAdd, binary(Op::kMul, r.value(), r.value()), binary(Op::kMul, i.value(), i.value()))));
  } else {
    square = binary(Op::kMul, d.value(), d.value());
  }
  const ExprId n = function("maximum", {binary(Op::kSub, count(call.shape), ddof), number(0)});
  ExprId out = binary(Op::kDiv, fold(FoldOp::kAdd, masked(square), call.shape, "var"), n);
  if (fn == ArrayFn::kStd || fn == ArrayFn::kNanStd) out = function("sqrt", {out});
  out = cast(out, is_complex(result) ? part_type(result) : result);
  out = d.close(out);
  if (mask) out = mask->close(out);
  return x.close(out);
}

/// max, min, and the forms that drop NaN.
ExprId ArrayTyper::extreme(ArrayFn fn) {
  const FoldCall call = fold_call({"a", "axis", "out", "keepdims", "initial", "where"});
  if (!call.ok) return poison();
  const bool is_max = fn == ArrayFn::kMax || fn == ArrayFn::kNanMax;
  const bool drops = fn == ArrayFn::kNanMin || fn == ArrayFn::kNanMax;
  ExprId a = call.array;
  const DType type = t_.element_dtype(a);
  if (is_complex(type)) return bad(t_.span_of(a), "numbers that have an order", "compare abs(z), z.real or z.imag");
  if (call.where.valid()) {
    if (!call.initial.valid()) return bad(span_of(call.where), "an initial value beside where", "");
    const ExprId mask = value_of(call.where), first = value_of(call.initial);
    if (!mask.valid() || !first.valid()) return poison();
    a = function("where", {mask, a, t_.to_dtype(first, type)});
  }
  const FoldOp op = is_max ? (drops ? FoldOp::kFmax : FoldOp::kMax) : (drops ? FoldOp::kFmin : FoldOp::kMin);
  const ExprId out = fold(op, a, call.shape, builtin_.builtin->name, !call.initial.valid());
  return with_initial(out, call, is_max ? (drops ? "fmax" : "maximum") : (drops ? "fmin" : "minimum"));
}

/// The number of the first of the largest or smallest elements along one axis, or of all.
ExprId ArrayTyper::arg_extreme(ArrayFn fn) {
  if (!bind({"a", "axis", "out", "keepdims"}, 1)) return poison();
  ExprId a = value(0);
  const auto keepdims = flag(3, false);
  if (!a.valid() || !keepdims) return poison();
  const int rank = t_.rank_of(a);
  if (is_complex(t_.element_dtype(a))) {
    return bad(t_.span_of(a), "numbers that have an order", "compare abs(z), z.real or z.imag");
  }
  FoldShape shape{std::vector<bool>(static_cast<size_t>(rank), !given(1)), *keepdims};
  if (given(1)) {
    const auto along = axis(args_[1], rank);
    if (!along) return poison();
    shape.folded[*along] = true;
  }
  const bool is_max = fn == ArrayFn::kArgMax || fn == ArrayFn::kNanArgMax;
  if ((fn == ArrayFn::kNanArgMax || fn == ArrayFn::kNanArgMin) && is_float(t_.element_dtype(a))) {
    const Let x(*this, a);
    const ExprId worst = real_number(is_max ? -HUGE_VAL : HUGE_VAL);
    a = x.close(function("where", {function("isnan", {x.value()}), worst, x.value()}));
  }
  return fold(is_max ? FoldOp::kArgMax : FoldOp::kArgMin, a, shape, builtin_.builtin->name, true);
}

/// any, all.
ExprId ArrayTyper::truth(ArrayFn fn) {
  const FoldCall call = fold_call({"a", "axis", "out", "keepdims", "where"});
  if (!call.ok) return poison();
  const bool is_any = fn == ArrayFn::kAny;
  ExprId a = cast(call.array, DType::b1);
  if (call.where.valid()) {
    const ExprId mask = value_of(call.where);
    if (!mask.valid()) return poison();
    a = where_or(a, mask, is_any ? 0 : 1);
  }
  return fold(is_any ? FoldOp::kAdd : FoldOp::kMul, a, call.shape, builtin_.builtin->name);
}

ExprId ArrayTyper::count_nonzero(ArrayFn) {
  const FoldCall call = fold_call({"a", "axis", "keepdims"});
  if (!call.ok) return poison();
  return fold(FoldOp::kAdd, cast(cast(call.array, DType::b1), DType::i8), call.shape, "count_nonzero");
}

ExprId ArrayTyper::ptp(ArrayFn) {
  const FoldCall call = fold_call({"a", "axis", "out", "keepdims"});
  if (!call.ok) return poison();
  const Let a(*this, call.array);
  return a.close(binary(Op::kSub, fold(FoldOp::kMax, a.value(), call.shape, "ptp", true),
                        fold(FoldOp::kMin, a.value(), call.shape, "ptp", true)));
}

/// log(sum(exp(a))), with the largest element taken out so that nothing overflows.
ExprId ArrayTyper::log_sum_exp(ArrayFn) {
  const FoldCall call = fold_call({"a", "axis", "keepdims"});
  if (!call.ok) return poison();
  const DType own = t_.element_dtype(call.array);
  const Let a(*this, is_float(own) ? call.array : cast(call.array, DType::f8));
  FoldShape keeps = call.shape;
  keeps.keepdims = true;
  const auto finite = [&](ExprId largest) {
    const Let m(*this, largest);
    return m.close(function("where", {function("isfinite", {m.value()}), m.value(), real_number(0)}));
  };
  const ExprId shift = finite(fold(FoldOp::kMax, a.value(), keeps, "logsumexp", true));
  const ExprId back = finite(fold(FoldOp::kMax, a.value(), call.shape, "logsumexp", true));
  const ExprId terms = function("exp", {binary(Op::kSub, a.value(), shift)});
  return a.close(binary(Op::kAdd, function("log", {sum_of(terms, call.shape, "logsumexp")}), back));
}

/// norm(x, ord, axis, keepdims): of vectors any order; of matrices the Frobenius norm.
ExprId ArrayTyper::norm(ArrayFn) {
  if (!bind({"x", "ord", "axis", "keepdims"}, 1)) return poison();
  const ExprId x = value(0);
  const auto keepdims = flag(3, false);
  const auto f = x.valid() ? folded(2, t_.rank_of(x)) : std::nullopt;
  if (!f || !keepdims) return poison();
  const FoldShape shape{*f, *keepdims};
  const DType own = t_.element_dtype(x);
  const ExprId a = types::is_inexact(own) ? x : cast(x, DType::f8);
  const ExprId size = function("abs", {a});
  double order = 2;
  if (given(1) && text(args_[1]) != std::optional<std::string>("fro")) {
    const ExprId v = t_.type_expr(args_[1]);
    const auto c = t_.unknown(v) ? std::nullopt : t_.constant_of(v);
    if (!c) return bad(span_of(args_[1]), "a constant order: a number, inf, -inf or \"fro\"", "");
    order = c->as_double();
    const auto count = std::count(f->begin(), f->end(), true);
    if (count > 1) return bad(span_of(args_[1]), "an order of vectors: name one axis", "of matrices there is \"fro\"");
  }
  if (std::isinf(order)) { return fold(order > 0 ? FoldOp::kMax : FoldOp::kMin, size, shape, "norm", order < 0); }
  if (order == 0) {
    return cast(fold(FoldOp::kAdd, cast(cast(size, DType::b1), DType::i8), shape, "norm"), t_.element_dtype(size));
  }
  if (order == 1) return sum_of(size, shape, "norm");
  if (order == 2) {
    const Let s(*this, size);
    return s.close(function("sqrt", {sum_of(binary(Op::kMul, s.value(), s.value()), shape, "norm")}));
  }
  const ExprId powers = sum_of(binary(Op::kPow, size, real_number(order)), shape, "norm");
  return binary(Op::kPow, powers, real_number(1 / order));
}

/// sum(a * weights) / sum(weights).
ExprId ArrayTyper::average(ArrayFn) {
  if (!bind({"a", "axis", "weights"}, 1)) return poison();
  const ExprId x = value(0);
  const auto f = x.valid() ? folded(1, t_.rank_of(x)) : std::nullopt;
  if (!f) return poison();
  const FoldShape shape{*f, false};
  const Let a(*this, types::is_inexact(t_.element_dtype(x)) ? x : cast(x, DType::f8));
  if (!given(2)) return a.close(mean_of(a.value(), shape, count_folded(a.value(), shape)));
  ExprId given_weights = value(2);
  if (!given_weights.valid()) return poison();
  if (t_.rank_of(given_weights) == 1 && t_.rank_of(x) > 1) {
    if (!given(1)) return bad(span_of(args_[2]), "an axis beside weights of one axis", "");
    for (uint32_t k = 0; k < f->size(); ++k) {
      if (!(*f)[k])
        given_weights = new_axis(given_weights, k < 1 ? 0 : static_cast<uint32_t>(t_.rank_of(given_weights)));
    }
  }
  const Let w(*this, given_weights);
  const ExprId total = fold(FoldOp::kAdd, binary(Op::kMul, a.value(), w.value()), shape, "average");
  const ExprId wide = t_.map_elements({w.value(), a.value()}, span_, [&](const std::vector<ExprId>& e) {
    return t_.to_dtype(e[0], t_.element_dtype(e[1]));
  });
  return a.close(w.close(binary(Op::kDiv, total, fold(FoldOp::kAdd, wide, shape, "average"))));
}

}  // namespace jitc::sema
