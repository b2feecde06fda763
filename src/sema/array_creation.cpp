// New arrays: filled ones, ranges, and those that follow from the places of their elements.
#include <fmt/format.h>

#include "src/sema/array_typer.hpp"
#include "src/sema/static_array.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using Op = syntax::BinaryOp;
using Cmp = syntax::CompareOp;

DType ArrayTyper::default_dtype(ExprId value) const {
  const auto c = t_.constant_of(value);
  const DType own = t_.element_dtype(value);
  return c ? natural_dtype({own, types::Strength::kTyped}, *c) : own;
}

/// zeros(shape, dtype), ones, empty, full(shape, value, dtype).
ExprId ArrayTyper::filled(ArrayMaker maker) {
  const bool has_value = maker == ArrayMaker::kFull;
  if (has_value ? !bind({"shape", "fill_value", "dtype", "order"}, 2) : !bind({"shape", "dtype", "order"}, 1)) {
    return poison();
  }
  auto extents = shape(args_[0]);
  if (!extents) return poison();
  const size_t type_at = has_value ? 2 : 1;
  ExprId fill_value;
  DType type = DType::f8;
  if (has_value) {
    fill_value = value(1);
    if (!fill_value.valid()) return poison();
    type = default_dtype(fill_value);
  } else if (maker != ArrayMaker::kEmpty) {
    fill_value = number(maker == ArrayMaker::kOnes ? 1 : 0);
  }
  if (given(type_at)) {
    const auto named = dtype(type_at);
    if (!named) return poison();
    type = *named;
  }
  if (fill_value.valid() && t_.array_of(fill_value) != nullptr) return broadcast(cast(fill_value, type), *extents);
  return fill(fill_value, type, std::move(*extents));
}

ExprId ArrayTyper::like(ArrayFn fn) {
  const bool has_value = fn == ArrayFn::kFullLike;
  if (has_value ? !bind({"a", "fill_value", "dtype"}, 2) : !bind({"a", "dtype"}, 1)) return poison();
  const ExprId a = value(0);
  if (!a.valid()) return poison();
  DType type = t_.element_dtype(a);
  const size_t type_at = has_value ? 2 : 1;
  if (given(type_at)) {
    const auto named = dtype(type_at);
    if (!named) return poison();
    type = *named;
  }
  ExprId fill_value;
  if (has_value) fill_value = value(1);
  if (has_value && !fill_value.valid()) return poison();
  if (fn == ArrayFn::kOnesLike) fill_value = number(1);
  if (fn == ArrayFn::kZerosLike) fill_value = number(0);
  const Let shared(*this, a);
  return shared.close(fill(fill_value, type, extents(shared.value())));
}

/// arange([start,] stop[, step], dtype): start + i * step, as NumPy computes it.
ExprId ArrayTyper::arange() {
  if (!bind({"start", "stop", "step", "dtype"}, 1)) return poison();
  const bool only_stop = !given(1);
  ExprId start = only_stop ? number(0) : value(0);
  ExprId stop = value(only_stop ? 0 : 1);
  ExprId step = given(2) ? value(2) : number(1);
  if (!start.valid() || !stop.valid() || !step.valid()) return poison();
  for (const ExprId v : {start, stop, step}) {
    if (!t_.require_scalar(v, "arange()")) return poison();
  }
  const auto is_float_value = [&](ExprId v) { return types::is_inexact(t_.scalar_of(v)->dtype); };
  const bool floats = is_float_value(start) || is_float_value(stop) || is_float_value(step);
  std::optional<DType> type = floats ? DType::f8 : DType::i8;
  if (given(3)) type = dtype(3);
  if (!type) return poison();
  if (const auto c = t_.constant_of(step); c && c->as_double() == 0) {
    return bad(t_.span_of(step), "a step that is not 0", "");
  }
  const Let first(*this, start), by(*this, step);
  const ExprId length = binary(Op::kSub, stop, first.value());
  ExprId count;
  if (floats) {
    count = t_.to_dtype(function("ceil", {binary(Op::kDiv, length, by.value())}), DType::i8);
  } else {  // -(-length // step), which rounds up
    count = t_.type_unary(syntax::UnaryOp::kNeg, t_.to_dtype(length, DType::i8), span_);
    count = binary(Op::kFloorDiv, count, t_.to_dtype(by.value(), DType::i8));
    count = t_.type_unary(syntax::UnaryOp::kNeg, count, span_);
  }
  count = function("maximum", {t_.to_dtype(count, DType::i8), integer(0)});
  // NumPy's second element is start + step; the distance between the two is the step of all others.
  const ExprId second = binary(Op::kAdd, first.value(), by.value());
  const ExprId delta = floats ? binary(Op::kSub, second, first.value()) : by.value();
  const DType wide = floats ? DType::f8 : DType::i8;
  ExprId values = cast(iota(extent_value(count)), wide);
  const auto c0 = t_.constant_of(start), c1 = t_.constant_of(step);
  if (!(c1 && !floats && c1->as_double() == 1)) values = binary(Op::kMul, values, t_.to_dtype(delta, wide));
  if (!(c0 && !floats && c0->as_double() == 0)) values = binary(Op::kAdd, t_.to_dtype(first.value(), wide), values);
  return first.close(by.close(cast(values, *type)));
}

