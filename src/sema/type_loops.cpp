// for loops: over ranges, arrays, tuples, zip and enumerate.
#include <fmt/format.h>

#include "src/base/match.hpp"
#include "src/sema/function_typer.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

namespace {
constexpr size_t kMaxUnrolled = 64;
}

/// The body with `target` bound to `value` first, and the else block.
void FunctionTyper::loop_body(const syntax::ForStmt& s, SynExprId target, ExprId value, Block& body, Block& orelse) {
  (void)orelse;
  Block* outer = std::exchange(block_, &body);
  assign(target, value, span_of(value));
  block_ = outer;
  type_block(s.body, body);
}

bool FunctionTyper::type_for(const syntax::ForStmt& s, Span span) {
  loop_has_break_.push_back(false);
  const size_t before = block_->size();
  const syntax::Expr iterable = ctx_.ast.exprs[s.iterable];
  const auto* call = std::get_if<syntax::CallExpr>(&iterable.kind);
  const auto callee = call ? entity(call->callee) : std::nullopt;
  const auto* builtin = callee ? std::get_if<BuiltinEntity>(&*callee) : nullptr;
  if (builtin && builtin->builtin->rule == Rule::kIterable) {
    if (builtin->builtin->as<Iterable>() == Iterable::kRange) {
      type_for_range(s, *call, span);
    } else {
      type_for_indexed(s, span);
    }
  } else {
    const ExprId value = type_expr(s.iterable);
    if (!unknown(value) && ctx_.types.as_tuple(type_of(value))) {
      type_for_tuple(s, value, span);
    } else {
      type_for_indexed(s, span);
    }
  }
  const bool has_break = loop_has_break_.back();
  loop_has_break_.pop_back();
  if (block_->size() == before) return true;  // faulty: reported
  // The else block is the last part of the loop statement just emitted.
  Block orelse;
  const bool else_falls = type_block(s.orelse, orelse);
  base::match(
      fn_->stmts[block_->back()].kind, [&](ForStmt& f) { f.orelse = std::move(orelse); },
      [&](UnrolledStmt& u) { u.orelse = std::move(orelse); }, [](auto&) {});
  return else_falls || has_break;
}

FunctionTyper::RangeBounds FunctionTyper::range_bounds(const syntax::CallExpr& call, Span span) {
  RangeBounds out;
  std::vector<ExprId> args;
  bool ok = call.keywords.empty() && !call.args.empty() && call.args.size() <= 3;
  if (!ok) {
    report(DiagId::kArgumentCount, span, "range", "one to three arguments", call.args.size() + call.keywords.size());
    return out;
  }
  for (SynExprId id : call.args) {
    const ExprId value = type_expr(id);
    const auto s = require_scalar(value, "range()");
    if (s && types::is_inexact(s->dtype)) {
      report(DiagId::kRangeFloat, span_of(value), type_text(value))
          .help(is_complex(s->dtype) ? "take its real part: int(z.real)" : "convert it: int(…) truncates");
      ok = false;
    }
    ok = ok && s;
    args.push_back(ok ? to_dtype(value, DType::i8) : value);
  }
  if (!ok) return out;
  const auto number = [&](Int128 v) { return constant(span, {DType::i8, Strength::kTyped}, Constant::of_int(v)); };
  out.begin = args.size() == 1 ? number(0) : args[0];
  out.end = args.size() == 1 ? args[0] : args[1];
  out.step = args.size() == 3 ? args[2] : number(1);
  if (const auto c = constant_of(out.step); c && c->as_int() == 0) {
    report(DiagId::kZeroStep, span_of(out.step), "range()");
    return out;
  }
  out.ok = true;
  return out;
}

void FunctionTyper::type_for_range(const syntax::ForStmt& s, const syntax::CallExpr& call, Span span) {
  const RangeBounds bounds = range_bounds(call, ctx_.ast.exprs[s.iterable].span);
  if (!bounds.ok) {
    failed_ = true;
    return;
  }
  const TypeId weak = ctx_.types.scalar(DType::i8, Strength::kWeakRuntime);
  const Span target_span = ctx_.ast.exprs[s.target].span;
  const VarId counter = temporary(weak, target_span);
  ForStmt out{counter, bounds.begin, bounds.end, bounds.step, {}, {}};
  loop_body(s, s.target, add(target_span, weak, VarExpr{counter}), out.body, out.orelse);
  emit(span, std::move(out));
}

