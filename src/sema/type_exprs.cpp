// Expressions: literals, names, attributes, logic, tuples.
#include <fmt/format.h>

#include <algorithm>

#include "src/base/match.hpp"
#include "src/sema/fold_math.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/nearest.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

namespace {

bool all_constant(const std::vector<std::optional<Constant>>& elements, size_t count) {
  if (elements.size() != count || count == 0) return false;
  return std::all_of(elements.begin(), elements.end(), [](const auto& c) { return c.has_value(); });
}

/// Constants as other languages write them.
const char* spelling_in_python(const std::string& name) {
  if (name == "true") return "True";
  if (name == "false") return "False";
  return name == "null" || name == "nil" || name == "nullptr" ? "None" : nullptr;
}

}  // namespace

ExprId FunctionTyper::type_expr(SynExprId id) {
  if (pretyped_ && pretyped_->first == id) return std::exchange(pretyped_, std::nullopt)->second;
  const syntax::Expr node = ctx_.ast.exprs[id];  // a copy: typing a callee may grow the tree
  const Span span = node.span;
  return base::match(
      node.kind, [&](const syntax::NameExpr& e) { return type_name(e, id, span); },
      [&](const syntax::IntLit& e) { return weak_int(span, e.value); },
      [&](const syntax::FloatLit& e) {
        return constant(span, {DType::f8, Strength::kWeakConst}, Constant::of_float(e.value));
      },
      [&](const syntax::BoolLit& e) {
        return constant(span, {DType::b1, Strength::kWeakConst}, Constant::of_bool(e.value));
      },
      [&](const syntax::ImagLit& e) {
        const auto number = [&](double v) {
          return constant(span, {DType::f8, Strength::kWeakConst}, Constant::of_float(v));
        };
        return complex_value({DType::c16, Strength::kWeakConst}, number(0), number(e.value), span);
      },
      [&](const syntax::NoneLit&) { return unsupported(span, "None as a value", "use a number or a flag"); },
      [&](const syntax::StringLit&) {
        return unsupported(span, "a string as a value", "kernels compute with numbers");
      },
      [&](const syntax::EllipsisExpr&) { return unsupported(span, "'...' outside an index", "write it inside a[…]"); },
      [&](const syntax::TupleExpr& e) { return type_tuple(e.elements, span); },
      [&](const syntax::ListExpr&) { return unsupported(span, "a list", "use a tuple for a fixed number of values"); },
      [&](const syntax::SetExpr&) { return unsupported(span, "a set", "use a tuple, or one variable for each value"); },
      [&](const syntax::UnaryExpr& e) { return type_unary(e.op, type_expr(e.operand), span); },
      [&](const syntax::BinaryExpr& e) {
        const ExprId lhs = type_expr(e.lhs), rhs = type_expr(e.rhs);
        return type_binary(e.op, lhs, rhs, span, e.op_span);
      },
      [&](const syntax::CompareExpr& e) { return type_compare(e, span); },
      [&](const syntax::BoolExpr& e) { return type_logic(e, span); },
      [&](const syntax::TernaryExpr& e) { return type_ternary(e, span); },
      [&](const syntax::CallExpr& e) { return type_call(e, span); },
      [&](const syntax::AttributeExpr& e) { return type_attribute(e, span); },
      [&](const syntax::SubscriptExpr& e) { return type_subscript(e, span); },
      [&](const syntax::SliceExpr&) { return unsupported(span, "a slice outside an index", "write it inside a[…]"); },
      [&](const syntax::LambdaExpr&) {
        return unsupported(span, "a lambda", "define a function at the top of the file and call it");
      });
}

ExprId FunctionTyper::unsupported(Span span, std::string_view what, std::string_view instead) {
  report(DiagId::kUnsupported, span, what).help(std::string(instead));
  return poison(span);
}

