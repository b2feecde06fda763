// Statements.
#include <fmt/format.h>

#include "src/base/match.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/operands.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

bool FunctionTyper::type_block(const syntax::Block& block, Block& out) {
  Block* outer = std::exchange(block_, &out);
  bool falls_through = true;
  for (syntax::StmtId id : block) {
    if (!(falls_through = type_stmt(id))) break;  // the rest cannot be reached
    if (ctx_.sink.full()) break;
  }
  block_ = outer;
  return falls_through;
}

/// False when control cannot go on to the next statement.
bool FunctionTyper::type_stmt(syntax::StmtId id) {
  const syntax::Stmt node = ctx_.ast.stmts[id];
  const Span span = node.span;
  return base::match(
      node.kind, [&](const syntax::ExprStmt& s) { return type_expr_stmt(s, span), true; },
      [&](const syntax::AssignStmt& s) { return type_assign(s, span), true; },
      [&](const syntax::AnnAssignStmt& s) {
        if (s.value.valid()) assign(s.target, type_expr(s.value), span);
        return true;
      },
      [&](const syntax::AugAssignStmt& s) { return type_aug_assign(s, span), true; },
      [&](const syntax::IfStmt& s) { return type_if(s, span); },
      [&](const syntax::WhileStmt& s) { return type_while(s, span); },
      [&](const syntax::ForStmt& s) { return type_for(s, span); },
      [&](const syntax::BreakStmt&) {
        if (loop_has_break_.empty()) {
          report(DiagId::kOutsideLoop, span, "break");
          return true;
        }
        loop_has_break_.back() = true;
        emit(span, BreakStmt{});
        return false;
      },
      [&](const syntax::ContinueStmt&) {
        if (loop_has_break_.empty()) {
          report(DiagId::kOutsideLoop, span, "continue");
          return true;
        }
        emit(span, ContinueStmt{});
        return false;
      },
      [&](const syntax::PassStmt&) { return true; }, [&](const syntax::ReturnStmt& s) { return type_return(s, span); },
      [&](const syntax::AssertStmt& s) { return type_assert(s, span), true; },
      [&](const syntax::RaiseStmt& s) { return type_raise(s, span), false; },
      [&](const syntax::DelStmt& s) {
        for (SynExprId t : s.targets) {
          const auto* n = std::get_if<syntax::NameExpr>(&ctx_.ast.exprs[t].kind);
          if (n == nullptr)
            unsupported(ctx_.ast.exprs[t].span, "'del' of anything but a local name", "remove the statement");
        }
        return true;
      },
      [&](const syntax::FunctionDef& f) {
        unsupported(f.name_span, "a function inside a function", "define it at the top of the file");
        return true;
      },
      [&](const syntax::ImportStmt&) {
        return unsupported(span, "an import inside a function", "import at the top of the file"), true;
      },
      [&](const syntax::ImportFromStmt&) {
        return unsupported(span, "an import inside a function", "import at the top of the file"), true;
      });
}

void FunctionTyper::type_expr_stmt(const syntax::ExprStmt& s, Span span) {
  const syntax::Expr& node = ctx_.ast.exprs[s.value];
  const bool plain =
      std::holds_alternative<syntax::StringLit>(node.kind) || std::holds_alternative<syntax::EllipsisExpr>(node.kind);
  if (plain) return;  // docstrings and `...`
  const ExprId value = type_expr(s.value);
  if (!unknown(value) && has_effect(*fn_, value)) emit(span, ExprStmt{value});
}

// --- assignment ------------------------------------------------------------------------------------------------------

void FunctionTyper::type_assign(const syntax::AssignStmt& s, Span span) {
  ExprId value = type_expr(s.value);
  if (s.targets.size() == 1) return assign(s.targets[0], value, span);
  // a = b = value: evaluated once, assigned from left to right.
  const Shared shared = share(value);
  if (shared.var.valid()) emit(span, AssignStmt{shared.var, shared.init});
  for (SynExprId t : s.targets) assign(t, copy(shared.value), span);
}