void FunctionTyper::type_for_tuple(const syntax::ForStmt& s, ExprId tuple, Span span) {
  const size_t count = ctx_.types.as_tuple(type_of(tuple))->elements.size();
  if (count > kMaxUnrolled) {
    report(DiagId::kTooManyUnrolled, span_of(tuple), count, kMaxUnrolled)
        .help("loop over a range and index an array instead");
    return;
  }
  // The body may change what the elements are made of.
  const std::vector<ExprId> elements = fix_elements(tuple);
  UnrolledStmt out;
  // Every value is assigned before the body is typed, so that the target's live range holds them all.
  for (ExprId element : elements) {
    Block binding;
    Block* outer = std::exchange(block_, &binding);
    assign(s.target, element, span_of(tuple));
    block_ = outer;
    out.bindings.push_back(std::move(binding));
  }
  type_block(s.body, out.body);
  emit(span, std::move(out));
}

void FunctionTyper::type_for_indexed(const syntax::ForStmt& s, Span span) {
  const Iteration it = iterate(s.iterable);
  if (!it.ok) {
    failed_ = true;
    return;
  }
  const TypeId weak = ctx_.types.scalar(DType::i8, Strength::kWeakRuntime);
  const Span target_span = ctx_.ast.exprs[s.target].span;
  const VarId counter = temporary(weak, target_span);
  const auto number = [&](Int128 v) { return constant(span, {DType::i8, Strength::kTyped}, Constant::of_int(v)); };
  ForStmt out{counter, number(0), it.count, number(1), {}, {}};
  loop_body(s, s.target, it.element(add(target_span, weak, VarExpr{counter})), out.body, out.orelse);
  emit(span, std::move(out));
}

// --- iterables -------------------------------------------------------------------------------------------------------

FunctionTyper::Iteration FunctionTyper::iterate(SynExprId iterable) {
  const syntax::Expr node = ctx_.ast.exprs[iterable];
  const auto* call = std::get_if<syntax::CallExpr>(&node.kind);
  const auto callee = call ? entity(call->callee) : std::nullopt;
  const auto* builtin = callee ? std::get_if<BuiltinEntity>(&*callee) : nullptr;
  if (builtin && builtin->builtin->rule == Rule::kIterable) {
    switch (builtin->builtin->as<Iterable>()) {
      case Iterable::kRange: return iterate_range(*call, node.span);
      case Iterable::kZip: return iterate_zip(*call, node.span);
      case Iterable::kEnumerate: return iterate_enumerate(*call, node.span);
    }
  }
  const ExprId value = type_expr(iterable);
  if (unknown(value)) return {};
  if (array_of(value)) return iterate_array(value, node.span);
  report(DiagId::kNotIterable, node.span, type_text(value))
      .help("loop over range(…), an array, a tuple, zip(…) or enumerate(…)");
  return {};
}

FunctionTyper::Iteration FunctionTyper::iterate_array(ExprId array, Span span) {
  const Shared shared = share(array);
  if (shared.var.valid()) emit(span, AssignStmt{shared.var, shared.init});
  Iteration out;
  out.ok = true;
  out.count = to_dtype(extent(copy(shared.value), 0, span), DType::i8);
  const int rank = array_of(array)->rank;
  out.element = [this, shared, rank, span](ExprId index) {
    IndexList list;
    list.axes.push_back({false, to_dtype(index, DType::i8), ExprId(), ExprId(), ExprId()});
    for (int i = 1; i < rank; ++i) list.axes.push_back({true, ExprId(), ExprId(), ExprId(), ExprId()});
    list.all_indices = rank == 1;
    return select(copy(shared.value), list, span);
  };
  return out;
}

