// Calls: device functions, casts, and the way to built-ins.
#include <fmt/format.h>

#include <algorithm>

#include "src/base/match.hpp"
#include "src/sema/array_typer.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/nearest.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

namespace {
constexpr size_t kMaxCallDepth = 64;
constexpr size_t kMaxInstances = 4096;
}  // namespace

ExprId FunctionTyper::type_call(const syntax::CallExpr& e, Span span) {
  // Method calls on values: x.astype(f4).
  if (const auto* a = std::get_if<syntax::AttributeExpr>(&ctx_.ast.exprs[e.callee].kind); a && !is_namespace(a->base)) {
    const syntax::AttributeExpr attribute = *a;
    const auto own = entity(e.callee);  // a.dtype(…)
    if (own) return cast_call(std::get<TypeEntity>(*own).dtype, e, span);
    const ExprId value = type_expr(attribute.base);
    if (unknown(value)) return poison(span);
    if (ctx_.types.is_grid_group(type_of(value))) return grid_method(attribute, e, span);
    if (has_arrays() && (array_of(value) || scalar_of(value))) {
      if (const auto called = call_method(value, attribute, e, span)) return *called;
    }
    if (attribute.name == "astype" && scalar_of(value) && e.args.size() == 1 && e.keywords.empty()) {
      const auto target = entity(e.args[0]);
      if (const auto* t = target ? std::get_if<TypeEntity>(&*target) : nullptr) return to_dtype(value, t->dtype);
    }
    if (attribute.name == "conjugate" && scalar_of(value) && e.args.empty() && e.keywords.empty()) {
      return *number_attribute(value, attribute.name, span);
    }
    report(DiagId::kNoAttribute, attribute.name_span, type_text(value), attribute.name)
        .help(
            array_of(value) && has_arrays()
                ? "arrays have .shape .ndim .size .dtype .T and methods such as sum() and reshape(): docs/functions.md "
                  "lists what there is"
            : array_of(value) ? "arrays in kernels have elements, slices and .shape .strides .ndim .size .T"
                              : "numbers have .astype(type) .real .imag .conjugate()");
    return poison(span);
  }
  if (const auto* a = std::get_if<syntax::AttributeExpr>(&ctx_.ast.exprs[e.callee].kind); a && has_arrays()) {
    const auto base = entity(a->base);
    const auto* f = base ? std::get_if<FunctionEntity>(&*base) : nullptr;
    const bool is_ufunc = (f != nullptr && ctx_.specs[f->function].kind == FunctionKind::kUfunc) ||
                          (base && std::holds_alternative<BuiltinEntity>(*base));
    if (is_ufunc) return ArrayTyper(*this).ufunc_method(*base, syntax::AttributeExpr(*a), e, span);
  }
  const auto callee = entity(e.callee);
  if (!callee) {
    const auto* n = std::get_if<syntax::NameExpr>(&ctx_.ast.exprs[e.callee].kind);
    if (n && ranges_.is_local(n->name)) {
      report(DiagId::kNotCallable, ctx_.ast.exprs[e.callee].span, n->name)
          .help("only functions and types can be called");
    } else {
      const ExprId value = type_expr(e.callee);  // reports unknown names and members
      if (!unknown(value)) report(DiagId::kNotCallable, span_of(value), ctx_.file.text(span_of(value)).substr(0, 60));
    }
    for (SynExprId arg : e.args) {
      if (!is_namespace(arg)) type_expr(arg);
    }
    return poison(span);
  }
  return base::match(
      *callee, [&](const BuiltinEntity& b) { return call_builtin(b, e, span); },
      [&](const TypeEntity& t) { return cast_call(t.dtype, e, span); },
      [&](const FunctionEntity& f) { return call_function(f.function, e, span); },
      [&](const BadEntity&) {
        failed_ = true;
        return poison(span);
      },
      [&](const auto&) {
        const Span at = ctx_.ast.exprs[e.callee].span;
        report(DiagId::kNotCallable, at, ctx_.file.text(at).substr(0, 60))
            .help("only functions and types can be called");
        return poison(span);
      });
}

