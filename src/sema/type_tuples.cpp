// Tuples: their items, parts of them, and tuples of both items of two.
#include <algorithm>

#include "src/sema/function_typer.hpp"
#include "src/sema/operands.hpp"

namespace jitc::sema {

using source::DiagId;
using Op = syntax::BinaryOp;

ExprId FunctionTyper::tuple_element(ExprId tuple, uint32_t index, Span span) {
  if (const auto* t = std::get_if<TupleExpr>(&fn_->exprs[tuple].kind)) return t->elements[index];
  const TypeId type = ctx_.types.as_tuple(type_of(tuple))->elements[index];
  return add(span, type, TupleItemExpr{tuple, index});
}

ExprId FunctionTyper::tuple_item(ExprId tuple, SynExprId index, Span span) {
  const ExprId i = type_expr(index);
  if (unknown(i)) return poison(span);
  const Int128 count = static_cast<Int128>(ctx_.types.as_tuple(type_of(tuple))->elements.size());
  const auto c = constant_of(i);
  if (!c || c->is_float()) {
    report(DiagId::kTupleIndex, span_of(i)).help("index a tuple with an int constant, or loop over it");
    return poison(span);
  }
  const Int128 at = c->as_int() < 0 ? c->as_int() + count : c->as_int();
  if (at < 0 || at >= count) {
    report(DiagId::kTupleIndexRange, span_of(i), to_string(*c), to_string(Constant::of_int(count)));
    return poison(span);
  }
  const auto position = static_cast<uint32_t>(at);
  if (!has_effect(*fn_, tuple)) return tuple_element(tuple, position, span);
  // The other items are evaluated too.
  const TypeId type = at_run_time(ctx_.types.as_tuple(type_of(tuple))->elements[position]);
  return add(span, type, TupleItemExpr{tuple, position});
}

/// The items that Python takes: bounds beyond the ends stand for the ends.
ExprId FunctionTyper::tuple_slice(ExprId tuple, const syntax::SliceExpr& slice, Span span) {
  const auto count = static_cast<Int128>(ctx_.types.as_tuple(type_of(tuple))->elements.size());
  std::optional<Int128> parts[3];
  const SynExprId given[] = {slice.lower, slice.upper, slice.step};
  for (size_t k = 0; k < 3; ++k) {
    if (!given[k].valid()) continue;
    const ExprId value = type_expr(given[k]);
    if (unknown(value)) return poison(span);
    const auto c = constant_of(value);
    if (!c || c->is_float() || (k == 2 && c->as_int() == 0)) {
      report(DiagId::kTupleIndex, span_of(value))
          .help("bounds and step of a tuple's slice are int constants, the step not 0");
      return poison(span);
    }
    parts[k] = c->as_int();
  }
  const Int128 step = parts[2].value_or(1), first = step > 0 ? 0 : -1, last = step > 0 ? count : count - 1;
  const auto bound = [&](std::optional<Int128> at, Int128 otherwise) {
    return at ? std::clamp(*at < 0 ? *at + count : *at, first, last) : otherwise;
  };
  const Int128 begin = bound(parts[0], step > 0 ? first : last), end = bound(parts[1], step > 0 ? last : first);
  const Shared shared = share(tuple);
  std::vector<ExprId> items;
  std::vector<TypeId> types;
  for (Int128 at = begin; step > 0 ? at < end : at > end; at += step) {
    items.push_back(tuple_element(copy(shared.value), static_cast<uint32_t>(at), span));
    types.push_back(type_of(items.back()));
  }
  return wrap(shared, add(span, ctx_.types.tuple(std::move(types)), TupleExpr{std::move(items)}));
}

/// a + b, tuple * 3, 3 * tuple, as Python has them. Nothing for any other operation.
std::optional<ExprId> FunctionTyper::tuple_binary(Op op, ExprId lhs, ExprId rhs, Span span) {
  constexpr size_t kMostItems = 256;
  const auto items_of = [&](ExprId id) {
    const auto* tuple = ctx_.types.as_tuple(type_of(id));
    return tuple != nullptr ? tuple->elements.size() : 0;
  };
  const bool left = ctx_.types.as_tuple(type_of(lhs)) != nullptr, right = ctx_.types.as_tuple(type_of(rhs)) != nullptr;
  size_t times = 1;
  if (op == Op::kMul && left != right) {
    const auto c = constant_of(left ? rhs : lhs);
    if (!c || !c->is_int() || c->as_int() * static_cast<Int128>(items_of(left ? lhs : rhs)) > kMostItems) return {};
    times = static_cast<size_t>(std::max<Int128>(c->as_int(), 0));
  } else if (op != Op::kAdd || !left || !right) {
    return {};
  }
  const Shared a = share(lhs), b = share(rhs);
  std::vector<ExprId> items;
  std::vector<TypeId> types;
  for (size_t time = 0; time < times; ++time) {
    for (const ExprId side : {a.value, b.value}) {
      for (uint32_t k = 0; k < items_of(side); ++k) {
        items.push_back(tuple_element(copy(side), k, span));
        types.push_back(type_of(items.back()));
      }
    }
  }
  return wrap(a, wrap(b, add(span, ctx_.types.tuple(std::move(types)), TupleExpr{std::move(items)})));
}

}  // namespace jitc::sema
