// Built-in functions: one small method per rule of builtins.def.
#include <fmt/format.h>

#include <algorithm>

#include "src/base/match.hpp"
#include "src/sema/array_typer.hpp"
#include "src/sema/fold_math.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/libdevice.hpp"
#include "src/sema/static_eval.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

namespace {

struct Arity {
  size_t least, most;
};

Arity arity(const Builtin& b) {
  switch (b.rule) {
    case Rule::kMath2:
    case Rule::kFmod:
    case Rule::kCopySign:
    case Rule::kMathPow:
    case Rule::kOperator:
    case Rule::kComparison:
    case Rule::kLdexp:
    case Rule::kDivmod:
    case Rule::kRect:
    case Rule::kVote:
    case Rule::kMatch: return {2, 2};
    case Rule::kLogical: return b.as<Logical>() == Logical::kNot ? Arity{1, 1} : Arity{2, 2};
    case Rule::kFma:
    case Rule::kWhere:
    case Rule::kShuffle: return {3, 3};
    case Rule::kComplex: return {1, 2};
    case Rule::kFence:
    case Rule::kThisGrid:
    case Rule::kActiveMask:
    case Rule::kLaneMask: return {0, 0};
    case Rule::kBarrier: return b.as<BarrierOp>() == BarrierOp::kBlock ? Arity{0, 0} : Arity{1, 1};
    case Rule::kSyncWarp: return {0, 1};
    case Rule::kMinMax: return {1, 64};
    case Rule::kRound: return {1, 2};
    case Rule::kLibdevice: {
      const size_t count = libdevice_function(b).param_count;
      return {count, count};
    }
    default: return {1, 1};
  }
}

std::string arity_text(Arity a) {
  const auto count = [](size_t n) { return fmt::format("{} argument{}", n, n == 1 ? "" : "s"); };
  if (a.most == 0) return "no arguments";
  return a.least == a.most ? count(a.least) : fmt::format("{} to {}", a.least, count(a.most));
}

}  // namespace

ExprId FunctionTyper::call_builtin(const BuiltinEntity& b, const syntax::CallExpr& e, Span span) {
  const Span callee = ctx_.ast.exprs[e.callee].span;
  const std::string spelled(ctx_.file.text(callee).substr(0, 60));
  switch (b.builtin->rule) {
    case Rule::kFuture:
      report(DiagId::kFutureBuiltin, callee, spelled).help("see the table of what works today in the README");
      return poison(span);
    case Rule::kDecorator:
    case Rule::kConstant:
    case Rule::kDim3:
    case Rule::kThreadScalar:
      report(DiagId::kNotCallable, callee, spelled).help("use it without the parentheses");
      return poison(span);
    case Rule::kArrayFn:
      if (has_arrays()) return ArrayTyper(*this).call(b, e, span);
      report(DiagId::kArrayFunctionInKernel, callee, spelled)
          .help(
              "thread kernels and functions of elements compute with single values; write @jit(\"…\") above a function "
              "of whole arrays");
      return poison(span);
    case Rule::kMinMax:
      if (has_arrays() && is_reduction_call(b, e)) {
        return ArrayTyper(*this).call({ArrayTyper::folding(b.builtin), b.via}, e, span);
      }
      break;
    case Rule::kArrayMaker:
      if (has_arrays()) return ArrayTyper(*this).make(b.builtin->as<ArrayMaker>(), e, span);
      report(DiagId::kNoArrayInKernel, callee, spelled)
          .help(
              "cuda.local.array and cuda.shared.array are scratch memory; arrays of constants stand at the top of "
              "the file");
      return poison(span);
    case Rule::kMemoryArray: return call_memory_array(b, e, span);
    case Rule::kConstArray: return call_const_array(e, span);
    case Rule::kAtomic: return call_atomic(b, e, span);
    case Rule::kRandom: return call_random(b, e, span);
    case Rule::kHostFunction:
      report(DiagId::kHostFunction, callee, spelled)
          .help(
              "make the states before the launch: jitc::xoroshiro128p_states(n, seed), or the SPEC "
              "xoroshiro:u8[n,2]:seed=1");
      return poison(span);
    case Rule::kPrint: return call_print(e, span);
    case Rule::kIterable:
      report(DiagId::kIterableValue, span, spelled).help("use it in a for statement: for i in range(n):");
      return poison(span);
    default: break;
  }
  const Arity wanted = arity(*b.builtin);
  if (!e.keywords.empty()) {
    report(DiagId::kUnknownKeyword, e.keywords[0].name_span, spelled, e.keywords[0].name);
    return poison(span);
  }
  if (e.args.size() < wanted.least || e.args.size() > wanted.most) {
    report(DiagId::kArgumentCount, span, spelled, arity_text(wanted), e.args.size());
    return poison(span);
  }
  std::vector<ExprId> args;
  bool ok = true;
  for (SynExprId id : e.args) {
    args.push_back(type_expr(id));
    ok = ok && !unknown(args.back());
  }
  if (!ok) return poison(span);
  // Weak constants fold, whatever the function.
  std::vector<StaticValue> constants;
  for (ExprId a : args) {
    const Scalar* s = scalar_of(a);
    if (s && s->strength == Strength::kWeakConst && constant_of(a))
      constants.push_back({*s, *constant_of(a), false, {}});
  }
  if (constants.size() == args.size()) {
    if (const auto folded = fold_builtin(*b.builtin, constants)) return static_value(*folded, span);
  }
  if (b.builtin->rule == Rule::kLen) return call_len(args[0], span);
  if (has_arrays() && any_array(args)) return map_builtin(b, args, e, span);
  if (b.builtin->rule == Rule::kMinMax) return call_min_max(b, std::move(args), span);
  for (ExprId a : args) {
    if (!require_scalar(a, fmt::format("{}()", spelled))) return poison(span);
  }
  return apply_builtin(b, args, e, span);
}