/// linspace(start, stop, num, endpoint, dtype): i * step + start, and stop itself at the end.
ExprId ArrayTyper::linspace() {
  if (!bind({"start", "stop", "num", "endpoint", "dtype"}, 2)) return poison();
  const ExprId a = value(0), b = value(1);
  const ExprId num = given(2) ? t_.type_expr(args_[2]) : number(50);
  const auto endpoint = flag(3, true);
  const auto type = given(4) ? dtype(4) : std::optional(DType::f8);
  if (!a.valid() || !b.valid() || !endpoint || !type) return poison();
  if (!t_.require_scalar(a, "linspace()") || !t_.require_scalar(b, "linspace()")) return poison();
  const ExprId n = extent_value(num);
  if (!n.valid()) return poison();
  const Let start(*this, t_.to_dtype(a, DType::f8)), stop(*this, t_.to_dtype(b, DType::f8)), count(*this, n);
  const ExprId one = integer(1);
  const ExprId gaps = *endpoint ? binary(Op::kSub, count.value(), one) : count.value();
  const ExprId steps = function("maximum", {gaps, again(one)});
  const ExprId step = binary(Op::kDiv, binary(Op::kSub, stop.value(), start.value()), t_.to_dtype(steps, DType::f8));
  const Let index(*this, iota(count.value()));
  ExprId values = binary(Op::kMul, cast(index.value(), DType::f8), step);
  values = binary(Op::kAdd, values, start.value());
  if (*endpoint) {
    const ExprId last = function("maximum", {binary(Op::kSub, count.value(), again(one)), again(one)});
    const ExprId at_end = compare(Cmp::kEq, index.value(), last);
    values = function("where", {at_end, stop.value(), values});
  }
  return start.close(stop.close(count.close(index.close(cast(values, *type)))));
}

/// eye(N, M, k, dtype), identity(n, dtype): 1 where column - row is k.
ExprId ArrayTyper::eye(ArrayFn fn) {
  const bool square = fn == ArrayFn::kIdentity;
  if (square ? !bind({"n", "dtype"}, 1) : !bind({"N", "M", "k", "dtype"}, 1)) return poison();
  const size_t type_at = square ? 1 : 3;
  const auto type = given(type_at) ? dtype(type_at) : std::optional(DType::f8);
  const ExprId rows = extent_value(t_.type_expr(args_[0]));
  if (!type || !rows.valid()) return poison();
  const Let n(*this, rows);
  const ExprId columns = !square && given(1) ? extent_value(t_.type_expr(args_[1])) : n.value();
  const ExprId k = !square && given(2) ? extent_value(t_.type_expr(args_[2])) : integer(0);
  if (!columns.valid() || !k.valid()) return poison();
  const ExprId i = index_along(n.value(), 2, 0), j = index_along(columns, 2, 1);
  return n.close(cast(compare(Cmp::kEq, binary(Op::kSub, j, i), k), *type));
}