/// array.sum(axis=0) is sum(array, axis=0). Nothing where arrays have no such method.
std::optional<ExprId> FunctionTyper::call_method(ExprId array, const syntax::AttributeExpr& method,
                                                 const syntax::CallExpr& e, Span span) {
  const Builtin* row = ArrayTyper::method(method.name);
  if (row == nullptr) return std::nullopt;
  syntax::CallExpr call = e;
  call.args.insert(call.args.begin(), method.base);
  pretyped_ = {method.base, array};
  const ExprId out = call_builtin({row, Module::kNumpy}, call, span);
  pretyped_.reset();
  return out;
}

/// min or max of one array, possibly along axes; not of several values.
bool FunctionTyper::is_reduction_call(const BuiltinEntity& b, const syntax::CallExpr& e) {
  const auto op = b.builtin->as<BinaryOp>();
  if ((op != BinaryOp::kMin && op != BinaryOp::kMax) || e.args.empty()) return false;
  if (b.via == Module::kPython && e.args.size() > 1) return false;
  const ExprId first = type_expr(e.args[0]);
  pretyped_ = {e.args[0], first};
  return !unknown(first) && array_of(first) != nullptr;
}

/// True for what is no value: a module, a function, a type.
bool FunctionTyper::is_namespace(SynExprId id) {
  const auto found = entity(id);
  return found && !std::holds_alternative<ConstantEntity>(*found);
}

ExprId FunctionTyper::cast_call(DType dtype, const syntax::CallExpr& e, Span span) {
  if (e.args.size() != 1 || !e.keywords.empty()) {
    report(DiagId::kArgumentCount, span, name(dtype), "one argument", e.args.size());
    return poison(span);
  }
  const ExprId value = type_expr(e.args[0]);
  if (has_arrays() && array_of(value) != nullptr) return map_cast(value, dtype, span);
  if (!require_scalar(value, fmt::format("{}()", name(dtype)))) return poison(span);
  const ExprId out = to_dtype(value, dtype);
  // The cast belongs to the whole call in messages and dumps.
  if (out != value) fn_->exprs[out].span = span;
  return out;
}

/// Positional and keyword arguments in parameter order, defaults filled in.
std::vector<ExprId> FunctionTyper::bind_arguments(const syntax::FunctionDef& def, const syntax::CallExpr& e, Span span,
                                                  bool& ok) {
  std::vector<ExprId> out(def.params.size());
  if (e.args.size() > def.params.size()) {
    report(DiagId::kArgumentCount, span, def.name,
           fmt::format("{} argument{}", def.params.size(), def.params.size() == 1 ? "" : "s"), e.args.size())
        .label(def.name_span, "defined here");
    ok = false;
    return out;
  }
  for (size_t i = 0; i < e.args.size(); ++i) out[i] = type_expr(e.args[i]);
  for (const syntax::KeywordArg& k : e.keywords) {
    const auto it = std::find_if(def.params.begin(), def.params.end(), [&](const auto& p) { return p.name == k.name; });
    if (it == def.params.end()) {
      report(DiagId::kUnknownKeyword, k.name_span, def.name, k.name).label(def.name_span, "defined here");
      ok = false;
      continue;
    }
    ExprId& slot = out[static_cast<size_t>(it - def.params.begin())];
    if (slot.valid()) {
      report(DiagId::kRepeatedArgument, k.name_span, k.name);
      ok = false;
    }
    slot = type_expr(k.value);
  }
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i].valid() && def.params[i].default_value.valid()) out[i] = type_expr(def.params[i].default_value);
    if (!out[i].valid()) {
      report(DiagId::kMissingArgument, span, def.params[i].name, def.name).label(def.params[i].span, "parameter here");
      ok = false;
      continue;
    }
    if (unknown(out[i])) ok = false;
    if (type_of(out[i]) == ctx_.types.none()) {
      report(DiagId::kNoValue, span_of(out[i])).help("a function without a return of a value cannot be an argument");
      ok = false;
    }
  }
  return out;
}