void FunctionTyper::assign(SynExprId target, ExprId value, Span span) {
  const syntax::Expr node = ctx_.ast.exprs[target];
  base::match(
      node.kind, [&](const syntax::NameExpr&) { define(ranges_.of_def(target), value); },
      [&](const syntax::TupleExpr& t) { assign_tuple(t.elements, value, node.span); },
      [&](const syntax::ListExpr& t) { assign_tuple(t.elements, value, node.span); },
      [&](const syntax::SubscriptExpr& s) { assign_element(s, node.span, value, span); },
      [&](const auto&) {
        if (const auto view = part_target(target)) return store_view(*view, value, span);
        report_bad_target(node.span);
      });
}

void FunctionTyper::report_bad_target(Span span) {
  report(DiagId::kBadTarget, span).help("assign to a name, an element a[i], or a tuple of these");
}

void FunctionTyper::assign_tuple(const std::vector<SynExprId>& targets, ExprId value, Span target_span) {
  if (unknown(value)) {
    for (SynExprId t : targets) assign(t, poison(span_of(value)), target_span);
    return;
  }
  const auto* tuple = ctx_.types.as_tuple(type_of(value));
  if (tuple == nullptr) {
    report(DiagId::kCannotUnpack, span_of(value), type_text(value))
        .label(target_span, fmt::format("{} targets", targets.size()));
    return;
  }
  if (tuple->elements.size() != targets.size()) {
    report(DiagId::kUnpackCount, span_of(value), tuple->elements.size(), targets.size())
        .label(target_span, fmt::format("{} targets", targets.size()));
    return;
  }
  // All values first, then the targets: a, b = b, a.
  const std::vector<ExprId> parts = fix_elements(value);
  for (size_t i = 0; i < targets.size(); ++i) assign(targets[i], parts[i], target_span);
}

/// The elements of a tuple, each evaluated now: constants, and temporaries for the others.
std::vector<ExprId> FunctionTyper::fix_elements(ExprId tuple) {
  const size_t count = ctx_.types.as_tuple(type_of(tuple))->elements.size();
  const Span span = span_of(tuple);
  const Shared shared =
      std::holds_alternative<TupleExpr>(fn_->exprs[tuple].kind) ? Shared{tuple, VarId(), ExprId()} : share(tuple);
  if (shared.var.valid()) emit(span, AssignStmt{shared.var, shared.init});
  std::vector<ExprId> out;
  for (uint32_t i = 0; i < count; ++i) {
    const ExprId element = tuple_element(i == 0 ? shared.value : copy(shared.value), i, span);
    if (constant_of(element)) {
      out.push_back(element);
      continue;
    }
    const VarId var = temporary(type_of(element), span_of(element));
    emit(span_of(element), AssignStmt{var, element});
    out.push_back(add(span_of(element), type_of(element), VarExpr{var}));
  }
  return out;
}

void FunctionTyper::type_aug_assign(const syntax::AugAssignStmt& s, Span span) {
  const syntax::Expr node = ctx_.ast.exprs[s.target];
  if (const auto* sub = std::get_if<syntax::SubscriptExpr>(&node.kind)) return type_aug_element(s, *sub, span);
  if (const auto view = part_target(s.target)) {
    const ExprId value = type_expr(s.value);
    if (unknown(*view) || unknown(value)) return;
    return store_augmented(*view, type_binary(s.op, copy(*view), value, span, s.op_span), span);
  }
  if (!std::holds_alternative<syntax::NameExpr>(node.kind)) return report_bad_target(node.span);
  const ExprId old = type_expr(s.target);
  const ExprId value = type_expr(s.value);
  if (unknown(old) && !final_) return;
  if (has_arrays() && array_of(old) != nullptr) {  // in place, as NumPy does it
    store_augmented(old, type_binary(s.op, copy(old), value, span, s.op_span), span);
    return define(ranges_.of_def(s.target), copy(old));
  }
  define(ranges_.of_def(s.target), type_binary(s.op, old, value, span, s.op_span));
}

// --- branches --------------------------------------------------------------------------------------------------------

bool FunctionTyper::type_if(const syntax::IfStmt& s, Span span) {
  const ExprId cond = to_bool(type_expr(s.cond));
  if (const auto c = constant_of(cond); c && !unknown(cond)) {
    // Known now: the other branch is not even typed (if DEBUG: …).
    Block taken;
    const bool falls_through = type_block(c->truthy() ? s.body : s.orelse, taken);
    block_->insert(block_->end(), taken.begin(), taken.end());
    return falls_through;
  }
  IfStmt out{cond, {}, {}};
  const bool a = type_block(s.body, out.body);
  const bool b = type_block(s.orelse, out.orelse);
  emit(span, std::move(out));
  return a || b;
}

