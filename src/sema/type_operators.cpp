// Operators: which type operands meet in, and which operation of the kernel IR that makes.
#include <fmt/format.h>

#include "src/base/match.hpp"
#include "src/sema/array_typer.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/operands.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;
using Op = syntax::BinaryOp;

namespace {

BinaryOp int_operation(Op op) {
  switch (op) {
    case Op::kAdd: return BinaryOp::kAdd;
    case Op::kSub: return BinaryOp::kSub;
    case Op::kMul: return BinaryOp::kMul;
    case Op::kDiv: return BinaryOp::kDiv;
    case Op::kFloorDiv: return BinaryOp::kFloorDiv;
    case Op::kMod: return BinaryOp::kMod;
    case Op::kPow: return BinaryOp::kIntPow;
    case Op::kShl: return BinaryOp::kShl;
    case Op::kShr: return BinaryOp::kShr;
    case Op::kAnd: return BinaryOp::kAnd;
    case Op::kOr: return BinaryOp::kOr;
    case Op::kXor: return BinaryOp::kXor;
    case Op::kMatMul: break;
  }
  JITC_CHECK(false, "no scalar operation for @");
}

CompareOp comparison(syntax::CompareOp op) {
  switch (op) {
    case syntax::CompareOp::kEq: return CompareOp::kEq;
    case syntax::CompareOp::kNe: return CompareOp::kNe;
    case syntax::CompareOp::kLt: return CompareOp::kLt;
    case syntax::CompareOp::kLe: return CompareOp::kLe;
    case syntax::CompareOp::kGt: return CompareOp::kGt;
    case syntax::CompareOp::kGe: return CompareOp::kGe;
    default: break;
  }
  JITC_CHECK(false, "not a comparison of numbers");
}

/// The function of fastmath=True, or `fn` itself where there is none.
MathFn fast_variant(MathFn fn) {
  switch (fn) {
    case MathFn::kSin: return MathFn::kFastSin;
    case MathFn::kCos: return MathFn::kFastCos;
    case MathFn::kTan: return MathFn::kFastTan;
    case MathFn::kTanh: return MathFn::kFastTanh;
    case MathFn::kExp: return MathFn::kFastExp;
    case MathFn::kExp2: return MathFn::kFastExp2;
    case MathFn::kLog: return MathFn::kFastLog;
    case MathFn::kLog2: return MathFn::kFastLog2;
    case MathFn::kLog10: return MathFn::kFastLog10;
    case MathFn::kPow: return MathFn::kFastPow;
    default: return fn;
  }
}

}  // namespace

ExprId FunctionTyper::bad_operands(ExprId lhs, ExprId rhs, std::string_view op, Span op_span, std::string_view help) {
  if (unknown(lhs) || unknown(rhs)) return poison(op_span);
  auto handle = report(DiagId::kBadOperands, op_span, op, type_text(lhs), type_text(rhs))
                    .label(span_of(lhs), type_text(lhs))
                    .label(span_of(rhs), type_text(rhs));
  if (!help.empty()) handle.help(std::string(help));
  return poison(op_span);
}

ExprId FunctionTyper::binary(BinaryOp op, ExprId lhs, ExprId rhs, Span span, bool product) {
  return add(span, type_of(lhs), BinaryExpr{op, lhs, rhs, product});
}

bool FunctionTyper::has_fast_variants(TypeId type) const {
  const Scalar* s = ctx_.types.as_scalar(type);
  return s != nullptr && is_float(s->dtype) && s->dtype != DType::f8;
}

bool FunctionTyper::is_fast(TypeId type) const { return request_.options.fast_functions && has_fast_variants(type); }

ExprId FunctionTyper::math(Span span, TypeId type, MathFn fn, std::vector<ExprId> args) {
  return add(span, type, MathExpr{is_fast(type) ? fast_variant(fn) : fn, std::move(args)});
}

ExprId FunctionTyper::negate(ExprId id) { return add(span_of(id), type_of(id), UnaryExpr{UnaryOp::kNeg, id}); }