std::optional<Entity> FunctionTyper::entity(SynExprId id) {
  const syntax::Expr& node = ctx_.ast.exprs[id];
  if (const auto* n = std::get_if<syntax::NameExpr>(&node.kind)) {
    return ranges_.is_local(n->name) ? std::nullopt : ctx_.scope.find(n->name);
  }
  const auto* a = std::get_if<syntax::AttributeExpr>(&node.kind);
  if (a == nullptr) return std::nullopt;
  const std::string name = a->name;
  const SynExprId base_id = a->base;
  const auto base = entity(base_id);
  if (const auto* c = base ? std::get_if<ConstantEntity>(&*base) : nullptr; c && name == "dtype") {
    const auto& array = ctx_.scope.constant(c->constant).value.array;
    return array ? std::optional<Entity>(TypeEntity{array->dtype}) : std::nullopt;
  }
  if (base) {
    const auto* module = std::get_if<ModuleEntity>(&*base);
    return module ? FileScope::member(module->module, name) : std::nullopt;
  }
  // x.dtype of an array is a type: x.dtype(0).
  const auto* base_name = std::get_if<syntax::NameExpr>(&ctx_.ast.exprs[base_id].kind);
  if (name != "dtype" || base_name == nullptr) return std::nullopt;
  const RangeId range = ranges_.of_use(base_id);
  const auto* array = range.valid() ? ctx_.types.as_array(range_info(range).type) : nullptr;
  return array ? std::optional<Entity>(TypeEntity{array->dtype}) : std::nullopt;
}

ExprId FunctionTyper::static_value(const StaticValue& value, Span span, const std::string& name) {
  if (value.array) return constant_array(value, name, span);
  if (value.is_complex()) {
    return complex_value(value.type, static_value(value.elements[0], span), static_value(value.elements[1], span),
                         span);
  }
  if (!value.is_tuple) return constant(span, value.type, value.constant);
  std::vector<ExprId> elements;
  std::vector<TypeId> types;
  for (const StaticValue& v : value.elements) {
    elements.push_back(static_value(v, span));
    types.push_back(type_of(elements.back()));
  }
  return add(span, ctx_.types.tuple(std::move(types)), TupleExpr{std::move(elements)});
}

ExprId FunctionTyper::type_name(const syntax::NameExpr& e, SynExprId id, Span span) {
  if (ranges_.is_local(e.name)) {
    const RangeId range = ranges_.of_use(id);
    if (!range.valid()) {  // no assignment reaches: reported once, with the live ranges
      failed_ = true;
      return poison(span);
    }
    const ValueInfo info = range_info(range);
    if (ctx_.types.is_unknown(info.type)) {
      if (final_ && !ctx_.sink.has_errors())
        report(DiagId::kCannotInfer, span, e.name).help("give it a first value of a known type");
      return poison(span);
    }
    if (const Scalar* s = ctx_.types.as_scalar(info.type); s && info.constant)
      return constant(span, *s, *info.constant);
    if (const auto* t = ctx_.types.as_tuple(info.type); t && all_constant(info.elements, t->elements.size())) {
      const std::vector<TypeId> types = t->elements;
      std::vector<ExprId> elements;
      for (size_t i = 0; i < types.size(); ++i) {
        elements.push_back(constant(span, *ctx_.types.as_scalar(types[i]), *info.elements[i]));
      }
      return add(span, info.type, TupleExpr{std::move(elements)});
    }
    return add(span, info.type, VarExpr{range_var(range)});
  }
  const auto found = ctx_.scope.find(e.name);
  if (!found) {
    std::vector<std::string_view> names = ctx_.scope.visible_names();
    for (const LiveRange& r : ranges_.ranges()) names.push_back(r.name);
    auto handle = report(DiagId::kUnknownName, span, e.name);
    if (const char* python = spelling_in_python(e.name)) {
      handle.help(fmt::format("did you mean '{}'?", python)).fixit(span, python);
    } else if (const auto near = nearest_name(e.name, names)) {
      handle.help(fmt::format("did you mean '{}'?", *near)).fixit(span, *near);
    } else {
      handle.help("assign it before, pass it as a parameter, or define it at the top of the file");
    }
    return poison(span);
  }
  if (const auto* c = std::get_if<ConstantEntity>(&*found))
    return static_value(ctx_.scope.constant(c->constant).value, span, e.name);
  if (const auto* b = std::get_if<BuiltinEntity>(&*found)) {
    if (b->builtin->rule == Rule::kConstant) {
      return constant(span, {DType::f8, Strength::kWeakConst},
                      Constant::of_float(number_value(b->builtin->as<Number>())));
    }
    if (b->builtin->rule == Rule::kThreadScalar) return thread_value(b->builtin->as<ThreadValue>(), 0, span);
  }
  if (std::holds_alternative<BadEntity>(*found)) {
    failed_ = true;
    return poison(span);
  }
  report(DiagId::kNotAValue, span, e.name).help("call it, or use one of its members");
  return poison(span);
}

