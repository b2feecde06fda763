// Views of arrays: index maps, never copies; and arrays that are put together of others.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "src/sema/array_typer.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using Op = syntax::BinaryOp;

namespace {

std::vector<uint32_t> in_order(int rank) {
  std::vector<uint32_t> out(static_cast<size_t>(rank));
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

}  // namespace

ExprId ArrayTyper::reverse_axes(ExprId array, Span span) {
  span_ = span;
  std::vector<uint32_t> axes = in_order(t_.rank_of(array));
  std::reverse(axes.begin(), axes.end());
  return permute(array, std::move(axes));
}

/// transpose(a), transpose(a, axes), a.transpose(2, 0, 1).
ExprId ArrayTyper::transpose(ArrayFn) {
  syntax::CallExpr spread;
  const syntax::CallExpr* const original = call_;
  if (call_->args.size() > 2) {
    spread = *call_;
    syntax::TupleExpr axes{{call_->args.begin() + 1, call_->args.end()}};
    const SynExprId tuple = t_.ctx_.ast.exprs.add({span_, std::move(axes), 2});
    spread.args = {original->args[0], tuple};
    call_ = &spread;
  }
  const bool ok = bind({"a", "axes"}, 1);
  call_ = original;
  const ExprId a = ok ? array(0) : ExprId();
  if (!a.valid()) return poison();
  const int rank = t_.rank_of(a);
  if (!given(1)) return reverse_axes(a, span_);
  auto order = axes(args_[1], rank);
  if (!order) return poison();
  if (order->size() != static_cast<size_t>(rank)) {
    return bad(span_of(args_[1]), fmt::format("{} axes in a new order", rank), "");
  }
  return permute(a, std::move(*order));
}

ExprId ArrayTyper::matrix_transpose(ArrayFn) {
  if (!bind({"x"}, 1)) return poison();
  const ExprId a = array(0);
  if (!a.valid()) return poison();
  std::vector<uint32_t> order = in_order(t_.rank_of(a));
  if (order.size() < 2) return bad(t_.span_of(a), "an array with rows and columns", "");
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return permute(a, std::move(order));
}

ExprId ArrayTyper::moveaxis(ArrayFn) {
  if (!bind({"a", "source", "destination"}, 3)) return poison();
  const ExprId a = array(0);
  if (!a.valid()) return poison();
  const int rank = t_.rank_of(a);
  const auto from = axes(args_[1], rank), to = axes(args_[2], rank);
  if (!from || !to) return poison();
  if (from->size() != to->size()) return bad(span_, "as many destinations as sources", "");
  std::vector<uint32_t> rest;
  for (const uint32_t axis : in_order(rank)) {
    if (std::find(from->begin(), from->end(), axis) == from->end()) rest.push_back(axis);
  }
  std::vector<uint32_t> order(static_cast<size_t>(rank), UINT32_MAX);
  for (size_t k = 0; k < from->size(); ++k) order[(*to)[k]] = (*from)[k];
  size_t next = 0;
  for (uint32_t& axis : order) {
    if (axis == UINT32_MAX) axis = rest[next++];
  }
  return permute(a, std::move(order));
}

ExprId ArrayTyper::swapaxes(ArrayFn) {
  if (!bind({"a", "axis1", "axis2"}, 3)) return poison();
  const ExprId a = array(0);
  if (!a.valid()) return poison();
  const int rank = t_.rank_of(a);
  const auto first = axis(args_[1], rank), second = axis(args_[2], rank);
  if (!first || !second) return poison();
  std::vector<uint32_t> order = in_order(rank);
  std::swap(order[*first], order[*second]);
  return permute(a, std::move(order));
}

ExprId ArrayTyper::flip(ArrayFn fn) {
  if (fn == ArrayFn::kFlip ? !bind({"m", "axis"}, 1) : !bind({"m"}, 1)) return poison();
  ExprId a = array(0);
  if (!a.valid()) return poison();
  const int rank = t_.rank_of(a);
  std::vector<bool> turned(static_cast<size_t>(rank), false);
  if (fn == ArrayFn::kFlip) {
    const auto named = folded(1, rank);
    if (!named) return poison();
    turned = *named;
  } else {
    const size_t which = fn == ArrayFn::kFlipUd ? 0 : 1;
    if (which >= turned.size()) return bad(t_.span_of(a), "an array with rows and columns", "");
    turned[which] = true;
  }
  for (uint32_t k = 0; k < turned.size(); ++k) {
    if (turned[k]) a = slice(a, k, {}, {}, integer(-1));
  }
  return a;
}

/// The last elements before the first ones. Several shifts and axes belong together one by one.
ExprId ArrayTyper::roll(ArrayFn) {
  if (!bind({"a", "shift", "axis"}, 2)) return poison();
  const ExprId a = array(0);
  if (!a.valid()) return poison();
  const int rank = t_.rank_of(a);
  std::vector<uint32_t> along;
  if (!given(2)) along = {0};
  for (const SynExprId item : given(2) ? items(args_[2]) : std::vector<SynExprId>()) {
    const auto named = axis(item, rank);
    if (!named) return poison();
    along.push_back(*named);
  }
  const Let whole(*this, a);
  std::vector<Let> shifts;
  for (const SynExprId item : items(args_[1])) {
    const ExprId shift = extent_value(t_.type_expr(item));
    if (!shift.valid()) return poison();
    shifts.emplace_back(*this, shift);
  }
  const size_t count = std::max(shifts.size(), along.size());
  if (shifts.empty() || along.empty() || (shifts.size() != count && shifts.size() != 1) ||
      (along.size() != count && along.size() != 1)) {
    return bad(span_, "as many shifts as axes, or one of either", "");
  }
  const bool flat = !given(2) && rank > 1;
  ExprId out = flat ? flattened(whole.value()) : whole.value();
  for (size_t k = 0; k < count; ++k) {
    out = roll_along(out, shifts[shifts.size() == 1 ? 0 : k].value(), along[along.size() == 1 ? 0 : k]);
  }
  if (flat) out = reshape(out, extents(whole.value()));
  for (const Let& shift : shifts) out = shift.close(out);
  return whole.close(out);
}

/// shift % n elements come from the end; n - that many go before them.
ExprId ArrayTyper::roll_along(ExprId array, ExprId shift, uint32_t axis) {
  const Let line(*this, array);
  const Let n(*this, extent_value(extent(line.value(), axis)));
  const Let split(*this, binary(Op::kSub, n.value(), binary(Op::kMod, shift, n.value())));
  const ExprId tail = slice(line.value(), axis, split.value(), {}), head = slice(line.value(), axis, {}, split.value());
  return line.close(n.close(split.close(join({tail, head}, axis))));
}

ExprId ArrayTyper::squeeze_axes(ArrayFn) {
  if (!bind({"a", "axis"}, 1)) return poison();
  ExprId a = array(0);
  if (!a.valid()) return poison();
  if (!given(1)) {
    return bad(span_, "the axes to squeeze", "the rank of the result must be known when the function is compiled");
  }
  auto named = axes(args_[1], t_.rank_of(a));
  if (!named) return poison();
  std::sort(named->rbegin(), named->rend());
  for (const uint32_t axis : *named) a = squeeze(a, axis);
  return a;
}

ExprId ArrayTyper::expand_dims(ArrayFn) {
  if (!bind({"a", "axis"}, 2)) return poison();
  ExprId a = array(0);
  if (!a.valid()) return poison();
  const syntax::Expr node = t_.ctx_.ast.exprs[args_[1]];
  const auto* tuple = std::get_if<syntax::TupleExpr>(&node.kind);
  const int added = tuple != nullptr ? static_cast<int>(tuple->elements.size()) : 1;
  auto named = axes(args_[1], t_.rank_of(a) + added);
  if (!named) return poison();
  std::sort(named->begin(), named->end());
  for (const uint32_t axis : *named) a = new_axis(a, axis);
  return a;
}

ExprId ArrayTyper::broadcast_to(ArrayFn) {
  if (!bind({"array", "shape"}, 2)) return poison();
  const ExprId a = value(0);
  auto extents = a.valid() ? shape(args_[1]) : std::nullopt;
  if (!extents) return poison();
  if (static_cast<size_t>(t_.rank_of(a)) > extents->size()) {
    return bad(span_of(args_[1]), fmt::format("a shape of at least {} axes", t_.rank_of(a)), "");
  }
  return broadcast(a, std::move(*extents));
}

/// Each array plus nothing of the others: what broadcasts them is the sum of their zeros, which is never computed.
ExprId ArrayTyper::broadcast_arrays(ArrayFn) {
  std::vector<Let> lets;
  std::vector<ExprId> values;
  for (const SynExprId id : call_->args) {
    const ExprId v = value_of(id);
    if (!v.valid() || t_.unknown(v)) return poison();
    lets.emplace_back(*this, v);
    values.push_back(v);
  }
  if (lets.empty() || !call_->keywords.empty()) return bad(span_, "arrays", "");
  std::vector<ExprId> items;
  std::vector<TypeId> types;
  for (size_t k = 0; k < lets.size(); ++k) {
    std::vector<ExprId> args{lets[k].value()};
    for (size_t other = 0; other < lets.size(); ++other) {
      if (other != k) args.push_back(lets[other].value());
    }
    items.push_back(t_.map_elements(args, span_, [&](const std::vector<ExprId>& e) { return e[0]; }));
    types.push_back(t_.type_of(items.back()));
  }
  ExprId out = t_.add(span_, t_.ctx_.types.tuple(std::move(types)), TupleExpr{std::move(items)});
  for (size_t k = lets.size(); k-- > 0;) out = lets[k].close(out);
  return out;
}

/// reshape(a, shape), a.reshape(2, -1).
ExprId ArrayTyper::reshape_array(ArrayFn) {
  std::vector<ExprId> extents;
  ExprId a;
  if (call_->args.size() > 2) {
    a = value_of(call_->args[0]);
    for (size_t k = 1; a.valid() && k < call_->args.size(); ++k) {
      extents.push_back(extent_value(t_.type_expr(call_->args[k])));
      if (!extents.back().valid()) return poison();
    }
    if (!call_->keywords.empty()) return bad(call_->keywords[0].name_span, "no keywords beside extents", "");
  } else {
    if (!bind({"a", "shape"}, 2)) return poison();
    a = value(0);
    const auto given_shape = a.valid() ? shape(args_[1]) : std::nullopt;
    if (!given_shape) return poison();
    extents = *given_shape;
  }
  if (!a.valid()) return poison();
  if (t_.array_of(a) == nullptr) return bad(t_.span_of(a), "an array", "");
  if (extents.empty()) return bad(span_, "at least one extent", "an element is a[i, j]");
  return reshape(a, std::move(extents));
}

ExprId ArrayTyper::ravel(ArrayFn) {
  if (!bind({"a"}, 1)) return poison();
  const ExprId a = array(0);
  return a.valid() ? flattened(a) : poison();
}

/// Arrays one behind the other: an array without a value, and a store of each part.
ExprId ArrayTyper::join(std::vector<ExprId> parts, uint32_t axis) {
  DType type = t_.element_dtype(parts[0]);
  const int rank = t_.rank_of(parts[0]);
  for (const ExprId part : parts) {
    if (t_.unknown(part)) return poison();
    type = types::promote(type, t_.element_dtype(part));
    if (t_.rank_of(part) != rank) {
      return bad(t_.span_of(part), fmt::format("arrays of one rank, not {} and {}", rank, t_.rank_of(part)), "");
    }
  }
  for (ExprId& part : parts) part = cast(part, type);
  return t_.add(span_, t_.array_type(type, rank), JoinExpr{std::move(parts), axis});
}

ExprId ArrayTyper::concat(ArrayFn) {
  if (!bind({"arrays", "axis"}, 1)) return poison();
  auto parts = arrays(args_[0]);
  if (!parts) return poison();
  if (given(1) || !(args_[1].valid())) {
    const int rank = t_.rank_of((*parts)[0]);
    if (rank == 0) return bad(span_of(args_[0]), "arrays with at least one axis", "stack() makes an axis");
    const auto along = given(1) ? axis(args_[1], rank) : std::optional<uint32_t>(0);
    return along ? join(std::move(*parts), *along) : poison();
  }
  for (ExprId& part : *parts) part = flattened(part);
  return join(std::move(*parts), 0);
}

ExprId ArrayTyper::stack(ArrayFn) {
  if (!bind({"arrays", "axis"}, 1)) return poison();
  auto parts = arrays(args_[0]);
  if (!parts) return poison();
  const auto along = given(1) ? axis(args_[1], t_.rank_of((*parts)[0]) + 1) : std::optional<uint32_t>(0);
  if (!along) return poison();
  for (ExprId& part : *parts) {
    part = t_.rank_of(part) == 0 ? fill(part, t_.element_dtype(part), {integer(1)}) : new_axis(part, *along);
  }
  return join(std::move(*parts), *along);
}

/// Each element, or each slice along an axis, n times.
ExprId ArrayTyper::repeat(ArrayFn) {
  if (!bind({"a", "repeats", "axis"}, 2)) return poison();
  ExprId a = array(0);
  const ExprId count = a.valid() ? extent_value(t_.type_expr(args_[1])) : ExprId();
  if (!count.valid()) return poison();
  if (!given(2)) a = flattened(a);
  const auto along = given(2) ? axis(args_[2], t_.rank_of(a)) : std::optional<uint32_t>(0);
  if (!along) return poison();
  const Let whole(*this, a), n(*this, count);
  std::vector<ExprId> wide = extents(whole.value()), flat = extents(whole.value());
  flat[*along] = binary(Op::kMul, flat[*along], n.value());
  wide.insert(wide.begin() + *along + 1, n.value());
  const ExprId copies = broadcast(new_axis(whole.value(), *along + 1), std::move(wide));
  return whole.close(n.close(reshape(own_copy(copies), std::move(flat))));
}

/// In memory of its own.
ExprId ArrayTyper::own_copy(ExprId array) {
  if (t_.unknown(array)) return array;
  return t_.add(span_, t_.array_type(t_.element_dtype(array), t_.rank_of(array)), CopyExpr{array});
}

/// The whole array, so many times along each axis.
ExprId ArrayTyper::tile(ArrayFn) {
  if (!bind({"A", "reps"}, 2)) return poison();
  ExprId a = array(0);
  auto reps = a.valid() ? shape(args_[1]) : std::nullopt;
  if (!reps) return poison();
  while (static_cast<size_t>(t_.rank_of(a)) < reps->size()) a = new_axis(a, 0);
  while (reps->size() < static_cast<size_t>(t_.rank_of(a))) reps->insert(reps->begin(), integer(1));
  const Let whole(*this, a);
  ExprId view = whole.value();
  std::vector<ExprId> wide, flat;
  for (uint32_t k = 0; k < reps->size(); ++k) {
    const ExprId extent_k = extent_value(extent(whole.value(), k));
    view = new_axis(view, 2 * k);
    wide.push_back((*reps)[k]);
    wide.push_back(extent_k);
    flat.push_back(binary(Op::kMul, again((*reps)[k]), again(extent_k)));
  }
  return whole.close(reshape(own_copy(broadcast(view, std::move(wide))), std::move(flat)));
}

/// The elements whose two indices are equal, along a new last axis.
ExprId ArrayTyper::diagonal(ArrayFn) {
  if (!bind({"a", "offset", "axis1", "axis2"}, 1)) return poison();
  const ExprId a = array(0);
  const auto offset = a.valid() ? constant_int(1, 0) : std::nullopt;
  if (!offset) return poison();
  const int rank = t_.rank_of(a);
  if (rank < 2) return bad(t_.span_of(a), "an array with rows and columns", "");
  const auto first = given(2) ? axis(args_[2], rank) : std::optional<uint32_t>(0);
  const auto second = given(3) ? axis(args_[3], rank) : std::optional<uint32_t>(1);
  if (!first || !second) return poison();
  if (*first == *second) return bad(span_, "two axes", "");
  ExprId view = a;
  const ExprId skip = integer(*offset < 0 ? -*offset : *offset);
  if (*offset != 0) view = slice(view, *offset < 0 ? *first : *second, skip, {});
  std::vector<uint32_t> order;
  for (const uint32_t k : in_order(rank)) {
    if (k != *first && k != *second) order.push_back(k);
  }
  order.push_back(*first);
  order.push_back(*second);
  view = permute(view, std::move(order));
  return t_.add(span_, t_.array_type(t_.element_dtype(a), rank - 1), DiagonalExpr{view});
}

/// a[1:] - a[:-1] along an axis, n times.
ExprId ArrayTyper::diff(ArrayFn) {
  if (!bind({"a", "n", "axis"}, 1)) return poison();
  ExprId a = array(0);
  const auto times = a.valid() ? constant_int(1, 1) : std::nullopt;
  if (!times) return poison();
  if (*times < 0 || *times > 16) return bad(span_, "an order from 0 to 16", "");
  const int rank = t_.rank_of(a);
  const auto along = given(2) ? axis(args_[2], rank) : std::optional<uint32_t>(static_cast<uint32_t>(rank) - 1);
  if (!along) return poison();
  for (Int128 k = 0; k < *times; ++k) {
    const Let whole(*this, a);
    const ExprId next = slice(whole.value(), *along, integer(1), {});
    const ExprId before = slice(whole.value(), *along, {}, integer(-1));
    const bool bools = t_.element_dtype(a) == DType::b1;
    a = whole.close(bools ? compare(syntax::CompareOp::kNe, next, before) : binary(Op::kSub, next, before));
  }
  return a;
}

}  // namespace jitc::sema