/// a*b + c, a*b - c and c - a*b become one fma where the function allows it; with two products the left one fuses.
ExprId FunctionTyper::fuse_or_binary(BinaryOp op, ExprId lhs, ExprId rhs, Span span) {
  const bool additive = op == BinaryOp::kAdd || op == BinaryOp::kSub;
  if (!additive || !request_.options.fma || !is_float(scalar_of(lhs)->dtype)) {
    return binary(op, lhs, rhs, span, op == BinaryOp::kMul);
  }
  const auto product = [&](ExprId id) {
    const auto* b = std::get_if<BinaryExpr>(&fn_->exprs[id].kind);
    return b && b->product ? std::optional(*b) : std::nullopt;
  };
  const TypeId type = type_of(lhs);
  if (const auto p = product(lhs)) {
    const ExprId addend = op == BinaryOp::kAdd ? rhs : negate(rhs);
    return add(span, type, FmaExpr{p->lhs, p->rhs, addend});
  }
  if (const auto p = product(rhs)) {
    const ExprId factor = op == BinaryOp::kAdd ? p->lhs : negate(p->lhs);
    return add(span, type, FmaExpr{factor, p->rhs, lhs, true});
  }
  return binary(op, lhs, rhs, span);
}

ExprId FunctionTyper::type_unary(syntax::UnaryOp op, ExprId operand, Span span) {
  using enum syntax::UnaryOp;
  if (unknown(operand)) return operand;
  if (has_arrays() && array_of(operand) != nullptr) return map_unary(op, operand, span);
  if (op == kNot) {
    const ExprId b = to_bool(operand);
    if (unknown(b)) return b;
    if (const auto c = constant_of(b)) return constant(span, *scalar_of(b), Constant::of_bool(!c->truthy()));
    return add(span, type_of(b), UnaryExpr{UnaryOp::kNot, b});
  }
  const auto s = require_scalar(operand, fmt::format("'{}'", syntax::spelling(op)));
  if (!s) return poison(span);
  if (op == kInvert) {
    if (types::is_inexact(s->dtype)) {
      report(DiagId::kBadOperand, span, "~", type_text(operand)).help("bit operations need an int or a bool");
      return poison(span);
    }
    if (const auto c = constant_of(operand)) {
      if (const auto folded = fold_unary(op, *c, *s)) return constant(span, *s, *folded);
    }
    const ExprId value = s->dtype == DType::b1 ? to_dtype(operand, DType::b1) : operand;
    return add(span, type_of(value), UnaryExpr{s->dtype == DType::b1 ? UnaryOp::kNot : UnaryOp::kInvert, value});
  }
  const Scalar type = types::as_arithmetic_operand(*s);
  if (is_complex(type.dtype)) return op == kPos ? operand : negate_complex(operand, span);
  if (const auto c = constant_of(operand)) {
    if (const auto folded = fold_unary(op, *c, type)) return constant(span, type, *folded);
  }
  const ExprId value = convert(operand, ctx_.types.scalar(type));
  if (op == kPos) return value;
  const Scalar result{type.dtype, type.weak() ? Strength::kWeakRuntime : Strength::kTyped};
  return add(span, ctx_.types.scalar(result), UnaryExpr{UnaryOp::kNeg, value});
}