ExprId FunctionTyper::apply_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args, const syntax::CallExpr& e,
                                    Span span) {
  if (const auto out = complex_builtin(b, args, callee_text(e), span)) return *out;
  if (const auto out = thread_builtin(b, args, callee_text(e), span)) return *out;
  switch (b.builtin->rule) {
    case Rule::kUnaryFloat:
    case Rule::kMath1:
    case Rule::kMath2:
    case Rule::kScale:
    case Rule::kCopySign:
    case Rule::kMathPow: return float_function(b, args, span);
    case Rule::kFmod: return call_fmod(b, args, span);
    case Rule::kOperator:
    case Rule::kComparison:
    case Rule::kUnaryOperator: return call_operator(b, args, span);
    case Rule::kLogical: return call_logical(b.builtin->as<Logical>(), args, span);
    case Rule::kPredicate: return call_predicate(b, args[0], span);
    case Rule::kAbs: return call_abs(args[0], span);
    case Rule::kRound: return call_round(b, args, span);
    case Rule::kDivmod: return call_divmod(args, span);
    case Rule::kPythonCast: return call_python_cast(b.builtin->as<PythonCast>(), args[0], span);
    case Rule::kGrid: return call_grid(b, args, span);
    case Rule::kWhere: return call_where(args, span);
    case Rule::kFma: return call_fma(b, args, span);
    case Rule::kLdexp: return call_ldexp(b, args, span);
    case Rule::kFrexp: return call_frexp(b, args[0], span);
    case Rule::kModf: return call_modf(b, args[0], span);
    case Rule::kSincos: return call_sincos(b, args[0], span);
    case Rule::kSign: return call_sign(b, args[0], span);
    case Rule::kLibdevice: return call_libdevice(libdevice_function(*b.builtin), args, span);
    case Rule::kSquare: {
      const Shared shared = share(args[0]);
      return wrap(shared, type_binary(syntax::BinaryOp::kMul, copy(shared.value), copy(shared.value), span, span));
    }
    case Rule::kReciprocal: {
      const bool was = std::exchange(quiet_division_, true);
      const ExprId out = type_binary(syntax::BinaryOp::kDiv, weak_int(span, 1), args[0], span, span);
      quiet_division_ = was;
      return out;
    }
    default: break;
  }
  JITC_CHECK(false, fmt::format("no rule for the built-in {}", b.builtin->name));
}