ExprId FunctionTyper::thread_value(ThreadValue value, uint8_t axis, Span span) {
  return add(span, ctx_.types.scalar(DType::i8, Strength::kWeakRuntime), ThreadExpr{value, axis});
}

ExprId FunctionTyper::type_attribute(const syntax::AttributeExpr& e, Span span) {
  const auto base = entity(e.base);
  if (!base || std::holds_alternative<ConstantEntity>(*base)) {
    const ExprId value = type_expr(e.base);
    if (unknown(value)) return poison(span);
    if (array_of(value)) return array_attribute(value, e.name, e.name_span, span);
    if (scalar_of(value) && (e.name == "real" || e.name == "imag")) return *number_attribute(value, e.name, span);
    report(DiagId::kNoAttribute, e.name_span, type_text(value), e.name);
    return poison(span);
  }
  if (const auto* b = std::get_if<BuiltinEntity>(&*base); b && b->builtin->rule == Rule::kDim3) {
    if (e.name == "x" || e.name == "y" || e.name == "z") {
      return thread_value(b->builtin->as<ThreadValue>(), static_cast<uint8_t>(e.name[0] - 'x'), span);
    }
    report(DiagId::kNoAttribute, e.name_span, fmt::format("cuda.{}", b->builtin->name), e.name)
        .help("it has .x, .y and .z");
    return poison(span);
  }
  const auto* module = std::get_if<ModuleEntity>(&*base);
  if (module == nullptr) {
    if (const auto* b = std::get_if<BuiltinEntity>(&*base); b && b->builtin->rule == Rule::kFuture) {
      report(DiagId::kFutureBuiltin, ctx_.ast.exprs[e.base].span, b->builtin->name)
          .help("see the table of what works today in the README");
      return poison(span);
    }
    report(DiagId::kNoAttribute, e.name_span, ctx_.file.text(ctx_.ast.exprs[e.base].span).substr(0, 60), e.name);
    return poison(span);
  }
  const auto member = FileScope::member(module->module, e.name);
  if (!member) {
    auto handle = report(DiagId::kUnknownMember, e.name_span, module_name(module->module), e.name);
    if (const auto near = nearest_name(e.name, FileScope::member_names(module->module))) {
      handle.help(fmt::format("did you mean '{}'?", *near)).fixit(e.name_span, *near);
    }
    return poison(span);
  }
  if (const auto* b = std::get_if<BuiltinEntity>(&*member)) {
    if (b->builtin->rule == Rule::kConstant) {
      return constant(span, {DType::f8, Strength::kWeakConst},
                      Constant::of_float(number_value(b->builtin->as<Number>())));
    }
    if (b->builtin->rule == Rule::kThreadScalar) return thread_value(b->builtin->as<ThreadValue>(), 0, span);
    if (b->builtin->rule == Rule::kFuture) {
      report(DiagId::kFutureBuiltin, span, ctx_.file.text(span).substr(0, 60))
          .help("see the table of what works today in the README");
      return poison(span);
    }
  }
  report(DiagId::kNotAValue, span, ctx_.file.text(span).substr(0, 60)).help("call it, or use one of its members");
  return poison(span);
}

ExprId FunctionTyper::type_tuple(const std::vector<SynExprId>& elements, Span span) {
  std::vector<ExprId> values;
  std::vector<TypeId> types;
  bool ok = true;
  for (SynExprId id : elements) {
    values.push_back(type_expr(id));
    ok = ok && !unknown(values.back());
    types.push_back(type_of(values.back()));
    if (types.back() == ctx_.types.none()) {
      report(DiagId::kNoValue, span_of(values.back()))
          .help("a function without a return of a value cannot be an element");
      ok = false;
    }
  }
  if (!ok) return poison(span);
  return add(span, ctx_.types.tuple(std::move(types)), TupleExpr{std::move(values)});
}

