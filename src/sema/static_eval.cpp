#include "src/sema/static_eval.hpp"

#include <algorithm>
#include <cmath>

#include "src/base/match.hpp"
#include "src/sema/fold_math.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

namespace {

using namespace syntax;
using source::DiagId;
using types::Scalar;
using types::Strength;

StaticValue weak(Constant c) {
  const DType dtype = c.is_bool() ? DType::b1 : c.is_int() ? DType::i8 : DType::f8;
  return {{dtype, Strength::kWeakConst}, c, false, {}};
}

StaticValue of_type(Scalar type, Constant c) { return {type, type.weak() ? c : cast(c, type.dtype), false, {}}; }

/// The result type of an arithmetic operator on two constants.
Scalar arithmetic_type(BinaryOp op, const StaticValue& a, const StaticValue& b) {
  const bool logical = op == BinaryOp::kAnd || op == BinaryOp::kOr || op == BinaryOp::kXor;
  StaticValue x = a, y = b;
  if (!(logical && a.type.dtype == DType::b1 && b.type.dtype == DType::b1)) {
    x.type = types::as_arithmetic_operand(a.type), y.type = types::as_arithmetic_operand(b.type);
    if (x.type.strength == Strength::kWeakRuntime) x.type.strength = Strength::kWeakConst;
    if (y.type.strength == Strength::kWeakRuntime) y.type.strength = Strength::kWeakConst;
  }
  Scalar joined = join_constants(x, y);
  if (op == BinaryOp::kDiv && !is_float(joined.dtype)) joined.dtype = DType::f8;
  return joined;
}

/// Recursive evaluation. Nothing means: not constant, and `why_` says where.
class Evaluator {
 public:
  Evaluator(const Ast& ast, const FileScope& scope) : ast_(ast), scope_(scope) {}

  std::optional<StaticValue> evaluate(ExprId id) {
    if (!id.valid()) return std::nullopt;
    auto out = base::match(
        ast_.exprs[id].kind, [&](const IntLit& e) { return some(weak(Constant::of_int(e.value))); },
        [&](const FloatLit& e) { return some(weak(Constant::of_float(e.value))); },
        [&](const BoolLit& e) { return some(weak(Constant::of_bool(e.value))); },
        [&](const NameExpr&) { return of_entity(scope_.resolve(ast_, id)); },
        [&](const AttributeExpr&) { return of_entity(scope_.resolve(ast_, id)); },
        [&](const TupleExpr& e) { return tuple(e); }, [&](const UnaryExpr& e) { return unary(e); },
        [&](const BinaryExpr& e) { return binary(e); }, [&](const CompareExpr& e) { return compare(e); },
        [&](const BoolExpr& e) { return logic(e); },
        [&](const TernaryExpr& e) {
          const auto cond = evaluate(e.cond);
          return cond && !cond->is_tuple ? evaluate(cond->constant.truthy() ? e.then_value : e.else_value)
                                         : std::nullopt;
        },
        [&](const SubscriptExpr& e) { return subscript(e); }, [&](const CallExpr& e) { return call(e); },
        [](const auto&) { return std::optional<StaticValue>(); });
    if (!out && !why_) why_ = ast_.exprs[id].span;
    return out;
  }

  source::Span why() const { return why_.value_or(source::Span{}); }

 private:
  static std::optional<StaticValue> some(StaticValue v) { return v; }

  std::optional<StaticValue> of_entity(const std::optional<Entity>& entity) {
    if (!entity) return std::nullopt;
    if (const auto* c = std::get_if<ConstantEntity>(&*entity)) return scope_.constant(c->constant).value;
    const auto* b = std::get_if<BuiltinEntity>(&*entity);
    if (b == nullptr || b->builtin->rule != Rule::kConstant) return std::nullopt;
    return weak(Constant::of_float(number_value(b->builtin->as<Number>())));
  }

  std::optional<StaticValue> tuple(const TupleExpr& e) {
    StaticValue out;
    out.is_tuple = true;
    for (ExprId id : e.elements) {
      auto element = evaluate(id);
      if (!element) return std::nullopt;
      out.elements.push_back(std::move(*element));
    }
    return out;
  }