/// Floats keep their type. On ints the spelling decides: math.* computes in f8, NumPy's names in f8 for 32 and 64 bits
/// and in f2 or f4 for narrower ones.
std::optional<types::Scalar> FunctionTyper::float_operand(ExprId arg, const BuiltinEntity& b) {
  const Scalar s = *scalar_of(arg);
  if (is_float(s.dtype)) return s;
  if (s.weak()) return Scalar{DType::f8, Strength::kWeakRuntime};
  if (b.via == Module::kMath || b.via == Module::kCuda || size_bytes(s.dtype) >= 4)
    return Scalar{DType::f8, Strength::kTyped};
  return Scalar{size_bytes(s.dtype) == 2 ? DType::f4 : DType::f2, Strength::kTyped};
}

/// The float type in which all arguments are computed.
std::optional<types::Scalar> FunctionTyper::common_float(const BuiltinEntity& b, const std::vector<ExprId>& args) {
  std::optional<Scalar> type;
  for (ExprId a : args) {
    const auto s = float_operand(a, b);
    if (!s) return std::nullopt;
    Scalar mine = *s;
    // An int constant beside a float adopts the float's type.
    if (constant_of(a) && scalar_of(a)->weak()) mine.strength = Strength::kWeakConst;
    type = type ? types::join(*type, mine) : mine;
  }
  if (type->weak()) type->strength = Strength::kWeakRuntime;
  return type;
}

ExprId FunctionTyper::float_function(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span) {
  const auto type = common_float(b, args);
  if (!type) return poison(span);
  if (args.size() == 2) warn_f64(span, *scalar_of(args[0]), *scalar_of(args[1]), *type);
  const TypeId result = ctx_.types.scalar(*type);
  std::vector<ExprId> values;
  for (ExprId a : args) values.push_back(convert(a, ctx_.types.scalar(*type)));
  switch (b.builtin->rule) {
    case Rule::kUnaryFloat:
      if (b.builtin->as<UnaryOp>() == UnaryOp::kSqrt && is_fast(result)) {
        return add(span, result, MathExpr{MathFn::kFastSqrt, std::move(values)});
      }
      return add(span, result, UnaryExpr{b.builtin->as<UnaryOp>(), values[0]});
    case Rule::kCopySign: return add(span, result, BinaryExpr{BinaryOp::kCopySign, values[0], values[1]});
    case Rule::kMathPow: return math(span, result, MathFn::kPow, std::move(values));
    case Rule::kScale: {
      const ExprId factor = constant(span, *type, Constant::of_float(scale_factor(b.builtin->as<Scale>())));
      fn_->exprs[factor].type = result;
      fn_->exprs[factor].constant = cast(Constant::of_float(scale_factor(b.builtin->as<Scale>())), type->dtype);
      return binary(BinaryOp::kMul, values[0], factor, span);
    }
    default: return math(span, result, b.builtin->as<MathFn>(), std::move(values));
  }
}

ExprId FunctionTyper::call_operator(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span) {
  switch (b.builtin->rule) {
    case Rule::kOperator: {
      const bool was = std::exchange(quiet_division_, b.via == Module::kNumpy);
      const ExprId out = type_binary(b.builtin->as<syntax::BinaryOp>(), args[0], args[1], span, span);
      quiet_division_ = was;
      return out;
    }
    case Rule::kComparison: return type_comparison(b.builtin->as<syntax::CompareOp>(), args[0], args[1], span, span);
    default: return type_unary(b.builtin->as<syntax::UnaryOp>(), args[0], span);
  }
}