ExprId FunctionTyper::type_ternary(const syntax::TernaryExpr& e, Span span) {
  const ExprId cond = to_bool(type_expr(e.cond));
  if (unknown(cond)) return poison(span);
  // A condition known now decides now; the other branch is not even typed.
  if (const auto c = constant_of(cond)) return type_expr(c->truthy() ? e.then_value : e.else_value);
  ExprId a = type_expr(e.then_value), b = type_expr(e.else_value);
  if (unknown(a) || unknown(b)) {
    // While inference runs, one known side says enough.
    if (final_ || (unknown(a) && unknown(b))) return poison(span);
    return unknown(a) ? b : a;
  }
  if (const Scalar* x = scalar_of(a), *y = scalar_of(b); x && y) {
    Scalar type = types::join(*x, *y);
    if (type.weak()) type.strength = Strength::kWeakRuntime;
    warn_f64(span, *x, *y, type);
    a = adapt(a, type), b = adapt(b, type);
    if (unknown(a) || unknown(b)) return poison(span);
    return add(span, ctx_.types.scalar(type), TernaryExpr{cond, a, b});
  }
  const auto type = join_types(type_of(a), type_of(b));
  if (!type) {
    auto handle = report(DiagId::kTernaryMismatch, span, type_text(a), type_text(b))
                      .label(span_of(a), type_text(a))
                      .label(span_of(b), type_text(b));
    if (differ_in_memory(type_of(a), type_of(b))) handle.help(kMemoryHelp);
    return poison(span);
  }
  a = convert(a, *type), b = convert(b, *type);
  return add(span, *type, TernaryExpr{cond, a, b});
}

ExprId FunctionTyper::type_logic(const syntax::BoolExpr& e, Span span) {
  const bool is_and = e.op == syntax::BoolOp::kAnd;
  std::vector<ExprId> operands;
  bool all_bool = true, ok = true;
  for (const SynExprId& id : e.operands) {
    const ExprId value = type_expr(id);
    if (array_of(value)) {
      report(DiagId::kArrayLogic, span_of(value), is_and ? "and" : "or", type_text(value))
          .help(has_arrays() ? fmt::format("of each element: a {} b, each side in parentheses", is_and ? '&' : '|')
                : is_and     ? "combine elements: a[i] and b[i]"
                             : "combine elements: a[i] or b[i]");
      ok = false;
      continue;
    }
    if (!require_scalar(value, is_and ? "'and'" : "'or'")) {
      ok = false;
      continue;
    }
    // A constant that decides ends the chain; one that cannot decide drops out.
    if (const auto c = constant_of(value)) {
      const bool decides = c->truthy() != is_and;
      if (decides && operands.empty()) return value;
      if (!decides && &id != &e.operands.back()) continue;
    }
    all_bool = all_bool && scalar_of(value)->dtype == DType::b1;
    operands.push_back(value);
  }
  if (!ok || operands.empty()) return poison(span);
  if (operands.size() == 1) return operands[0];
  if (all_bool) {
    for (ExprId& id : operands) id = to_dtype(id, DType::b1);
    return add(span, ctx_.types.scalar(DType::b1), LogicExpr{is_and, std::move(operands)});
  }
  // Python's value form, from the right: a or (b or c).
  Scalar type = *scalar_of(operands[0]);
  for (ExprId id : operands) type = types::join(type, *scalar_of(id));
  if (type.weak()) type.strength = Strength::kWeakRuntime;
  ExprId out = adapt(operands.back(), type);
  for (size_t i = operands.size() - 1; i-- > 0;) {
    const ExprId lhs = adapt(operands[i], type);
    if (unknown(lhs) || unknown(out)) return poison(span);
    out = add(span, ctx_.types.scalar(type), LogicValueExpr{is_and, lhs, out});
  }
  return out;
}

}  // namespace jitc::sema
