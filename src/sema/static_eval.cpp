#include "src/sema/static_eval.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "jitc/float_bits.hpp"
#include "src/base/match.hpp"
#include "src/sema/element_type.hpp"
#include "src/sema/fold_math.hpp"
#include "src/sema/static_array.hpp"
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

/// A weak complex number: what Python computes with.
StaticValue weak_complex(double real, double imag) {
  StaticValue out{{DType::c16, Strength::kWeakConst}, {}, false, {}};
  out.elements = {weak(Constant::of_float(real)), weak(Constant::of_float(imag))};
  return out;
}

std::complex<double> complex_of(const StaticValue& v) {
  if (!v.is_complex()) return v.constant.as_double();
  return {v.elements[0].constant.as_double(), v.elements[1].constant.as_double()};
}

/// `value` rounded to a complex type.
StaticValue complex_of_type(Scalar type, std::complex<double> value) {
  if (type.weak()) return weak_complex(value.real(), value.imag());
  const DType part = part_type(type.dtype);
  const auto rounded = [&](double v) {
    return StaticValue{{part, Strength::kTyped}, cast(Constant::of_float(v), part), false, {}};
  };
  StaticValue out{type, {}, false, {}};
  out.elements = {rounded(value.real()), rounded(value.imag())};
  return out;
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
  Evaluator(const Ast& ast, const FileScope& scope, source::DiagnosticSink& sink)
      : ast_(ast), scope_(scope), sink_(sink) {}

  std::optional<StaticValue> evaluate(ExprId id) {
    if (!id.valid()) return std::nullopt;
    auto out = base::match(
        ast_.exprs[id].kind, [&](const IntLit& e) { return some(weak(Constant::of_int(e.value))); },
        [&](const FloatLit& e) { return some(weak(Constant::of_float(e.value))); },
        [&](const ImagLit& e) { return some(weak_complex(0, e.value)); },
        [&](const BoolLit& e) { return some(weak(Constant::of_bool(e.value))); },
        [&](const NameExpr&) { return of_entity(scope_.resolve(ast_, id)); },
        [&](const AttributeExpr& e) { return attribute(e, id); }, [&](const TupleExpr& e) { return tuple(e.elements); },
        [&](const ListExpr& e) { return tuple(e.elements); }, [&](const UnaryExpr& e) { return unary(e); },
        [&](const BinaryExpr& e) { return binary(e); }, [&](const CompareExpr& e) { return compare(e); },
        [&](const BoolExpr& e) { return logic(e); },
        [&](const TernaryExpr& e) {
          const auto cond = evaluate(e.cond);
          return cond && cond->is_real() ? evaluate(cond->constant.truthy() ? e.then_value : e.else_value)
                                         : std::nullopt;
        },
        [&](const SubscriptExpr& e) { return subscript(e); }, [&](const CallExpr& e) { return call(e); },
        [](const auto&) { return std::optional<StaticValue>(); });
    if (!out && !why_) why_ = ast_.exprs[id].span;
    return out;
  }

  source::Span why() const { return why_.value_or(source::Span{}); }
  bool reported() const { return reported_; }

 private:
  static std::optional<StaticValue> some(StaticValue v) { return v; }

  std::optional<StaticValue> of_entity(const std::optional<Entity>& entity) {
    if (!entity) return std::nullopt;
    if (const auto* c = std::get_if<ConstantEntity>(&*entity)) return scope_.constant(c->constant).value;
    const auto* b = std::get_if<BuiltinEntity>(&*entity);
    if (b == nullptr || b->builtin->rule != Rule::kConstant) return std::nullopt;
    return weak(Constant::of_float(number_value(b->builtin->as<Number>())));
  }

  /// SCALE.size, SCALE.shape of arrays.
  std::optional<StaticValue> attribute(const AttributeExpr& e, ExprId id) {
    if (auto named = of_entity(scope_.resolve(ast_, id))) return named;
    const auto why = why_;  // the attribute as a whole is no constant, not its base
    const auto base = evaluate(e.base);
    why_ = why;
    return base && base->array ? array_attribute(*base->array, e.name) : std::nullopt;
  }

  /// Nothing changes a constant: a list is a tuple.
  std::optional<StaticValue> tuple(const std::vector<ExprId>& elements) {
    StaticValue out;
    out.is_tuple = true;
    for (ExprId id : elements) {
      auto element = evaluate(id);
      if (!element) return std::nullopt;
      out.elements.push_back(std::move(*element));
    }
    return out;
  }

  std::optional<StaticValue> unary(const UnaryExpr& e) {
    const auto a = evaluate(e.operand);
    if (!a || !a->is_scalar()) return std::nullopt;
    if (a->is_complex()) {
      if (e.op == UnaryOp::kPos) return a;
      return e.op == UnaryOp::kNeg ? some(complex_of_type(a->type, -complex_of(*a))) : std::nullopt;
    }
    if (e.op == UnaryOp::kNot) return weak(Constant::of_bool(!a->constant.truthy()));
    Scalar type = a->type;
    if (type.dtype == DType::b1 && e.op != UnaryOp::kInvert) type = {DType::i8, Strength::kWeakConst};
    const auto c = fold_unary(e.op, a->constant, type);
    return c ? some({type, *c, false, {}}) : std::nullopt;
  }

  std::optional<StaticValue> binary(const BinaryExpr& e) {
    const auto a = evaluate(e.lhs), b = evaluate(e.rhs);
    if (a && b && e.op == BinaryOp::kAdd && a->is_tuple && b->is_tuple) {
      StaticValue both = *a;
      both.elements.insert(both.elements.end(), b->elements.begin(), b->elements.end());
      return both;
    }
    if (!a || !b || !a->is_scalar() || !b->is_scalar()) return std::nullopt;
    if (a->is_complex() || b->is_complex()) return complex_binary(e.op, *a, *b);
    Scalar type = arithmetic_type(e.op, *a, *b);
    auto c = fold_binary(e.op, a->constant, b->constant, type);
    if (!c && e.op == BinaryOp::kPow) {  // 2 ** -1, f4(2) ** 0.5
      if (!is_float(type.dtype)) type = {DType::f8, type.strength};
      c = cast(Constant::of_float(std::pow(a->constant.as_double(), b->constant.as_double())), type.dtype);
    }
    return c ? some(of_type(type, *c)) : std::nullopt;
  }

  /// Sums and products; a quotient's last bit is the math library's, so that it waits for the kernel.
  std::optional<StaticValue> complex_binary(BinaryOp op, const StaticValue& a, const StaticValue& b) {
    const Scalar type = types::join(a.type, b.type);
    const std::complex<double> x = complex_of(a), y = complex_of(b);
    if (op == BinaryOp::kAdd) return complex_of_type(type, x + y);
    if (op == BinaryOp::kSub) return complex_of_type(type, x - y);
    if (op != BinaryOp::kMul) return std::nullopt;
    const DType part = part_type(type.dtype);
    const auto times = [&](double p, double q) { return round_to(part, p * q); };
    return complex_of_type(type, {times(x.real(), y.real()) - times(x.imag(), y.imag()),
                                  times(x.real(), y.imag()) + times(x.imag(), y.real())});
  }

  std::optional<StaticValue> compare(const CompareExpr& e) {
    auto left = evaluate(e.first);
    bool all = true;
    for (size_t i = 0; i < e.ops.size(); ++i) {
      const auto right = evaluate(e.rest[i]);
      if (!left || !right || !left->is_real() || !right->is_real() || e.ops[i] >= CompareOp::kIs) return std::nullopt;
      all = all && fold_compare(e.ops[i], left->constant, right->constant);
      left = right;
    }
    return weak(Constant::of_bool(all));
  }

  std::optional<StaticValue> logic(const BoolExpr& e) {
    std::optional<StaticValue> value;
    for (ExprId id : e.operands) {
      value = evaluate(id);
      if (!value || !value->is_real()) return std::nullopt;
      if (value->constant.truthy() == (e.op == BoolOp::kOr)) return value;
    }
    return value;
  }

  std::optional<StaticValue> subscript(const SubscriptExpr& e) {
    const auto base = evaluate(e.base), index = evaluate(e.index);
    if (base && base->array && index) return array_item(base->array, *index);
    if (!base || !index || !base->is_tuple || !index->is_real() || index->constant.is_float()) return std::nullopt;
    const Int128 n = static_cast<Int128>(base->elements.size());
    Int128 i = index->constant.as_int();
    if (i < 0) i += n;
    if (i < 0 || i >= n) return std::nullopt;
    return base->elements[static_cast<size_t>(i)];
  }

  std::optional<StaticValue> call(const CallExpr& e) {
    const auto callee = scope_.resolve(ast_, e.callee);
    const auto* maker = callee ? std::get_if<BuiltinEntity>(&*callee) : nullptr;
    if (maker && maker->builtin->rule == Rule::kArrayMaker) return array(*maker->builtin, e);
    if (!callee || !e.keywords.empty()) return std::nullopt;
    std::vector<StaticValue> args;
    for (ExprId id : e.args) {
      auto a = evaluate(id);
      if (!a) return std::nullopt;
      args.push_back(std::move(*a));
    }
    if (const auto* t = std::get_if<TypeEntity>(&*callee)) {
      if (args.size() != 1 || !args[0].is_scalar()) return std::nullopt;
      if (is_complex(t->dtype)) return complex_of_type({t->dtype, Strength::kTyped}, complex_of(args[0]));
      if (args[0].is_complex()) return std::nullopt;
      return StaticValue{{t->dtype, Strength::kTyped}, cast(args[0].constant, t->dtype), false, {}};
    }
    const auto* b = std::get_if<BuiltinEntity>(&*callee);
    return b ? fold_builtin(*b->builtin, args) : std::nullopt;
  }

  /// np.array([[1, 2], [3, 4]], dtype=np.float32) and its kind; what is wrong with one is reported here.
  std::optional<StaticValue> array(const Builtin& maker, const CallExpr& e) {
    ArrayArguments args;
    for (ExprId id : e.args) {
      if (args.positional.size() == dtype_position(maker.as<ArrayMaker>())) {
        args.dtype = element_type(id);
        if (!args.dtype) return std::nullopt;
        continue;
      }
      auto value = evaluate(id);
      if (!value) return std::nullopt;
      args.positional.push_back(std::move(*value));
    }
    for (const KeywordArg& k : e.keywords) {
      if (k.name == "dtype") {
        args.dtype = element_type(k.value);
        if (!args.dtype) return std::nullopt;
        continue;
      }
      auto value = evaluate(k.value);
      if (!value) return std::nullopt;
      args.named.emplace_back(k.name, std::move(*value));
    }
    const ArrayResult made = make_array(maker.as<ArrayMaker>(), std::move(args));
    if (made.array) return StaticValue{{made.array->dtype, Strength::kTyped}, {}, false, {}, made.array};
    sink_.report(DiagId::kBadConstantArray, ast_.exprs[e.callee].span, made.why).help(made.help);
    reported_ = true;
    return std::nullopt;
  }

  std::optional<DType> element_type(ExprId id) {
    const auto dtype = dtype_named_by(ast_, id, scope_.resolve(ast_, id));
    if (!dtype) why_ = ast_.exprs[id].span;
    return dtype;
  }

  const Ast& ast_;
  const FileScope& scope_;
  source::DiagnosticSink& sink_;
  std::optional<source::Span> why_;
  bool reported_ = false;
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
  const auto is_scalar = [](const StaticValue& v) { return v.is_scalar(); };
  if (list.size() < 2 || !std::all_of(list.begin(), list.end(), is_scalar)) return std::nullopt;
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

/// complex(re, im) of weak numbers.
std::optional<StaticValue> fold_complex(const std::vector<StaticValue>& args) {
  for (const StaticValue& a : args) {
    if (!a.is_real() || !a.type.weak()) return std::nullopt;
  }
  if (args.empty() || args.size() > 2) return std::nullopt;
  return weak_complex(args[0].constant.as_double(), args.size() == 2 ? args[1].constant.as_double() : 0);
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
  if (std::any_of(args.begin(), args.end(), [](const StaticValue& a) { return a.is_complex(); })) return std::nullopt;
  if (builtin.rule == Rule::kComplex) return fold_complex(args);
  if (builtin.rule == Rule::kMinMax) {
    const auto op = builtin.as<kernel::BinaryOp>();
    if (op != kernel::BinaryOp::kMin && op != kernel::BinaryOp::kMax) return std::nullopt;
    return fold_min_max(op == kernel::BinaryOp::kMin, args);
  }
  if (builtin.rule == Rule::kLen) {
    if (args.size() != 1 || args[0].is_scalar()) return std::nullopt;
    const size_t length = args[0].array ? args[0].array->shape[0] : args[0].elements.size();
    return weak(Constant::of_int(static_cast<Int128>(length)));
  }
  std::vector<double> values;
  for (const StaticValue& a : args) {
    if (!a.is_scalar()) return std::nullopt;
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
  Evaluator evaluator(ast, scope, sink);
  auto out = evaluator.evaluate(expr);
  if (!out && !evaluator.reported()) {
    sink.report(DiagId::kNotConstant, evaluator.why())
        .help(
            "outside functions a value must be known when the text is compiled: numbers, typed constants such as "
            "np.float32(0.5), tuples, arrays made by np.array(…), and arithmetic or math functions on numbers");
  }
  return out;
}

}  // namespace jitc::sema