bool FunctionTyper::type_while(const syntax::WhileStmt& s, Span span) {
  const ExprId cond = to_bool(type_expr(s.cond));
  const auto c = constant_of(cond);
  WhileStmt out{cond, {}, {}};
  loop_has_break_.push_back(false);
  type_block(s.body, out.body);
  const bool has_break = loop_has_break_.back();
  loop_has_break_.pop_back();
  const bool else_falls = type_block(s.orelse, out.orelse);
  emit(span, std::move(out));
  const bool endless = c && c->truthy();
  return has_break || (!endless && else_falls);
}

// --- leaving ---------------------------------------------------------------------------------------------------------

bool FunctionTyper::type_return(const syntax::ReturnStmt& s, Span span) {
  const bool has_value = s.value.valid() && !std::holds_alternative<syntax::NoneLit>(ctx_.ast.exprs[s.value].kind);
  if (!has_value) {
    if (request_.declared_return && *request_.declared_return != ctx_.types.none()) {
      report(DiagId::kMissingReturn, span, request_.def->name, ctx_.types.to_string(*request_.declared_return))
          .help("return a value of that type");
    } else if (!return_spans_.empty()) {
      report(DiagId::kMixedReturns, span)
          .label(ctx_.ast.exprs[return_spans_[0]].span, "a value is returned here")
          .help("return a value on every path, or on none");
    }
    emit(span, ReturnStmt{ExprId()});
    return false;
  }
  if (request_.is_kernel) {
    report(DiagId::kKernelReturns, ctx_.ast.exprs[s.value].span, request_.def->name)
        .help("a kernel returns nothing; store the result in an array argument");
    return false;
  }
  const ExprId value = type_expr(s.value);
  if (unknown(value)) {
    return_spans_.push_back(s.value);
    return false;
  }
  if (request_.declared_return == ctx_.types.none()) {
    report(DiagId::kKernelReturns, span_of(value), request_.def->name).help("its signature says void");
    return false;
  }
  return_spans_.push_back(s.value);
  const ValueInfo info = info_of(value);
  if (info.type == ctx_.types.none()) {
    report(DiagId::kNoValue, span_of(value)).help("call it as a statement of its own");
    return false;
  }
  if (!ctx_.types.is_unknown(return_next_.info.type) && !join_types(return_next_.info.type, info.type)) {
    report(DiagId::kReturnMismatch, span_of(value), type_text(value), ctx_.types.to_string(return_next_.info.type))
        .label(ctx_.ast.exprs[return_spans_[0]].span, "first returned here");
    return false;
  }
  return_next_.info = join_info(return_next_, info);
  const TypeId target = request_.declared_return.value_or(
      at_run_time(ctx_.types.is_unknown(return_known_.info.type) ? return_next_.info.type : return_known_.info.type));
  emit(span, ReturnStmt{convert(value, target)});
  return false;
}

void FunctionTyper::type_assert(const syntax::AssertStmt& s, Span span) {
  const ExprId cond = to_bool(type_expr(s.cond));
  std::string message(ctx_.file.text(ctx_.ast.exprs[s.cond].span).substr(0, 200));
  if (s.message.valid()) {
    if (const auto* text = std::get_if<syntax::StringLit>(&ctx_.ast.exprs[s.message].kind)) message = text->value;
  }
  if (unknown(cond)) return;
  const ExprId fails = add(span_of(cond), ctx_.types.scalar(DType::b1), UnaryExpr{UnaryOp::kNot, cond});
  emit(span, FailStmt{fails, FailKind::assertion, std::move(message)});
}

void FunctionTyper::type_raise(const syntax::RaiseStmt& s, Span span) {
  std::string message =
      s.value.valid() ? std::string(ctx_.file.text(ctx_.ast.exprs[s.value].span).substr(0, 200)) : "raise";
  emit(span, FailStmt{ExprId(), FailKind::raise, std::move(message)});
}

}  // namespace jitc::sema
