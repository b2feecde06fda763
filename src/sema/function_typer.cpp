#include "src/sema/function_typer.hpp"

#include <fmt/format.h>

#include "src/types/promotion.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;
using types::Strength;

/// Passes after which types may only grow. Real programs settle in two to four; this bounds the odd ones.
constexpr int kFreePasses = 8;
constexpr int kMaxPasses = 64;

}  // namespace

FunctionTyper::FunctionTyper(TyperContext& context, Request request)
    : ctx_(context), request_(std::move(request)), ranges_(find_live_ranges(ctx_.ast, *request_.def)) {}

std::shared_ptr<const TypedFunction> FunctionTyper::run() {
  known_.resize(ranges_.ranges().size());
  for (int passes = 0; passes < kMaxPasses; ++passes) {
    widen_only_ = passes >= kFreePasses;
    if (pass(false)) break;
  }
  pass(true);
  return failed_ ? nullptr : fn_;
}

/// Types the whole function once; true when nothing changed against the pass before.
bool FunctionTyper::pass(bool final) {
  begin_pass(final);
  declare_params();
  const bool falls_through = type_block(request_.def->body, fn_->body);
  finish_return_type();
  const TypeId result = fn_->return_type;
  if (falls_through && result != ctx_.types.none() && !ctx_.types.is_unknown(result)) {
    report(DiagId::kMissingReturn, request_.def->name_span, request_.def->name, ctx_.types.to_string(result))
        .help("end every path with a return of a value");
  }
  bool settled = return_next_.info == return_known_.info;
  for (size_t i = 0; i < known_.size(); ++i) settled = settled && known_[i].info == next_[i].info;
  known_ = std::move(next_);
  return_known_ = return_next_;
  fn_->signature = signature_text();
  return settled;
}

void FunctionTyper::begin_pass(bool final) {
  final_ = final;
  pretyped_.reset();  // of a call with a fault in the pass before
  failed_ = false;
  fn_ = std::make_shared<TypedFunction>();
  fn_->name = request_.def->name;
  fn_->span = request_.def->name_span;
  fn_->is_kernel = request_.is_kernel;
  fn_->is_array_function = request_.is_array;
  fn_->options = request_.options;
  next_.assign(known_.size(), {});
  return_next_ = {};
  for (RangeState* s : {&return_next_}) s->info.type = ctx_.types.unknown();
  for (RangeState& s : next_) s.info.type = ctx_.types.unknown();
  for (RangeState& s : known_) {
    if (!s.info.type.valid()) s.info.type = ctx_.types.unknown();
  }
  if (!return_known_.info.type.valid()) return_known_.info.type = ctx_.types.unknown();
  range_vars_.assign(known_.size(), VarId());
  return_spans_.clear();
  block_ = nullptr;
  loop_has_break_.clear();
  if (!final) return;
  for (const UndefinedUse& use : ranges_.undefined_uses()) {
    const Span span = ctx_.ast.exprs[use.use].span;
    if (use.on_every_path) {
      report(DiagId::kUnassigned, span, use.name).help("assign it before this line");
    } else {
      warn(DiagId::kMaybeUnassigned, span, use.name)
          .help(has_arrays() ? "give it a value before the branch or loop; without one the call fails here"
                             : "give it a value before the branch or loop; without one it is 0 here");
    }
  }
}

void FunctionTyper::declare_params() {
  for (size_t i = 0; i < request_.def->params.size(); ++i) {
    const RangeId range = ranges_.of_param(i);
    RangeState& state = next_[range.index];
    const ValueInfo& arg = request_.args[i];
    state.info = join_info(state, arg);
    ++state.defs_seen;
    if (arg.constant && arg.constant->is_int()) {
      state.has_const = true;
      state.lowest_const = state.highest_const = arg.constant->as_int();
    }
    // A parameter that shares its live range with other assignments arrives in a variable of its own.
    const TypeId range_type = range_info(range).type;
    const bool alone = ranges_.ranges()[range.index].def_count == 1 || range_type == arg.type;
    if (alone) {
      fn_->params.push_back(range_var(range));
      fn_->vars[fn_->params.back()].type = arg.type;
    } else {
      const VarId incoming =
          fn_->vars.add({request_.def->params[i].name, arg.type, request_.def->params[i].span, true});
      fn_->params.push_back(incoming);
      block_ = &fn_->body;
      const ExprId value = add(request_.def->params[i].span, arg.type, VarExpr{incoming});
      emit(request_.def->params[i].span, AssignStmt{range_var(range), convert(value, range_type)});
      block_ = nullptr;
    }
  }
}