ExprId FunctionTyper::call_function(uint32_t function, const syntax::CallExpr& e, Span span) {
  const FileFunction& file_function = ctx_.scope.functions()[function];
  const auto def = std::get<syntax::FunctionDef>(ctx_.ast.stmts[file_function.def].kind);
  if (ctx_.specs[function].kind == FunctionKind::kBad) {
    failed_ = true;
    return poison(span);
  }
  // With its results among the arguments it is a device function of one core.
  if (has_arrays() && ctx_.specs[function].kind == FunctionKind::kGufunc && e.args.size() < def.params.size()) {
    report(DiagId::kUnsupportedArray, span, fmt::format("calls of gufuncs such as '{}'", def.name))
        .help("call it from the host between two array functions, or write what it does with axis= and einsum()");
    return poison(span);
  }
  bool ok = true;
  std::vector<ExprId> args = bind_arguments(def, e, span, ok);
  if (!ok) return poison(span);
  if (has_arrays() && ctx_.specs[function].kind == FunctionKind::kUfunc && any_array(args)) {
    return map_elements(args, span, [&](const std::vector<ExprId>& e) { return call_with(function, e, span); });
  }
  return call_with(function, std::move(args), span);
}

/// The arguments are bound to the parameters.
ExprId FunctionTyper::call_with(uint32_t function, std::vector<ExprId> args, Span span) {
  const FileFunction& file_function = ctx_.scope.functions()[function];
  const auto def = std::get<syntax::FunctionDef>(ctx_.ast.stmts[file_function.def].kind);
  const auto is_this = [&](const TyperContext::Active& a) { return a.function == function; };
  if (std::any_of(ctx_.active.begin(), ctx_.active.end(), is_this)) {
    report(DiagId::kRecursion, span, def.name)
        .label(def.name_span, "defined here")
        .help("device functions are inlined; write the repetition as a loop");
    return poison(span);
  }
  const Signature* signature = choose_signature(function, args, span);
  if (signature == nullptr && !ctx_.specs[function].signatures.empty()) return poison(span);
  if (signature) {
    for (size_t i = 0; i < args.size(); ++i) {
      args[i] = convert(args[i], parameter_type(signature->params[i].type, args[i]));
      if (unknown(args[i])) return poison(span);
    }
  }
  const TyperContext::Instance* instance = instantiate(function, args, span);
  if (instance == nullptr || instance->typed == nullptr) {
    failed_ = true;
    return poison(span);
  }
  const ExprId out = add(span, instance->result.type, CallExpr{instance->typed, std::move(args)});
  return out;
}

/// A declared parameter; an array stays in the memory it is in.
TypeId FunctionTyper::parameter_type(TypeId declared, ExprId arg) {
  const auto *to = ctx_.types.as_array(declared), *from = array_of(arg);
  if (to == nullptr || from == nullptr) return declared;
  types::ArrayType type = *to;
  type.space = from->space;
  type.readonly = from->readonly;
  return ctx_.types.array(std::move(type));
}