/// math.fmod is a function of floats; np.fmod keeps ints and truncates: a - trunc(a / b) * b, which is the floored
/// remainder of the magnitudes with the dividend's sign.
ExprId FunctionTyper::call_fmod(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span) {
  const Scalar type = meet(args[0], args[1], true);
  if (b.via == Module::kMath || is_float(type.dtype)) {
    std::vector<ExprId> values;
    Scalar f = is_float(type.dtype) ? type : Scalar{DType::f8, type.strength};
    if (f.weak()) f.strength = Strength::kWeakRuntime;
    for (ExprId a : args) values.push_back(convert(a, ctx_.types.scalar(f)));
    return add(span, ctx_.types.scalar(f), MathExpr{MathFn::kFmod, std::move(values)});
  }
  Scalar result = type;
  if (result.weak()) result.strength = Strength::kWeakRuntime;
  const ExprId x = adapt(args[0], result), y = adapt(args[1], result);
  if (unknown(x) || unknown(y)) return poison(span);
  if (is_unsigned_int(type.dtype)) return binary(BinaryOp::kMod, x, y, span);
  const Shared a = share(x), m = share(y);
  const ExprId r0 = binary(BinaryOp::kMod, copy(a.value), copy(m.value), span);
  const Shared r = share(r0);
  const auto zero = [&] {
    const ExprId z = constant(span, {type.dtype, Strength::kTyped}, Constant::of_int(0));
    fn_->exprs[z].type = ctx_.types.scalar(result);
    return z;
  };
  const TypeId b1 = ctx_.types.scalar(DType::b1);
  // The floored remainder has the divisor's sign; one divisor less gives the dividend's.
  const ExprId wrong_side =
      add(span, b1,
          BinaryExpr{BinaryOp::kXor, add(span, b1, CompareExpr{CompareOp::kLt, copy(a.value), zero()}),
                     add(span, b1, CompareExpr{CompareOp::kLt, copy(m.value), zero()})});
  const ExprId nonzero = add(span, b1, CompareExpr{CompareOp::kNe, copy(r.value), zero()});
  const ExprId fix = add(span, b1, BinaryExpr{BinaryOp::kAnd, wrong_side, nonzero});
  const ExprId fixed = binary(BinaryOp::kSub, copy(r.value), copy(m.value), span);
  const ExprId out = add(span, ctx_.types.scalar(result), SelectExpr{fix, fixed, copy(r.value)});
  return wrap(a, wrap(m, wrap(r, out)));
}

ExprId FunctionTyper::call_min_max(const BuiltinEntity& b, std::vector<ExprId> args, Span span) {
  if (args.size() == 1) {
    const auto* tuple = ctx_.types.as_tuple(type_of(args[0]));
    if (tuple == nullptr || tuple->elements.empty()) {
      report(DiagId::kReductionInKernel, span, b.builtin->name, type_text(args[0]))
          .help("a thread kernel compares elements: give two or more values, or loop");
      return poison(span);
    }
    const size_t count = tuple->elements.size();
    const Shared shared = share(args[0]);
    std::vector<ExprId> items;
    for (uint32_t i = 0; i < count; ++i) items.push_back(tuple_element(copy(shared.value), i, span));
    return wrap(shared, items.size() == 1 ? items[0] : call_min_max(b, std::move(items), span));
  }
  if (b.builtin->name != "min" && b.builtin->name != "max" && args.size() != 2) {
    report(DiagId::kArgumentCount, span, b.builtin->name, "2 arguments", args.size());
    return poison(span);
  }
  for (ExprId a : args) {
    if (!require_scalar(a, fmt::format("{}()", b.builtin->name))) return poison(span);
  }
  Scalar type = *scalar_of(args[0]);
  for (size_t i = 1; i < args.size(); ++i) type = types::join(type, *scalar_of(args[i]));
  if (is_complex(type.dtype)) {
    report(DiagId::kBadOperand, span, b.builtin->name, ctx_.types.to_string(ctx_.types.scalar(type)))
        .help("complex numbers have no order: compare abs(z), z.real or z.imag");
    return poison(span);
  }
  if (type.weak()) type.strength = Strength::kWeakRuntime;
  for (ExprId& a : args) {
    a = adapt(a, type);
    if (unknown(a)) return poison(span);
  }
  auto op = b.builtin->as<BinaryOp>();
  if (!is_float(type.dtype)) {  // ints have no NaN: one operation serves all spellings
    const bool is_min = op == BinaryOp::kMin || op == BinaryOp::kMinimum || op == BinaryOp::kFmin;
    op = is_min ? BinaryOp::kMin : BinaryOp::kMax;
    if (is_bool(type.dtype)) op = is_min ? BinaryOp::kAnd : BinaryOp::kOr;
  }
  ExprId out = args[0];
  for (size_t i = 1; i < args.size(); ++i) out = binary(op, out, args[i], span);
  return out;
}