ExprId FunctionTyper::type_binary(Op op, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  if (unknown(lhs) || unknown(rhs)) return poison(span);
  const char* text = syntax::spelling(op);
  if (has_arrays() && op == Op::kMatMul) return ArrayTyper(*this).matmul(lhs, rhs, span, op_span);
  if (has_arrays() && any_array({lhs, rhs})) return map_binary(op, lhs, rhs, span, op_span);
  if (scalar_of(lhs) == nullptr || scalar_of(rhs) == nullptr) {
    if (const auto tuple = tuple_binary(op, lhs, rhs, span)) return *tuple;
    const bool arrays = array_of(lhs) != nullptr || array_of(rhs) != nullptr;
    return bad_operands(lhs, rhs, text, op_span,
                        arrays ? "a thread kernel works on elements: index the arrays, as in a[i]" : "");
  }
  if (op == Op::kMatMul) return bad_operands(lhs, rhs, text, op_span, "write the product as loops over elements");
  if (op == Op::kPow) return type_power(lhs, rhs, span, op_span);
  if (op == Op::kShl || op == Op::kShr) return type_shift(op, lhs, rhs, span, op_span);
  if (op == Op::kAnd || op == Op::kOr || op == Op::kXor) return type_bitwise(op, lhs, rhs, span, op_span);

  Scalar type = meet(lhs, rhs, true);
  if (op == Op::kDiv && !types::is_inexact(type.dtype)) type.dtype = DType::f8;
  warn_f64(op_span, *scalar_of(lhs), *scalar_of(rhs), type);
  if (is_complex(type.dtype)) return complex_binary(op, lhs, rhs, type, span, op_span);
  const bool raises =
      request_.options.debug && !quiet_division_ && (op == Op::kDiv || op == Op::kFloorDiv || op == Op::kMod);
  const auto a = constant_of(lhs), b = constant_of(rhs);
  if (a && b && !(raises && b->as_double() == 0)) {
    if (const auto folded = fold_binary(op, *a, *b, type)) return constant(span, type, *folded);
    if (type.weak()) {
      report(DiagId::kConstantOverflow, span).help("use floats, or cast to a sized type to wrap around");
      return poison(span);
    }
  }
  const ExprId x = adapt(lhs, type);
  ExprId y = adapt(rhs, type);
  if (unknown(x) || unknown(y)) return poison(span);
  if (raises) y = nonzero_divisor(y, op_span);
  // Weak operands of an expression that is not constant are computed at run time.
  const Scalar result{type.dtype, type.weak() ? Strength::kWeakRuntime : Strength::kTyped};
  ExprId out;
  if (is_float(type.dtype) && (op == Op::kFloorDiv || op == Op::kMod)) {
    out = add(span, type_of(x), MathExpr{op == Op::kMod ? MathFn::kPyMod : MathFn::kFloorDiv, {x, y}});
  } else if (op == Op::kDiv && request_.options.fast_division && has_fast_variants(type_of(x))) {
    out = add(span, type_of(x), MathExpr{MathFn::kFastDivide, {x, y}});
  } else {
    out = fuse_or_binary(int_operation(op), x, y, span);
  }
  fn_->exprs[out].type = ctx_.types.scalar(result);
  return out;
}

/// The divisor of a debug kernel: zero ends the launch.
ExprId FunctionTyper::nonzero_divisor(ExprId divisor, Span op_span) {
  if (const auto c = constant_of(divisor); c && c->as_double() != 0) return divisor;
  return add(op_span, type_of(divisor), NonZeroExpr{divisor});
}

ExprId FunctionTyper::type_bitwise(Op op, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  const Scalar a = *scalar_of(lhs), b = *scalar_of(rhs);
  const bool both_bool = a.dtype == DType::b1 && b.dtype == DType::b1;
  Scalar type = both_bool ? types::join(a, b) : meet(lhs, rhs, true);
  if (types::is_inexact(a.dtype) || types::is_inexact(b.dtype)) {
    return bad_operands(lhs, rhs, syntax::spelling(op), op_span, "bit operations need ints or bools");
  }
  if (is_float(type.dtype)) {
    return bad_operands(lhs, rhs, syntax::spelling(op), op_span,
                        "i8 and u8 have no common int type: cast one side, u8(…) or i8(…)");
  }
  const auto x = constant_of(lhs), y = constant_of(rhs);
  if (x && y) {
    if (const auto folded = fold_binary(op, *x, *y, type)) return constant(span, type, *folded);
  }
  const ExprId p = adapt(lhs, type), q = adapt(rhs, type);
  if (unknown(p) || unknown(q)) return poison(span);
  const ExprId out = binary(int_operation(op), p, q, span);
  fn_->exprs[out].type = ctx_.types.scalar({type.dtype, type.weak() ? Strength::kWeakRuntime : Strength::kTyped});
  return out;
}