/// The signature whose parameters take the arguments: exact types first, then the first that converts.
const Signature* FunctionTyper::choose_signature(uint32_t function, const std::vector<ExprId>& args, Span span) {
  const std::vector<Signature>& signatures = ctx_.specs[function].signatures;
  const auto takes = [&](const Signature& s, bool exact) {
    if (s.params.size() != args.size()) return false;
    for (size_t i = 0; i < args.size(); ++i) {
      const TypeId to = s.params[i].type, from = type_of(args[i]);
      if (to == from) continue;
      const Scalar *x = scalar_of(args[i]), *y = ctx_.types.as_scalar(to);
      const auto *p = array_of(args[i]), *q = ctx_.types.as_array(to);
      const bool scalars =
          x && y && (!exact || (x->weak() && types::kind_rank(x->dtype) <= types::kind_rank(y->dtype)));
      const bool arrays =
          p && q && p->dtype == q->dtype && p->rank == q->rank && (q->layout == Layout::any || p->layout == q->layout);
      if (!scalars && !arrays) return false;
    }
    return true;
  };
  for (bool exact : {true, false}) {
    for (const Signature& s : signatures) {
      if (takes(s, exact)) return &s;
    }
  }
  if (signatures.empty()) return nullptr;
  std::string given;
  for (ExprId a : args) given += (given.empty() ? "" : ", ") + type_text(a);
  report(DiagId::kNoMatchingSignature, span, ctx_.scope.functions()[function].name, given)
      .label(signatures[0].span, "its signature")
      .help("cast the arguments to the types of the signature");
  return nullptr;
}

const TyperContext::Instance* FunctionTyper::instantiate(uint32_t function, const std::vector<ExprId>& args,
                                                         Span span) {
  std::vector<ValueInfo> infos;
  const bool typed_by_signature = !ctx_.specs[function].signatures.empty();
  for (ExprId a : args) {
    infos.push_back(info_of(a));
    // A declared parameter is typed, whatever constant it is given.
    if (typed_by_signature) infos.back().constant.reset();
    if (const auto* s = ctx_.types.as_scalar(infos.back().type);
        s && s->strength == Strength::kWeakConst && !infos.back().constant) {
      infos.back().type = ctx_.types.scalar(s->dtype, Strength::kWeakRuntime);
    }
  }
  for (const TyperContext::Instance& i : ctx_.instances) {
    const bool same_options =
        i.check == request_.options.check && i.debug == request_.options.debug && i.arrays == has_arrays();
    if (i.function == function && i.args == infos && same_options) return &i;
  }
  const int quiet = final_ ? 0 : 1;
  const TyperContext::QuietFailure failure{function, infos};
  const auto& known = ctx_.quiet_failures;
  if (ctx_.quiet + quiet > 0 && std::find(known.begin(), known.end(), failure) != known.end()) {
    failed_ = true;
    return nullptr;
  }
  if (ctx_.active.size() >= kMaxCallDepth || ctx_.instances.size() >= kMaxInstances) {
    report(DiagId::kTooManyInstances, span,
           ctx_.active.size() >= kMaxCallDepth ? "device functions inside one another"
                                               : "differently typed device functions",
           ctx_.active.size() >= kMaxCallDepth ? kMaxCallDepth : kMaxInstances);
    return nullptr;
  }
  const auto& file_function = ctx_.scope.functions()[function];
  const auto def = std::get<syntax::FunctionDef>(ctx_.ast.stmts[file_function.def].kind);
  Request request;
  request.function = function;
  request.def = &def;
  request.args = infos;
  request.options = ctx_.specs[function].options;
  request.options.check = request.options.check || request_.options.check;
  request.options.debug = request.options.debug || request_.options.debug;
  request.is_array = has_arrays();
  if (has_arrays() && any_array(args)) request.options.fma = request_.options.fma;
  if (typed_by_signature) {
    const Signature* s = choose_signature(function, args, span);
    if (s && s->return_type.valid()) request.declared_return = s->return_type;
  }
  ctx_.active.push_back({function, span});
  ctx_.quiet += quiet;
  FunctionTyper typer(ctx_, std::move(request));
  auto typed = typer.run();
  ctx_.quiet -= quiet;
  ctx_.active.pop_back();
  if (typed == nullptr) {
    failed_ = true;
    if (ctx_.quiet + quiet > 0) {  // nothing was reported: the final pass will type it again
      ctx_.quiet_failures.push_back(failure);
      return nullptr;
    }
  }
  ctx_.instances.push_back(
      {function, infos, request_.options.check, request_.options.debug, has_arrays(), typed, typer.result()});
  return &ctx_.instances.back();
}

}  // namespace jitc::sema