ExprId FunctionTyper::call_predicate(const BuiltinEntity& b, ExprId arg, Span span) {
  const auto op = b.builtin->as<UnaryOp>();
  const Scalar s = *scalar_of(arg);
  const TypeId b1 = ctx_.types.scalar(DType::b1);
  if (is_float(s.dtype)) return add(span, b1, UnaryExpr{op, to_dtype(arg, s.dtype)});
  if (op == UnaryOp::kSignBit) {
    const ExprId zero = constant(span, {s.dtype, Strength::kTyped}, Constant::of_int(0));
    return add(span, b1, CompareExpr{CompareOp::kLt, to_dtype(arg, s.dtype), zero});
  }
  return constant(span, {DType::b1, Strength::kTyped}, Constant::of_bool(op == UnaryOp::kIsFinite));
}

ExprId FunctionTyper::call_abs(ExprId arg, Span span) {
  const Scalar s = types::as_arithmetic_operand(*scalar_of(arg));
  const ExprId value = convert(arg, ctx_.types.scalar(s));
  if (is_unsigned_int(s.dtype)) return value;
  if (const auto c = constant_of(value)) {
    const Constant magnitude =
        c->is_float()
            ? Constant::of_float(c->as_double() < 0 || (c->as_double() == 0) ? 0 - c->as_double() : c->as_double())
            : Constant::of_int(c->as_int() < 0 ? -c->as_int() : c->as_int());
    return constant(span, s, s.weak() ? magnitude : cast(magnitude, s.dtype));
  }
  return add(span, type_of(value), UnaryExpr{UnaryOp::kAbs, value});
}

/// round(x) is an int, half to even; round(x, n) keeps the float. np.round and np.around keep the float always.
ExprId FunctionTyper::call_round(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span) {
  const Scalar s = types::as_arithmetic_operand(*scalar_of(args[0]));
  const ExprId value = convert(args[0], ctx_.types.scalar(s));
  if (!is_float(s.dtype) && args.size() == 1) return value;
  if (args.size() == 2) {
    const Scalar* digits = scalar_of(args[1]);
    if (is_float(digits->dtype)) {
      report(DiagId::kBadIndex, span_of(args[1]), type_text(args[1])).help("the number of digits is an int");
      return poison(span);
    }
    const Scalar f = is_float(s.dtype)
                         ? s
                         : Scalar{DType::f8, s.strength == Strength::kWeakConst ? Strength::kWeakRuntime : s.strength};
    return add(span, ctx_.types.scalar(f),
               MathExpr{MathFn::kRoundN, {convert(value, ctx_.types.scalar(f)), to_dtype(args[1], DType::i4)}});
  }
  const ExprId rounded = add(span, type_of(value), UnaryExpr{UnaryOp::kRint, value});
  if (b.via == Module::kNumpy || b.builtin->name != "round") return rounded;
  return to_dtype(rounded, DType::i8);
}

ExprId FunctionTyper::call_divmod(const std::vector<ExprId>& args, Span span) {
  const Shared a = share(args[0]), b = share(args[1]);
  const ExprId quotient = type_binary(syntax::BinaryOp::kFloorDiv, copy(a.value), copy(b.value), span, span);
  const ExprId remainder = type_binary(syntax::BinaryOp::kMod, copy(a.value), copy(b.value), span, span);
  if (unknown(quotient) || unknown(remainder)) return poison(span);
  const TypeId type = ctx_.types.tuple({type_of(quotient), type_of(remainder)});
  return wrap(a, wrap(b, add(span, type, TupleExpr{{quotient, remainder}})));
}

ExprId FunctionTyper::call_python_cast(PythonCast to, ExprId arg, Span span) {
  const Scalar s = *scalar_of(arg);
  const auto runtime = [&](DType dtype) {
    return ctx_.types.scalar(dtype, s.weak() ? Strength::kWeakRuntime : Strength::kTyped);
  };
  ExprId out = arg;
  switch (to) {
    case PythonCast::kBool: return to_bool(arg);
    case PythonCast::kInt:
      if (is_int(s.dtype)) return arg;
      out = convert(arg, runtime(DType::i8));
      break;
    case PythonCast::kFloat:
      if (is_float(s.dtype)) return arg;
      out = convert(arg, runtime(DType::f8));
      break;
  }
  (void)span;
  return out;
}