  std::optional<StaticValue> unary(const UnaryExpr& e) {
    const auto a = evaluate(e.operand);
    if (!a || a->is_tuple) return std::nullopt;
    if (e.op == UnaryOp::kNot) return weak(Constant::of_bool(!a->constant.truthy()));
    Scalar type = a->type;
    if (type.dtype == DType::b1 && e.op != UnaryOp::kInvert) type = {DType::i8, Strength::kWeakConst};
    const auto c = fold_unary(e.op, a->constant, type);
    return c ? some({type, *c, false, {}}) : std::nullopt;
  }

  std::optional<StaticValue> binary(const BinaryExpr& e) {
    const auto a = evaluate(e.lhs), b = evaluate(e.rhs);
    if (!a || !b || a->is_tuple || b->is_tuple) return std::nullopt;
    Scalar type = arithmetic_type(e.op, *a, *b);
    auto c = fold_binary(e.op, a->constant, b->constant, type);
    if (!c && e.op == BinaryOp::kPow) {  // 2 ** -1, f4(2) ** 0.5
      if (!is_float(type.dtype)) type = {DType::f8, type.strength};
      c = cast(Constant::of_float(std::pow(a->constant.as_double(), b->constant.as_double())), type.dtype);
    }
    return c ? some(of_type(type, *c)) : std::nullopt;
  }

  std::optional<StaticValue> compare(const CompareExpr& e) {
    auto left = evaluate(e.first);
    bool all = true;
    for (size_t i = 0; i < e.ops.size(); ++i) {
      const auto right = evaluate(e.rest[i]);
      if (!left || !right || left->is_tuple || right->is_tuple || e.ops[i] >= CompareOp::kIs) return std::nullopt;
      all = all && fold_compare(e.ops[i], left->constant, right->constant);
      left = right;
    }
    return weak(Constant::of_bool(all));
  }

  std::optional<StaticValue> logic(const BoolExpr& e) {
    std::optional<StaticValue> value;
    for (ExprId id : e.operands) {
      value = evaluate(id);
      if (!value || value->is_tuple) return std::nullopt;
      if (value->constant.truthy() == (e.op == BoolOp::kOr)) return value;
    }
    return value;
  }

  std::optional<StaticValue> subscript(const SubscriptExpr& e) {
    const auto base = evaluate(e.base), index = evaluate(e.index);
    if (!base || !index || !base->is_tuple || index->is_tuple || index->constant.is_float()) return std::nullopt;
    const Int128 n = static_cast<Int128>(base->elements.size());
    Int128 i = index->constant.as_int();
    if (i < 0) i += n;
    if (i < 0 || i >= n) return std::nullopt;
    return base->elements[static_cast<size_t>(i)];
  }

  std::optional<StaticValue> call(const CallExpr& e) {
    const auto callee = scope_.resolve(ast_, e.callee);
    if (!callee || !e.keywords.empty()) return std::nullopt;
    std::vector<StaticValue> args;
    for (ExprId id : e.args) {
      auto a = evaluate(id);
      if (!a) return std::nullopt;
      args.push_back(std::move(*a));
    }
    if (const auto* t = std::get_if<TypeEntity>(&*callee)) {
      if (args.size() != 1 || args[0].is_tuple) return std::nullopt;
      return StaticValue{{t->dtype, Strength::kTyped}, cast(args[0].constant, t->dtype), false, {}};
    }
    const auto* b = std::get_if<BuiltinEntity>(&*callee);
    return b ? fold_builtin(*b->builtin, args) : std::nullopt;
  }