/// range(begin, end, step) inside zip or enumerate: count = max(0, ceil((end - begin) / step)).
FunctionTyper::Iteration FunctionTyper::iterate_range(const syntax::CallExpr& call, Span span) {
  const RangeBounds bounds = range_bounds(call, span);
  if (!bounds.ok) return {};
  const auto step_constant = constant_of(bounds.step);
  if (!step_constant) {
    unsupported(span, "a range with a run-time step inside zip or enumerate", "loop over range(…) and index by hand");
    return {};
  }
  const bool up = step_constant->as_int() > 0;
  const TypeId i8 = ctx_.types.scalar(DType::i8);
  const auto number = [&](Int128 v) { return constant(span, {DType::i8, Strength::kTyped}, Constant::of_int(v)); };
  const Shared begin = share(bounds.begin);
  if (begin.var.valid()) emit(span, AssignStmt{begin.var, begin.init});
  // (distance + |step| - 1) // |step|, floored at 0; the floor division rounds the way this needs.
  const ExprId distance = up ? binary(BinaryOp::kSub, bounds.end, copy(begin.value), span)
                             : binary(BinaryOp::kSub, copy(begin.value), bounds.end, span);
  const Int128 magnitude = up ? step_constant->as_int() : -step_constant->as_int();
  const ExprId rounded = binary(BinaryOp::kFloorDiv, binary(BinaryOp::kAdd, distance, number(magnitude - 1), span),
                                number(magnitude), span);
  Iteration out;
  out.ok = true;
  out.count = add(span, i8, BinaryExpr{BinaryOp::kMax, rounded, number(0)});
  const Int128 step = step_constant->as_int();
  out.element = [this, begin, step, span](ExprId index) {
    const ExprId scaled = binary(BinaryOp::kMul, to_dtype(index, DType::i8),
                                 constant(span, {DType::i8, Strength::kTyped}, Constant::of_int(step)), span);
    const ExprId value = binary(BinaryOp::kAdd, copy(begin.value), scaled, span);
    fn_->exprs[value].type = ctx_.types.scalar(DType::i8, Strength::kWeakRuntime);
    return value;
  };
  return out;
}

FunctionTyper::Iteration FunctionTyper::iterate_zip(const syntax::CallExpr& call, Span span) {
  if (call.args.empty() || !call.keywords.empty()) {
    report(DiagId::kArgumentCount, span, "zip", "one or more arguments", call.args.size());
    return {};
  }
  std::vector<Iteration> parts;
  Iteration out;
  for (SynExprId id : call.args) {
    parts.push_back(iterate(id));
    if (!parts.back().ok) return {};
    out.count = parts.size() == 1 ? parts.back().count : binary(BinaryOp::kMin, out.count, parts.back().count, span);
  }
  out.ok = true;
  out.element = [this, parts, span](ExprId index) {
    std::vector<ExprId> values;
    std::vector<TypeId> types;
    for (const Iteration& part : parts) {
      values.push_back(part.element(copy(index)));
      types.push_back(type_of(values.back()));
    }
    return add(span, ctx_.types.tuple(std::move(types)), TupleExpr{std::move(values)});
  };
  return out;
}

FunctionTyper::Iteration FunctionTyper::iterate_enumerate(const syntax::CallExpr& call, Span span) {
  const bool keyword = call.keywords.size() == 1 && call.keywords[0].name == "start";
  if (call.args.empty() || call.args.size() + call.keywords.size() > 2 || (!call.keywords.empty() && !keyword)) {
    report(DiagId::kArgumentCount, span, "enumerate", "an iterable and an optional start",
           call.args.size() + call.keywords.size());
    return {};
  }
  const Iteration inner = iterate(call.args[0]);
  if (!inner.ok) return {};
  ExprId start;
  if (keyword || call.args.size() == 2) {
    const ExprId value = type_expr(keyword ? call.keywords[0].value : call.args[1]);
    const auto s = require_scalar(value, "enumerate()");
    if (!s) return {};
    const Shared shared = share(to_dtype(value, DType::i8));
    if (shared.var.valid()) emit(span, AssignStmt{shared.var, shared.init});
    start = shared.value;
  }
  Iteration out = inner;
  out.element = [this, inner, start, span](ExprId index) {
    const TypeId weak = ctx_.types.scalar(DType::i8, Strength::kWeakRuntime);
    ExprId number = copy(index);
    if (start.valid()) {
      number = binary(BinaryOp::kAdd, to_dtype(number, DType::i8), copy(start), span);
      fn_->exprs[number].type = weak;
    }
    const ExprId value = inner.element(copy(index));
    return add(span, ctx_.types.tuple({weak, type_of(value)}), TupleExpr{{number, value}});
  };
  return out;
}

}  // namespace jitc::sema