ExprId FunctionTyper::type_shift(Op op, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  const Scalar a = *scalar_of(lhs), b = *scalar_of(rhs);
  if (types::is_inexact(a.dtype) || types::is_inexact(b.dtype)) {
    return bad_operands(lhs, rhs, syntax::spelling(op), op_span, "shifts need ints");
  }
  const auto count = constant_of(rhs);
  if (count && count->as_int() < 0) {
    report(DiagId::kNegativeShift, span_of(rhs), to_string(*count)).help("shift the other way");
    return poison(span);
  }
  Scalar type = meet(lhs, rhs, true);
  // u8 >> i has no common int type; the value shifted decides, as in Numba.
  if (is_float(type.dtype)) type = types::as_arithmetic_operand(a);
  const auto x = constant_of(lhs);
  if (x && count) {
    if (const auto folded = fold_binary(op, *x, *count, type)) return constant(span, type, *folded);
    report(DiagId::kConstantOverflow, span).help("cast to a sized type: u8(1) << 63");
    return poison(span);
  }
  const ExprId value = adapt(lhs, type);
  ExprId shift = rhs;
  if (count) {
    // Any count past the width means the same, and must not wrap into a smaller one.
    constexpr Int128 kPastEveryWidth = 64;
    shift = constant(span_of(rhs), type, Constant::of_int(std::min(count->as_int(), kPastEveryWidth)));
  } else if (size_bits(b.dtype) > size_bits(type.dtype)) {
    // A wide run-time count is clamped before it is narrowed, for the same reason.
    const ExprId wide = convert(rhs, ctx_.types.scalar(b.dtype));
    const ExprId limit = constant(span_of(rhs), {b.dtype, Strength::kTyped}, Constant::of_int(64));
    const ExprId low =
        constant(span_of(rhs), {b.dtype, Strength::kTyped}, Constant::of_int(is_signed_int(b.dtype) ? -1 : 0));
    shift = binary(BinaryOp::kMax, binary(BinaryOp::kMin, wide, limit, span_of(rhs)), low, span_of(rhs));
    shift = convert(shift, ctx_.types.scalar(type));
  } else {
    shift = convert(rhs, ctx_.types.scalar(type));
  }
  if (unknown(value) || unknown(shift)) return poison(span);
  const ExprId out = binary(int_operation(op), value, shift, span);
  fn_->exprs[out].type = ctx_.types.scalar({type.dtype, type.weak() ? Strength::kWeakRuntime : Strength::kTyped});
  return out;
}

ExprId FunctionTyper::type_power(ExprId lhs, ExprId rhs, Span span, Span op_span) {
  const Scalar a = types::as_arithmetic_operand(*scalar_of(lhs)), b = types::as_arithmetic_operand(*scalar_of(rhs));
  if (is_complex(a.dtype) || is_complex(b.dtype)) return complex_power(lhs, rhs, span, op_span);
  const auto base = constant_of(lhs), exponent = constant_of(rhs);
  const bool int_exponent = is_int(b.dtype);
  // A float keeps its type under an int exponent: f4 ** i4 is f4.
  const Scalar type = is_float(a.dtype) && int_exponent ? a : meet(lhs, rhs, true);
  if (is_int(type.dtype) && exponent && exponent->as_int() < 0) {
    report(DiagId::kNegativeIntPower, op_span, type_text(lhs))
        .label(span_of(rhs), "negative exponent")
        .help("an int to a negative power is no int; convert the base: f8(x) ** -2");
    return poison(span);
  }
  if (base && exponent) {
    if (const auto folded = fold_binary(Op::kPow, *base, *exponent, type)) return constant(span, type, *folded);
    if (type.weak()) {
      report(DiagId::kConstantOverflow, span).help("use a float base, or cast to a sized type to wrap around");
      return poison(span);
    }
  }
  warn_f64(op_span, a, b, type);
  const Scalar result{type.dtype, type.weak() ? Strength::kWeakRuntime : Strength::kTyped};
  const TypeId result_type = ctx_.types.scalar(result);
  const ExprId x = adapt(lhs, result);
  if (unknown(x)) return poison(span);
  ExprId out;
  constexpr int kLargestUnrolled = 16;
  if (exponent && int_exponent && exponent->as_int() <= kLargestUnrolled && exponent->as_int() >= -kLargestUnrolled) {
    out = power_by_multiplication(x, static_cast<int64_t>(exponent->as_int()), span);
  } else if (is_int(type.dtype)) {
    const ExprId y = adapt(rhs, result);
    if (unknown(y)) return poison(span);
    out = binary(BinaryOp::kIntPow, x, y, span);
  } else if (int_exponent) {
    out = add(span, result_type, MathExpr{MathFn::kPowi, {x, signed_exponent(rhs)}});
  } else {
    out = math(span, result_type, MathFn::kPow, {x, adapt(rhs, result)});
  }
  if (fn_->exprs[out].type != result_type) fn_->exprs[out].type = result_type;
  return out;
}