/// tri(N, M, k, dtype): 1 where column - row is at most k. tril(m, k) and triu(m, k) keep m's elements there, or there
/// and above.
ExprId ArrayTyper::triangle(ArrayFn fn) {
  const bool makes = fn == ArrayFn::kTri;
  if (makes ? !bind({"N", "M", "k", "dtype"}, 1) : !bind({"m", "k"}, 1)) return poison();
  const size_t k_at = makes ? 2 : 1;
  const ExprId k = given(k_at) ? extent_value(t_.type_expr(args_[k_at])) : integer(0);
  if (!k.valid()) return poison();
  if (makes) {
    const auto type = given(3) ? dtype(3) : std::optional(DType::f8);
    const ExprId rows = extent_value(t_.type_expr(args_[0]));
    if (!type || !rows.valid()) return poison();
    const Let n(*this, rows);
    const ExprId columns = given(1) ? extent_value(t_.type_expr(args_[1])) : n.value();
    if (!columns.valid()) return poison();
    const ExprId i = index_along(n.value(), 2, 0), j = index_along(columns, 2, 1);
    return n.close(cast(compare(Cmp::kLe, binary(Op::kSub, j, i), k), *type));
  }
  const ExprId given_array = array(0);
  if (!given_array.valid()) return poison();
  const int rank = t_.rank_of(given_array);
  if (rank < 2) return bad(t_.span_of(given_array), "an array with rows and columns", "");
  const Let m(*this, given_array);
  const uint32_t row = static_cast<uint32_t>(rank) - 2;
  const ExprId i = index_along(extent_value(extent(m.value(), row)), rank, row);
  const ExprId j = index_along(extent_value(extent(m.value(), row + 1)), rank, row + 1);
  const ExprId difference = binary(Op::kSub, j, i);
  const ExprId keep = compare(fn == ArrayFn::kTril ? Cmp::kLe : Cmp::kGe, difference, k);
  const ExprId zero = t_.to_dtype(number(0), t_.element_dtype(given_array));
  return m.close(function("where", {keep, m.value(), zero}));
}

/// meshgrid(x, y, …, indexing="xy"): each array along an axis of its own, broadcast to all.
ExprId ArrayTyper::meshgrid(ArrayFn) {
  bool swap = true;
  for (const syntax::KeywordArg& k : call_->keywords) {
    const auto indexing = text(k.value);
    if (k.name != "indexing" || !indexing || (*indexing != "xy" && *indexing != "ij")) {
      return bad(k.name_span, "indexing=\"xy\" or indexing=\"ij\"", "");
    }
    swap = *indexing == "xy";
  }
  const size_t count = call_->args.size();
  if (count == 0) return bad(span_, "at least one array", "");
  std::vector<Let> lets;
  for (const SynExprId id : call_->args) {
    const ExprId v = value_of(id);
    if (!v.valid() || t_.unknown(v)) return poison();
    if (t_.rank_of(v) != 1) return bad(span_of(id), "arrays with one axis", "");
    lets.emplace_back(*this, v);
  }
  const auto axis_of = [&](size_t k) { return static_cast<uint32_t>(swap && count >= 2 && k < 2 ? 1 - k : k); };
  std::vector<ExprId> shape(count), items;
  std::vector<TypeId> types;
  for (size_t k = 0; k < count; ++k) shape[axis_of(k)] = extent_value(extent(lets[k].value(), 0));
  for (size_t k = 0; k < count; ++k) {
    ExprId view = lets[k].value();
    for (uint32_t axis = 0; axis < count; ++axis) {
      if (axis != axis_of(k)) view = new_axis(view, axis);
    }
    std::vector<ExprId> own = shape;
    for (ExprId& s : own) s = again(s);
    items.push_back(broadcast(view, std::move(own)));
    types.push_back(t_.type_of(items.back()));
  }
  ExprId out = t_.add(span_, t_.ctx_.types.tuple(std::move(types)), TupleExpr{std::move(items)});
  for (size_t k = count; k-- > 0;) out = lets[k].close(out);
  return out;
}

/// asarray, copy, flatten, ascontiguousarray. What the signature does not promise to be in C order counts as having
/// gaps; of a number ascontiguousarray makes an array of one, as in NumPy.
ExprId ArrayTyper::as_array(ArrayFn fn) {
  if (!bind({"a", "dtype"}, 1)) return poison();
  ExprId a = value(0);
  if (!a.valid()) return poison();
  a = in_given_type(a);
  if (t_.unknown(a)) return a;
  const types::ArrayType* type = t_.array_of(a);
  const bool contiguous = fn == ArrayFn::kAsContiguous;
  if (type == nullptr) return contiguous ? fill(a, default_dtype(a), {integer(1)}) : a;
  if (fn == ArrayFn::kAsArray || (contiguous && type->layout == Layout::c)) return a;
  return copied(fn == ArrayFn::kFlatten ? flattened(a) : a);
}

/// Of the type that the second argument names, if it is there.
ExprId ArrayTyper::in_given_type(ExprId value) {
  if (!given(1)) return value;
  const auto type = dtype(1);
  if (!type) return poison();
  return t_.array_of(value) != nullptr ? cast(value, *type) : t_.to_dtype(value, *type);
}

ExprId ArrayTyper::copied(ExprId array) {
  return t_.add(span_, t_.array_type(t_.element_dtype(array), t_.rank_of(array)), CopyExpr{array});
}

}  // namespace jitc::sema