/// What a use of the range sees: the last pass's result, or in the first pass what is known so far.
ValueInfo FunctionTyper::range_info(RangeId range) const {
  const RangeState& known = known_[range.index];
  return ctx_.types.is_unknown(known.info.type) ? next_[range.index].info : known.info;
}

ValueInfo FunctionTyper::info_of(ExprId expr) const {
  ValueInfo out{type_of(expr), constant_of(expr), {}};
  if (const auto* t = std::get_if<TupleExpr>(&fn_->exprs[expr].kind)) {
    for (ExprId e : t->elements) out.elements.push_back(constant_of(e));
  }
  return out;
}

VarId FunctionTyper::range_var(RangeId range) {
  VarId& var = range_vars_[range.index];
  if (!var.valid()) {
    const LiveRange& r = ranges_.ranges()[range.index];
    var = fn_->vars.add({r.name, range_info(range).type, r.span, false});
  }
  return var;
}

VarId FunctionTyper::temporary(TypeId type, Span span) {
  return fn_->vars.add({fmt::format("${}", fn_->vars.size()), type, span, true});
}

/// The join of what a range holds so far with one more definition.
ValueInfo FunctionTyper::join_info(const RangeState& state, const ValueInfo& next) {
  if (ctx_.types.is_unknown(state.info.type)) return next;
  if (ctx_.types.is_unknown(next.type)) return state.info;
  // Several definitions: no longer one constant, so a weak value counts as known at run time only.
  const auto runtime = [&](TypeId id) {
    const Scalar* s = ctx_.types.as_scalar(id);
    return s && s->weak() ? ctx_.types.scalar(s->dtype, Strength::kWeakRuntime) : id;
  };
  auto joined = join_types(state.info.type, next.type);
  if (!joined) return state.info;  // reported by define()
  ValueInfo out{runtime(*joined), std::nullopt, {}};
  const Scalar* s = ctx_.types.as_scalar(out.type);
  if (s == nullptr || s->weak() || !is_int(s->dtype)) return out;
  // An int constant that the joined type cannot hold widens it instead of wrapping.
  Int128 low = state.lowest_const, high = state.highest_const;
  bool any = state.has_const;
  const Scalar* n = ctx_.types.as_scalar(next.type);
  if (n && n->weak() && next.constant && next.constant->is_int()) {
    low = any ? std::min(low, next.constant->as_int()) : next.constant->as_int();
    high = any ? std::max(high, next.constant->as_int()) : next.constant->as_int();
    any = true;
  }
  if (any && (!fits(Constant::of_int(low), s->dtype) || !fits(Constant::of_int(high), s->dtype))) {
    out.type = ctx_.types.scalar(types::promote(DType::i8, s->dtype));
  }
  return out;
}