/// The exponent of a float as i8. A u8 value past i8 does what any huge exponent of its parity does.
ExprId FunctionTyper::signed_exponent(ExprId exponent) {
  if (scalar_of(exponent)->dtype != DType::u8) return to_dtype(exponent, DType::i8);
  const Span span = span_of(exponent);
  const auto number = [&](uint64_t n) {
    return constant(span, {DType::u8, Strength::kTyped}, Constant::of_int(static_cast<Int128>(n)));
  };
  const Shared shared = share(to_dtype(exponent, DType::u8));
  const ExprId parity = binary(BinaryOp::kAnd, copy(shared.value), number(1), span);
  const ExprId huge = binary(BinaryOp::kOr, parity, number((uint64_t{1} << 63) - 2), span);
  return wrap(shared, to_dtype(binary(BinaryOp::kMin, copy(shared.value), huge, span), DType::i8));
}

/// x ** 5 as x2 = x*x; x4 = x2*x2; x4*x. Negative exponents (floats only) are 1 over that.
ExprId FunctionTyper::power_by_multiplication(ExprId base, int64_t exponent, Span span) {
  const Scalar type = *scalar_of(base);
  const auto one = [&] {
    const ExprId c = constant(span, {type.dtype, Strength::kTyped},
                              is_float(type.dtype) ? Constant::of_float(1) : Constant::of_int(1));
    fn_->exprs[c].type = type_of(base);
    return c;
  };
  if (exponent < 0) return binary(BinaryOp::kDiv, one(), power_by_multiplication(base, -exponent, span), span);
  if (exponent == 0) return one();
  if (exponent == 1) return base;
  const Shared shared = share(base);
  ExprId half = power_by_multiplication(copy(shared.value), exponent / 2, span);
  const Shared square = share(half);
  const auto times = [&](ExprId a, ExprId b) {
    return is_complex(type.dtype) ? complex_binary(Op::kMul, a, b, type, span, span)
                                  : binary(BinaryOp::kMul, a, b, span);
  };
  ExprId out = wrap(square, times(copy(square.value), copy(square.value)));
  if (exponent % 2 == 1) out = times(out, copy(shared.value));
  return wrap(shared, out);
}

// --- comparisons -----------------------------------------------------------------------------------------------------

/// a < b < c is a < b and b < c, with b evaluated once, after a, and c only where a < b.
ExprId FunctionTyper::type_compare(const syntax::CompareExpr& e, Span span) {
  ExprId left = type_expr(e.first);
  std::vector<ExprId> tests;
  for (size_t i = 0; i < e.ops.size(); ++i) {
    ExprId right = type_expr(e.rest[i]);
    const bool in_the_middle = i + 1 < e.ops.size();
    const bool ordered = in_the_middle && (has_effect(*fn_, left) || has_effect(*fn_, right));
    const Shared first = ordered ? share(left) : Shared{left, VarId(), ExprId()};
    const Shared middle = in_the_middle ? share(right) : Shared{right, VarId(), ExprId()};
    const Span both = e.ops.size() == 1 ? span : source::cover(span_of(left), span_of(right));
    right = in_the_middle ? copy(middle.value) : right;
    const ExprId test = type_comparison(e.ops[i], first.value, right, both, e.op_spans[i]);
    tests.push_back(wrap(first, wrap(middle, test)));
    if (in_the_middle) left = copy(middle.value);
  }
  for (ExprId t : tests) {
    if (unknown(t)) return poison(span);
  }
  if (tests.size() == 1) return tests[0];
  for (ExprId t : tests) {
    if (!array_of(t)) continue;
    report(DiagId::kArrayLogic, span, "and", type_text(t))
        .help("a < b < c is a < b and b < c; of each element: (a < b) & (b < c)");
    return poison(span);
  }
  return add(span, ctx_.types.scalar(DType::b1), LogicExpr{true, tests});
}