  const Ast& ast_;
  const FileScope& scope_;
  std::optional<source::Span> why_;
};

/// A float result in the type of its argument: ints become f8, f4 rounds.
StaticValue float_result(const StaticValue& like, double v) {
  Scalar type = like.type;
  if (!is_float(type.dtype)) type.dtype = DType::f8;
  return of_type(type, cast(Constant::of_float(v), type.dtype));
}

std::optional<StaticValue> fold_min_max(bool is_min, const std::vector<StaticValue>& args) {
  if (args.empty()) return std::nullopt;
  const auto& list = args.size() == 1 && args[0].is_tuple ? args[0].elements : args;
  if (list.size() < 2) return std::nullopt;
  StaticValue best = list[0];
  Scalar type = best.type;
  for (size_t i = 1; i < list.size(); ++i) {
    StaticValue so_far = best;
    so_far.type = type;
    type = join_constants(so_far, list[i]);
    const auto op = is_min ? CompareOp::kLt : CompareOp::kGt;
    if (fold_compare(op, list[i].constant, best.constant)) best = list[i];
  }
  return of_type(type, best.constant);
}

std::optional<StaticValue> fold_python_cast(PythonCast to, const StaticValue& a) {
  switch (to) {
    case PythonCast::kBool: return weak(Constant::of_bool(a.constant.truthy()));
    case PythonCast::kFloat: return float_result(a, a.constant.as_double());
    case PythonCast::kInt:
      if (is_int(a.type.dtype)) return a;
      if (!a.constant.is_float()) return weak(Constant::of_int(a.constant.as_int()));
      return of_type({DType::i8, a.type.strength}, cast(a.constant, DType::i8));
  }
  return std::nullopt;
}

std::optional<StaticValue> fold_abs(const StaticValue& a) {
  if (a.constant.is_float()) return of_type(a.type, Constant::of_float(std::fabs(a.constant.as_double())));
  const Int128 v = a.constant.as_int();
  const Scalar type = a.type.dtype == DType::b1 ? Scalar{DType::i8, Strength::kWeakConst} : a.type;
  return of_type(type, Constant::of_int(v < 0 ? -v : v));
}

}  // namespace

types::Scalar join_constants(const StaticValue& a, const StaticValue& b) {
  const auto misfit = [](const StaticValue& weak_side, const StaticValue& typed) {
    return weak_side.type.weak() && !typed.type.weak() && is_int(typed.type.dtype) && weak_side.constant.is_int() &&
           !fits(weak_side.constant, typed.type.dtype);
  };
  if (misfit(a, b)) return {types::promote(DType::i8, b.type.dtype), Strength::kTyped};
  if (misfit(b, a)) return {types::promote(DType::i8, a.type.dtype), Strength::kTyped};
  return types::join(a.type, b.type);
}

std::optional<StaticValue> fold_builtin(const Builtin& builtin, const std::vector<StaticValue>& args) {
  if (builtin.rule == Rule::kMinMax) {
    const auto op = builtin.as<kernel::BinaryOp>();
    if (op != kernel::BinaryOp::kMin && op != kernel::BinaryOp::kMax) return std::nullopt;
    return fold_min_max(op == kernel::BinaryOp::kMin, args);
  }
  if (builtin.rule == Rule::kLen) {
    if (args.size() != 1 || !args[0].is_tuple) return std::nullopt;
    return weak(Constant::of_int(static_cast<Int128>(args[0].elements.size())));
  }
  std::vector<double> values;
  for (const StaticValue& a : args) {
    if (a.is_tuple) return std::nullopt;
    values.push_back(a.constant.as_double());
  }
  if (args.empty()) return std::nullopt;
  std::optional<double> out;
  switch (builtin.rule) {
    case Rule::kUnaryFloat:
      if (args.size() == 1) out = fold_unary_float(builtin.as<kernel::UnaryOp>(), values[0]);
      break;
    case Rule::kMath1:
    case Rule::kMath2: out = fold_math(builtin.as<kernel::MathFn>(), values); break;
    case Rule::kMathPow: out = fold_math(kernel::MathFn::kPow, values); break;
    case Rule::kFmod: out = fold_math(kernel::MathFn::kFmod, values); break;
    case Rule::kScale:
      if (args.size() == 1) out = values[0] * scale_factor(builtin.as<Scale>());
      break;
    case Rule::kPythonCast:
      return args.size() == 1 ? fold_python_cast(builtin.as<PythonCast>(), args[0]) : std::nullopt;
    case Rule::kAbs: return args.size() == 1 ? fold_abs(args[0]) : std::nullopt;
    default: return std::nullopt;
  }
  if (!out) return std::nullopt;
  StaticValue like = args[0];
  if (args.size() == 2) like.type = join_constants(args[0], args[1]);
  return float_result(like, *out);
}

std::optional<StaticValue> evaluate_static(const Ast& ast, const FileScope& scope, ExprId expr,
                                           source::DiagnosticSink& sink) {
  Evaluator evaluator(ast, scope);
  auto out = evaluator.evaluate(expr);
  if (!out) {
    sink.report(DiagId::kNotConstant, evaluator.why())
        .help(
            "outside functions a value must be known when the text is compiled: numbers, typed constants such as "
            "np.float32(0.5), tuples, and arithmetic or math functions on them");
  }
  return out;
}

}  // namespace jitc::sema