/// One more definition of a range: joins its type and emits the assignment.
void FunctionTyper::define(RangeId range, ExprId value) {
  if (!range.valid()) return;
  RangeState& state = next_[range.index];
  const ValueInfo info = info_of(value);
  if (!unknown(value) && info.type == ctx_.types.none()) {
    report(DiagId::kNoValue, span_of(value)).help("a function without a return of a value cannot be assigned");
    return;
  }
  if (!unknown(value) && !ctx_.types.is_unknown(state.info.type) && !join_types(state.info.type, info.type)) {
    const LiveRange& r = ranges_.ranges()[range.index];
    report(DiagId::kIncompatibleAssignment, span_of(value), r.name, ctx_.types.to_string(state.info.type),
           type_text(value))
        .label(r.span, "first assigned here")
        .help(differ_in_memory(state.info.type, info.type) ? kMemoryHelp
                                                           : "use another name for the other kind of value");
    return;
  }
  state.info = join_info(state, info);
  if (widen_only_ && !ctx_.types.is_unknown(known_[range.index].info.type)) {
    if (const auto t = join_types(known_[range.index].info.type, state.info.type)) state.info.type = *t;
  }
  ++state.defs_seen;
  if (ranges_.ranges()[range.index].def_count > 1) state.info.constant.reset(), state.info.elements.clear();
  if (const Scalar* s = ctx_.types.as_scalar(info.type); s && s->weak() && info.constant && info.constant->is_int()) {
    const Int128 v = info.constant->as_int();
    state.lowest_const = state.has_const ? std::min(state.lowest_const, v) : v;
    state.highest_const = state.has_const ? std::max(state.highest_const, v) : v;
    state.has_const = true;
  }
  if (unknown(value)) return;
  const TypeId type = range_info(range).type;
  const VarId var = range_var(range);
  fn_->vars[var].type = type;
  emit(span_of(value), AssignStmt{var, convert(value, type)});
}

void FunctionTyper::finish_return_type() {
  TypeId type = request_.declared_return.value_or(return_next_.info.type);
  if (ctx_.types.is_unknown(type) && return_spans_.empty()) type = ctx_.types.none();
  fn_->return_type = at_run_time(type);
  result_ = {fn_->return_type, std::nullopt, {}};
}

/// A call's value is known at run time, even where every return is a constant.
TypeId FunctionTyper::at_run_time(TypeId type) {
  if (const Scalar* s = ctx_.types.as_scalar(type); s && s->strength == Strength::kWeakConst) {
    return ctx_.types.scalar(s->dtype, Strength::kWeakRuntime);
  }
  const auto* t = ctx_.types.as_tuple(type);
  if (t == nullptr) return type;
  std::vector<TypeId> elements = t->elements;
  for (TypeId& e : elements) e = at_run_time(e);
  return ctx_.types.tuple(std::move(elements));
}

std::string FunctionTyper::signature_text() const {
  std::string out = request_.is_kernel ? "void(" : ctx_.types.to_string(fn_->return_type) + "(";
  for (size_t i = 0; i < request_.args.size(); ++i) {
    out += (i ? ", " : "") + ctx_.types.to_string(request_.args[i].type);
  }
  return out + ")";
}

void FunctionTyper::warn_f64(Span span, Scalar a, Scalar b, Scalar result) {
  if (!ctx_.options.warn_f64 || !types::widens_to_f64(a, b, result)) return;
  const auto text = [&](Scalar s) { return ctx_.types.to_string(ctx_.types.scalar(s)); };
  const bool has_f4 = a.dtype == DType::f4 || b.dtype == DType::f4;
  warn(DiagId::kWidensToF64, span, text(a), text(b))
      .help(has_f4 ? "cast the integer: f4(…)" : "cast one side to the other's type, or both to f4");
}

StmtId FunctionTyper::emit(Span span, decltype(Stmt::kind) kind) {
  const StmtId id = fn_->stmts.add({span, std::move(kind)});
  block_->push_back(id);
  return id;
}

ExprId FunctionTyper::add(Span span, TypeId type, decltype(Expr::kind) kind) {
  return fn_->exprs.add({span, type, std::move(kind), std::nullopt});
}

ExprId FunctionTyper::constant(Span span, Scalar type, Constant value) {
  return fn_->exprs.add({span, ctx_.types.scalar(type), ConstExpr{}, type.weak() ? value : cast(value, type.dtype)});
}

ExprId FunctionTyper::weak_int(Span span, Int128 value) {
  return constant(span, {DType::i8, Strength::kWeakConst}, Constant::of_int(value));
}

/// A second node for the same leaf (each node has one parent).
ExprId FunctionTyper::copy(ExprId id) {
  Expr node = fn_->exprs[id];
  return fn_->exprs.add(std::move(node));
}

}  // namespace jitc::sema
