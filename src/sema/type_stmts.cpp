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

/// z.real and z.imag of a complex array, all of whose elements an array function may assign.
std::optional<ExprId> FunctionTyper::part_target(SynExprId target) {
  const syntax::Expr node = ctx_.ast.exprs[target];
  const auto* attribute = std::get_if<syntax::AttributeExpr>(&node.kind);
  if (attribute == nullptr || !has_arrays() || (attribute->name != "real" && attribute->name != "imag")) return {};
  const ExprId view = type_expr(target);
  if (unknown(view)) return view;
  if (array_of(view) == nullptr || !std::holds_alternative<PartViewExpr>(fn_->exprs[view].kind)) return {};
  return view;
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

/// Reports a store that nothing could read: np.imag(z)[0] = 1 is one to new memory.
bool FunctionTyper::is_computed_target(ExprId array, SynExprId base) {
  if (!has_arrays() || !std::holds_alternative<MapExpr>(fn_->exprs[array].kind)) return false;
  report(DiagId::kBadTarget, ctx_.ast.exprs[base].span)
      .help(
          "it is computed here, and lost behind the statement; give it a name first, or assign to what it is made of");
  return true;
}

void FunctionTyper::assign_element(const syntax::SubscriptExpr& target, Span target_span, ExprId value, Span span) {
  const ExprId array = type_expr(target.base);
  if (unknown(array)) return;
  if (array_of(array) == nullptr) {
    auto handle = report(DiagId::kNotIndexable, ctx_.ast.exprs[target.base].span, type_text(array));
    handle.help(ctx_.types.as_tuple(type_of(array)) ? "the items of a tuple cannot be assigned"
                                                    : "only elements of arrays can be assigned");
    return;
  }
  if (is_computed_target(array, target.base)) return;
  if (has_arrays()) {
    if (const auto mask = mask_index(target.index)) return store_where(array, *mask, value, span);
  }
  const IndexList list = type_index_list(array, target.index, target_span);
  if (!list.ok || unknown(value)) return;
  if (has_arrays()) return store_view(select(array, list, target_span), value, span);
  if (!list.all_indices) {
    unsupported(target_span, "assigning to a slice", "assign element by element in a loop");
    return;
  }
  if (!require_scalar(value, "an element") || !require_writable(array, target_span)) return;
  std::vector<ExprId> indices;
  for (const AxisSelection& a : list.axes) indices.push_back(a.index);
  emit(span, StoreStmt{array, std::move(indices), to_dtype(value, array_of(array)->dtype)});
}

/// All elements of a view become the value's, which broadcasts.
void FunctionTyper::store_view(ExprId view, ExprId value, Span span) {
  if (unknown(view) || unknown(value)) return;
  if (array_of(value) == nullptr && !require_scalar(value, "an element")) return;
  if (rank_of(value) > rank_of(view)) {
    report(DiagId::kStoreRank, span, type_text(value), rank_of(view))
        .help("drop axes of extent 1 with squeeze(…, axis) or an index");
    return;
  }
  const DType dtype = element_dtype(view);
  if (is_complex(element_dtype(value)) && !is_complex(dtype)) {
    report(DiagId::kCannotConvert, span_of(value), type_text(value), type_text(view)).help("take .real or abs() of it");
    return;
  }
  const ExprId typed = array_of(value) != nullptr ? map_cast(value, dtype, span) : to_dtype(value, dtype);
  emit(span, StoreViewStmt{view, typed});
}

/// The one array of bools that stands as an index.
std::optional<ExprId> FunctionTyper::mask_index(SynExprId index) {
  const auto& kind = ctx_.ast.exprs[index].kind;
  if (std::holds_alternative<syntax::TupleExpr>(kind) || std::holds_alternative<syntax::SliceExpr>(kind) ||
      std::holds_alternative<syntax::EllipsisExpr>(kind) || std::holds_alternative<syntax::NoneLit>(kind)) {
    return std::nullopt;
  }
  const ExprId value = type_expr(index);
  if (array_of(value) != nullptr && array_of(value)->dtype == DType::b1) return value;
  pretyped_ = {index, value};
  return std::nullopt;
}

/// array[mask] = number: where(mask, number, array) in place.
void FunctionTyper::store_where(ExprId array, ExprId mask, ExprId value, Span span, bool is_augmented) {
  if (unknown(array) || unknown(mask) || unknown(value)) return;
  if (is_augmented && !fits_augmented(array, value, span)) return;
  if (array_of(value) != nullptr && !is_augmented) {
    report(DiagId::kStoreRank, span, type_text(value), 0)
        .help("assign one number to the elements of a mask; a[...] = np.where(mask, values, a) chooses among arrays");
    return;
  }
  if (rank_of(mask) > rank_of(array)) {
    report(DiagId::kTooManyIndices, span_of(mask), rank_of(mask), type_text(array), rank_of(array));
    return;
  }
  // A mask of fewer axes is of the first ones.
  if (const int more = rank_of(array) - rank_of(mask); more > 0) {
    ViewExpr view{mask, std::vector<AxisSelection>(static_cast<size_t>(rank_of(mask)), {true, {}, {}, {}, {}})};
    view.axes.insert(view.axes.end(), static_cast<size_t>(more), {true, {}, {}, {}, {}, true});
    mask = add(span_of(mask), array_type(DType::b1, rank_of(array)), std::move(view));
  }
  const Shared target = share(array);
  if (target.var.valid()) emit(span, AssignStmt{target.var, target.init});
  const DType dtype = element_dtype(array);
  const ExprId chosen = map_elements({mask, copy(target.value), value}, span, [&](const std::vector<ExprId>& e) {
    return add(span, ctx_.types.scalar(dtype), SelectExpr{e[0], to_dtype(e[2], dtype), e[1]});
  });
  if (!unknown(chosen)) emit(span, StoreViewStmt{copy(target.value), chosen});
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

/// a[i] op= value: array and indices are evaluated once.
void FunctionTyper::type_aug_element(const syntax::AugAssignStmt& s, const syntax::SubscriptExpr& target, Span span) {
  const Span target_span = ctx_.ast.exprs[s.target].span;
  const ExprId array = type_expr(target.base);
  if (unknown(array)) return;
  if (array_of(array) == nullptr) {
    report(DiagId::kNotIndexable, ctx_.ast.exprs[target.base].span, type_text(array))
        .help("only elements of arrays can be assigned");
    return;
  }
  if (is_computed_target(array, target.base)) return;
  if (has_arrays()) {
    if (const auto mask = mask_index(target.index)) {
      const Shared shared = share(array);
      if (shared.var.valid()) emit(span, AssignStmt{shared.var, shared.init});
      const ExprId value = type_expr(s.value);
      return store_where(copy(shared.value), *mask, type_binary(s.op, copy(shared.value), value, span, s.op_span), span,
                         true);
    }
    const IndexList list = type_index_list(array, target.index, target_span);
    const ExprId value = type_expr(s.value);
    if (!list.ok || unknown(value)) return;
    const ExprId view = select(array, list, target_span);
    return store_augmented(view, type_binary(s.op, copy(view), value, span, s.op_span), span);
  }
  const IndexList list = type_index_list(array, target.index, target_span);
  if (!list.ok) return;
  if (!list.all_indices) {
    unsupported(target_span, "assigning to a slice", "assign element by element in a loop");
    return;
  }
  if (!require_writable(array, target_span)) return;
  std::vector<ExprId> load_indices, store_indices;
  for (const AxisSelection& a : list.axes) {
    const Shared index = share(a.index);
    if (index.var.valid()) emit(span_of(a.index), AssignStmt{index.var, index.init});
    load_indices.push_back(index.value);
    store_indices.push_back(copy(index.value));
  }
  const Shared base = share(array);
  if (base.var.valid()) emit(target_span, AssignStmt{base.var, base.init});
  const DType dtype = array_of(array)->dtype;
  const ExprId old = add(target_span, ctx_.types.scalar(dtype), ElementExpr{base.value, std::move(load_indices)});
  const ExprId value = type_expr(s.value);
  const ExprId result = type_binary(s.op, old, value, span, s.op_span);
  if (unknown(result)) return;
  emit(span, StoreStmt{copy(base.value), std::move(store_indices), to_dtype(result, dtype)});
}

/// What an augmented assignment stores must be of the target's kind: NumPy refuses i4_array /= 2 likewise.
bool FunctionTyper::fits_augmented(ExprId target, ExprId result, Span span) {
  const DType from = element_dtype(result), to = element_dtype(target);
  if (types::kind_rank(from) > types::kind_rank(to)) {
    report(DiagId::kAugmentedKind, span, name(from), type_text(target))
        .help(fmt::format("assign the cast result: a[...] = (…).astype({}), or make an array of {}", name(to),
                          name(from)));
    return false;
  }
  return true;
}

void FunctionTyper::store_augmented(ExprId target, ExprId result, Span span) {
  if (unknown(target) || unknown(result) || !fits_augmented(target, result, span)) return;
  store_view(target, result, span);
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