ExprId FunctionTyper::call_len(ExprId arg, Span span) {
  if (const auto* t = ctx_.types.as_tuple(type_of(arg))) return weak_int(span, static_cast<Int128>(t->elements.size()));
  if (array_of(arg)) return extent(arg, 0, span);
  report(DiagId::kNotIterable, span_of(arg), type_text(arg)).help("arrays and tuples have a length");
  return poison(span);
}

ExprId FunctionTyper::call_grid(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span) {
  const auto c = constant_of(args[0]);
  if (!c || c->is_float() || c->as_int() < 1 || c->as_int() > 3) {
    report(DiagId::kGridDimensions, span_of(args[0]), b.builtin->name);
    return poison(span);
  }
  const auto value = b.builtin->as<ThreadValue>();
  const uint8_t count = static_cast<uint8_t>(c->as_int());
  if (count == 1) return thread_value(value, 0, span);
  std::vector<ExprId> elements;
  for (uint8_t axis = 0; axis < count; ++axis) elements.push_back(thread_value(value, axis, span));
  const TypeId weak = ctx_.types.scalar(DType::i8, Strength::kWeakRuntime);
  return add(span, ctx_.types.tuple(std::vector<TypeId>(count, weak)), TupleExpr{std::move(elements)});
}

ExprId FunctionTyper::call_where(const std::vector<ExprId>& args, Span span) {
  const ExprId cond = to_bool(args[0]);
  Scalar type = types::join(*scalar_of(args[1]), *scalar_of(args[2]));
  if (type.weak()) type.strength = Strength::kWeakRuntime;
  warn_f64(span, *scalar_of(args[1]), *scalar_of(args[2]), type);
  const ExprId a = adapt(args[1], type), b = adapt(args[2], type);
  if (unknown(cond) || unknown(a) || unknown(b)) return poison(span);
  return add(span, ctx_.types.scalar(type), SelectExpr{cond, a, b});
}

ExprId FunctionTyper::call_fma(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span) {
  const auto type = common_float(b, args);
  if (!type) return poison(span);
  const TypeId to = ctx_.types.scalar(*type);
  return add(span, to, FmaExpr{convert(args[0], to), convert(args[1], to), convert(args[2], to)});
}

ExprId FunctionTyper::call_ldexp(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span) {
  auto s = float_operand(args[0], b);
  if (!s) return poison(span);
  if (s->weak()) s->strength = Strength::kWeakRuntime;
  if (is_float(scalar_of(args[1])->dtype)) {
    report(DiagId::kBadIndex, span_of(args[1]), type_text(args[1])).help("the exponent of ldexp is an int");
    return poison(span);
  }
  // Any exponent past this gives 0 or inf; narrowing must not wrap it.
  const ExprId wide = to_dtype(args[1], DType::i8);
  const auto bound = [&](Int128 v) { return constant(span, {DType::i8, Strength::kTyped}, Constant::of_int(v)); };
  const ExprId clamped = binary(BinaryOp::kMax, binary(BinaryOp::kMin, wide, bound(5000), span), bound(-5000), span);
  return add(span, ctx_.types.scalar(*s),
             MathExpr{MathFn::kLdexp, {convert(args[0], ctx_.types.scalar(*s)), to_dtype(clamped, DType::i4)}});
}

ExprId FunctionTyper::call_frexp(const BuiltinEntity& b, ExprId arg, Span span) {
  auto s = float_operand(arg, b);
  if (!s) return poison(span);
  if (s->weak()) s->strength = Strength::kWeakRuntime;
  const TypeId type = ctx_.types.scalar(*s), i4 = ctx_.types.scalar(DType::i4);
  const Shared x = share(convert(arg, type));
  const ExprId mantissa = add(span, type, MathExpr{MathFn::kFrexpMant, {copy(x.value)}});
  const ExprId exponent = add(span, i4, MathExpr{MathFn::kFrexpExp, {copy(x.value)}});
  return wrap(x, add(span, ctx_.types.tuple({type, i4}), TupleExpr{{mantissa, exponent}}));
}