ExprId FunctionTyper::type_comparison(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  using enum syntax::CompareOp;
  if (unknown(lhs) || unknown(rhs)) return poison(span);
  if (op == kIn || op == kNotIn) return type_membership(op == kNotIn, lhs, rhs, span, op_span);
  if (op == kIs || op == kIsNot) {
    return unsupported(op_span, fmt::format("'{}'", syntax::spelling(op)), "compare values with == or !=");
  }
  if (has_arrays() && any_array({lhs, rhs})) return map_comparison(op, lhs, rhs, span, op_span);
  if (scalar_of(lhs) == nullptr || scalar_of(rhs) == nullptr) {
    return bad_operands(lhs, rhs, syntax::spelling(op), op_span, "compare elements, as in a[i] < b[i]");
  }
  if (is_complex_value(lhs) || is_complex_value(rhs)) return complex_comparison(op, lhs, rhs, span, op_span);
  const auto a = constant_of(lhs), b = constant_of(rhs);
  if (a && b) return constant(span, {DType::b1, Strength::kWeakConst}, Constant::of_bool(fold_compare(op, *a, *b)));
  if ((a && scalar_of(lhs)->weak()) || (b && scalar_of(rhs)->weak())) {
    const ExprId exact = compare_with_constant(op, lhs, rhs, span);
    if (exact.valid()) return exact;
  }
  const Scalar x = *scalar_of(lhs), y = *scalar_of(rhs);
  const bool plain_bools = x.dtype == DType::b1 && y.dtype == DType::b1;
  Scalar type = plain_bools ? Scalar{DType::b1, Strength::kTyped} : meet(lhs, rhs, true);
  const TypeId b1 = ctx_.types.scalar(DType::b1);
  if (is_float(type.dtype) && !is_float(x.dtype) && !is_float(y.dtype)) {
    // u8 against a signed int: exact, not through f8.
    const auto side = [&](ExprId id, Scalar s) { return to_dtype(id, s.dtype == DType::u8 ? DType::u8 : DType::i8); };
    return add(span, b1, CompareExpr{comparison(op), side(lhs, x), side(rhs, y)});
  }
  warn_f64(op_span, x, y, type);
  const TypeId common = ctx_.types.scalar(type.dtype);
  return add(span, b1, CompareExpr{comparison(op), convert(lhs, common), convert(rhs, common)});
}

/// An int constant against a typed int: exact even where the type cannot hold it (u8 == -1 is False).
ExprId FunctionTyper::compare_with_constant(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span) {
  const bool on_right = constant_of(rhs) && scalar_of(rhs)->weak();
  const Constant c = *constant_of(on_right ? rhs : lhs);
  const ExprId other = on_right ? lhs : rhs;
  const Scalar type = *scalar_of(other);
  if (c.is_float() || type.weak() || !is_int(type.dtype) || fits(c, type.dtype)) return ExprId();
  const Constant zero = Constant::of_int(0);  // every value of the type lies on the same side of c as 0 does
  const bool value = on_right ? fold_compare(op, zero, c) : fold_compare(op, c, zero);
  const ExprId out = constant(span, {DType::b1, Strength::kWeakConst}, Constant::of_bool(value));
  return has_effect(*fn_, other) ? wrap(share(other), out) : out;
}

ExprId FunctionTyper::type_membership(bool negated, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  const auto* tuple = ctx_.types.as_tuple(type_of(rhs));
  if (tuple == nullptr) {
    return unsupported(op_span, "'in' on anything but a tuple", "write the comparisons: x == 1 or x == 2");
  }
  if (array_of(lhs)) {
    report(DiagId::kArrayLogic, op_span, "in", type_text(lhs)).help("of each element: (x == 1) | (x == 2)");
    return poison(span);
  }
  const size_t count = tuple->elements.size();
  const Shared value = share(lhs), list = share(rhs);
  std::vector<ExprId> tests;
  for (uint32_t i = 0; i < count; ++i) {
    const ExprId test = type_comparison(syntax::CompareOp::kEq, copy(value.value),
                                        tuple_element(copy(list.value), i, span), span, op_span);
    if (unknown(test)) return poison(span);
    tests.push_back(to_dtype(test, DType::b1));
  }
  const TypeId b1 = ctx_.types.scalar(DType::b1);
  ExprId any = count == 0 ? constant(span, {DType::b1, Strength::kTyped}, Constant::of_bool(false))
                          : add(span, b1, LogicExpr{false, std::move(tests)});
  if (negated) any = add(span, b1, UnaryExpr{UnaryOp::kNot, any});
  return wrap(value, wrap(list, any));
}

}  // namespace jitc::sema