ExprId FunctionTyper::call_sincos(const BuiltinEntity& b, ExprId arg, Span span) {
  auto s = float_operand(arg, b);
  if (!s) return poison(span);
  if (s->weak()) s->strength = Strength::kWeakRuntime;
  const TypeId type = ctx_.types.scalar(*s);
  const Shared x = share(convert(arg, type));
  const ExprId sine = math(span, type, MathFn::kSin, {copy(x.value)});
  const ExprId cosine = math(span, type, MathFn::kCos, {copy(x.value)});
  return wrap(x, add(span, ctx_.types.tuple({type, type}), TupleExpr{{sine, cosine}}));
}

/// (fraction, whole), both with the argument's sign; the fraction of an infinity is 0.
ExprId FunctionTyper::call_modf(const BuiltinEntity& b, ExprId arg, Span span) {
  auto s = float_operand(arg, b);
  if (!s) return poison(span);
  if (s->weak()) s->strength = Strength::kWeakRuntime;
  const TypeId type = ctx_.types.scalar(*s), b1 = ctx_.types.scalar(DType::b1);
  const Shared x = share(convert(arg, type));
  const Shared whole = share(add(span, type, UnaryExpr{UnaryOp::kTrunc, copy(x.value)}));
  const ExprId difference = binary(BinaryOp::kSub, copy(x.value), copy(whole.value), span);
  const ExprId zero = constant(span, {s->dtype, Strength::kTyped}, Constant::of_float(0));
  fn_->exprs[zero].type = type;
  const ExprId infinite = add(span, b1, UnaryExpr{UnaryOp::kIsInf, copy(x.value)});
  const ExprId fraction = add(span, type, SelectExpr{infinite, zero, difference});
  const ExprId with_sign = binary(BinaryOp::kCopySign, fraction, copy(x.value), span);
  const ExprId out = add(span, ctx_.types.tuple({type, type}), TupleExpr{{with_sign, copy(whole.value)}});
  return wrap(x, wrap(whole, out));
}

ExprId FunctionTyper::call_logical(Logical logical, const std::vector<ExprId>& args, Span span) {
  if (logical == Logical::kNot) return type_unary(syntax::UnaryOp::kNot, args[0], span);
  const ExprId a = to_bool(args[0]), b = to_bool(args[1]);
  if (unknown(a) || unknown(b)) return poison(span);
  const BinaryOp op = logical == Logical::kAnd  ? BinaryOp::kAnd
                      : logical == Logical::kOr ? BinaryOp::kOr
                                                : BinaryOp::kXor;
  return add(span, ctx_.types.scalar(DType::b1), BinaryExpr{op, to_dtype(a, DType::b1), to_dtype(b, DType::b1)});
}

/// -1, 0 or 1 in the argument's type; NaN stays NaN.
ExprId FunctionTyper::call_sign(const BuiltinEntity&, ExprId arg, Span span) {
  const Scalar s = types::as_arithmetic_operand(*scalar_of(arg));
  const Scalar type{s.dtype, s.weak() ? Strength::kWeakRuntime : Strength::kTyped};
  const TypeId to = ctx_.types.scalar(type), b1 = ctx_.types.scalar(DType::b1);
  const Shared x = share(convert(arg, to));
  const auto number = [&](int v) {
    const Constant c = is_float(s.dtype) ? Constant::of_float(v) : Constant::of_int(v);
    const ExprId id = constant(span, {s.dtype, Strength::kTyped}, c);
    fn_->exprs[id].type = to;
    return id;
  };
  const auto test = [&](CompareOp op) { return add(span, b1, CompareExpr{op, copy(x.value), number(0)}); };
  // A zero of either sign gives 0, and NaN stays.
  const ExprId rest = is_float(s.dtype) ? binary(BinaryOp::kAdd, copy(x.value), number(0), span) : copy(x.value);
  const ExprId positive = add(span, to, SelectExpr{test(CompareOp::kGt), number(1), rest});
  if (is_unsigned_int(s.dtype)) return wrap(x, positive);
  return wrap(x, add(span, to, SelectExpr{test(CompareOp::kLt), number(-1), positive}));
}

}  // namespace jitc::sema
