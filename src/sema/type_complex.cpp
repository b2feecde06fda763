// Complex numbers: values of the typed tree whose operations are those of their two parts.
#include <algorithm>

#include "src/sema/complex_functions.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/operands.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Scalar;
using types::Strength;
using Op = syntax::BinaryOp;

namespace {

constexpr char kOrderHelp[] = "complex numbers have no order: compare abs(z), z.real or z.imag";

/// A complex type for the parts' type.
Scalar complex_of(Scalar part) {
  if (is_complex(part.dtype)) return part;
  if (part.weak()) return {DType::c16, part.strength};
  return {is_float(part.dtype) ? types::promote(DType::c8, part.dtype) : DType::c16, Strength::kTyped};
}

}  // namespace

bool FunctionTyper::is_complex_value(ExprId id) const {
  const Scalar* s = scalar_of(id);
  return s != nullptr && is_complex(s->dtype);
}

TypeId FunctionTyper::part_type_of(Scalar complex) {
  return ctx_.types.scalar({part_type(complex.dtype), complex.weak() ? Strength::kWeakRuntime : Strength::kTyped});
}

/// The parts are converted. Of weak numbers, one made of constants is a constant.
ExprId FunctionTyper::complex_value(Scalar type, ExprId real, ExprId imag, Span span) {
  if (unknown(real) || unknown(imag)) return poison(span);
  const ExprId re = convert(real, part_type_of(type)), im = convert(imag, part_type_of(type));
  if (type.weak()) {
    const bool constant = constant_of(re) && constant_of(im);
    type.strength = constant ? Strength::kWeakConst : Strength::kWeakRuntime;
  }
  return add(span, ctx_.types.scalar(type), ComplexExpr{re, im});
}

/// One part of a shared value.
ExprId FunctionTyper::part(ExprId id, bool imag) {
  if (const auto* z = std::get_if<ComplexExpr>(&fn_->exprs[id].kind)) return copy(imag ? z->imag : z->real);
  return add(span_of(id), part_type_of(*scalar_of(id)), PartExpr{copy(id), imag});
}

ExprId FunctionTyper::part_number(ExprId like, double value) {
  const Scalar s = *scalar_of(like);
  const ExprId out = constant(span_of(like), {s.dtype, Strength::kTyped}, Constant::of_float(value));
  fn_->exprs[out].type = type_of(like);
  return out;
}

/// An operator on two reals of one type, folded where both are known.
ExprId FunctionTyper::part_operation(Op op, ExprId lhs, ExprId rhs, Span span) {
  if (const auto a = constant_of(lhs), b = constant_of(rhs); a && b) {
    const Scalar type = *scalar_of(lhs);
    if (const auto folded = fold_binary(op, *a, *b, {type.dtype, Strength::kTyped})) {
      const ExprId out = constant(span, {type.dtype, Strength::kTyped}, *folded);
      fn_->exprs[out].type = type_of(lhs);
      return out;
    }
  }
  const BinaryOp kernel_op = op == Op::kAdd ? BinaryOp::kAdd : op == Op::kSub ? BinaryOp::kSub : BinaryOp::kMul;
  return binary(kernel_op, lhs, rhs, span);
}

ExprId FunctionTyper::convert_complex(ExprId id, TypeId to) {
  const Scalar target = *ctx_.types.as_scalar(to);
  const Span span = span_of(id);
  if (!is_complex_value(id)) {
    const ExprId real = convert(id, part_type_of(target));
    return unknown(real) ? real : complex_value(target, real, part_number(real, 0), span);
  }
  const Shared z = share(id);
  const ExprId re = part(z.value, false), im = part(z.value, true);
  if (is_complex(target.dtype)) {
    const ExprId out = complex_value(target, re, im, span);
    fn_->exprs[out].type = to;
    return wrap(z, out);
  }
  if (is_bool(target.dtype)) {
    const TypeId b1 = ctx_.types.scalar(DType::b1);
    const auto nonzero = [&](ExprId x) { return add(span, b1, CompareExpr{CompareOp::kNe, x, part_number(x, 0)}); };
    const ExprId out = add(span, b1, BinaryExpr{BinaryOp::kOr, nonzero(re), nonzero(im)});
    fn_->exprs[out].type = to;
    return wrap(z, out);
  }
  report(DiagId::kCannotConvert, span, type_text(id), ctx_.types.to_string(to))
      .help("take its real part, z.real, or its magnitude, abs(z)");
  return poison(span);
}

ExprId FunctionTyper::negate_complex(ExprId id, Span span) {
  const Shared z = share(id);
  const auto negated = [&](ExprId x) {
    const auto c = constant_of(x);
    if (!c) return negate(x);
    return part_number(x, -c->as_double());
  };
  return wrap(z, complex_value(*scalar_of(id), negated(part(z.value, false)), negated(part(z.value, true)), span));
}

/// + - * / with the operands in `type`. The products of a product are not fused with its sum, so that the bits are
/// NumPy's.
ExprId FunctionTyper::complex_binary(Op op, ExprId lhs, ExprId rhs, Scalar type, Span span, Span op_span) {
  if (op == Op::kFloorDiv || op == Op::kMod) {
    return bad_operands(lhs, rhs, syntax::spelling(op), op_span,
                        "complex numbers have no order, so that nothing can be rounded down: divide with /");
  }
  const ExprId a = convert(lhs, ctx_.types.scalar(type)), b = convert(rhs, ctx_.types.scalar(type));
  if (unknown(a) || unknown(b)) return poison(span);
  const Shared x = share(a), y = share(b);
  const auto re = [&](const Shared& z) { return part(z.value, false); };
  const auto im = [&](const Shared& z) { return part(z.value, true); };
  const auto apply = [&](Op o, ExprId p, ExprId q) { return part_operation(o, p, q, span); };
  ExprId out;
  if (op == Op::kDiv) {
    out = complex_function(ComplexFunction::kDiv, {re(x), im(x), re(y), im(y)}, type, span);
  } else if (op == Op::kMul) {
    out = complex_value(type, apply(Op::kSub, apply(Op::kMul, re(x), re(y)), apply(Op::kMul, im(x), im(y))),
                        apply(Op::kAdd, apply(Op::kMul, re(x), im(y)), apply(Op::kMul, im(x), re(y))), span);
  } else {
    out = complex_value(type, apply(op, re(x), re(y)), apply(op, im(x), im(y)), span);
  }
  return wrap(x, wrap(y, out));
}

/// A call into the math library: one function for each part.
ExprId FunctionTyper::complex_function(ComplexFunction function, const std::vector<ExprId>& parts, Scalar type,
                                       Span span) {
  const PartFunctions f = part_functions(function);
  std::vector<ExprId> again;
  for (ExprId p : parts) again.push_back(copy(p));
  const ExprId re = add(span, part_type_of(type), MathExpr{f.real, parts});
  const ExprId im = add(span, part_type_of(type), MathExpr{f.imag, again});
  return complex_value(type, re, im, span);
}

/// Small literal powers by multiplication, as for real numbers; others as NumPy computes them.
ExprId FunctionTyper::complex_power(ExprId lhs, ExprId rhs, Span span, Span op_span) {
  const Scalar type = meet(lhs, rhs, true);
  warn_f64(op_span, *scalar_of(lhs), *scalar_of(rhs), type);
  const ExprId base = convert(lhs, ctx_.types.scalar(type));
  if (unknown(base)) return base;
  const auto exponent = constant_of(rhs);
  constexpr int kLargestUnrolled = 16;
  if (exponent && !exponent->is_float() && exponent->as_int() >= 1 && exponent->as_int() <= kLargestUnrolled) {
    return power_by_multiplication(base, static_cast<int64_t>(exponent->as_int()), span);
  }
  const ExprId power = convert(rhs, ctx_.types.scalar(type));
  if (unknown(power)) return power;
  const Shared x = share(base), y = share(power);
  const std::vector<ExprId> parts{part(x.value, false), part(x.value, true), part(y.value, false), part(y.value, true)};
  return wrap(x, wrap(y, complex_function(ComplexFunction::kPow, parts, type, span)));
}

ExprId FunctionTyper::complex_comparison(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span, Span op_span) {
  const bool equal = op == syntax::CompareOp::kEq;
  if (!equal && op != syntax::CompareOp::kNe) return bad_operands(lhs, rhs, syntax::spelling(op), op_span, kOrderHelp);
  const Scalar type = meet(lhs, rhs, true);
  const Shared x = share(convert(lhs, ctx_.types.scalar(type))), y = share(convert(rhs, ctx_.types.scalar(type)));
  const TypeId b1 = ctx_.types.scalar(DType::b1);
  const auto test = [&](bool imag) {
    return add(span, b1,
               CompareExpr{equal ? CompareOp::kEq : CompareOp::kNe, part(x.value, imag), part(y.value, imag)});
  };
  const ExprId real = test(false), imag = test(true);
  return wrap(x, wrap(y, add(span, b1, BinaryExpr{equal ? BinaryOp::kAnd : BinaryOp::kOr, real, imag})));
}

/// np.where, part by part.
ExprId FunctionTyper::complex_select(ExprId cond, ExprId a, ExprId b, Scalar type, Span span) {
  const Shared c = share(cond), x = share(convert(a, ctx_.types.scalar(type))),
               y = share(convert(b, ctx_.types.scalar(type)));
  const auto pick = [&](bool imag) {
    return add(span, part_type_of(type), SelectExpr{copy(c.value), part(x.value, imag), part(y.value, imag)});
  };
  const ExprId real = pick(false), imag = pick(true);
  return wrap(c, wrap(x, wrap(y, complex_value(type, real, imag, span))));
}

/// z.real, z.imag and z.conjugate() of any number; nothing for another name.
std::optional<ExprId> FunctionTyper::number_attribute(ExprId id, std::string_view name, Span span) {
  if (name != "real" && name != "imag" && name != "conjugate") return std::nullopt;
  if (!is_complex_value(id)) {
    if (name != "imag") return id;
    const Scalar s = *scalar_of(id);
    const ExprId zero = constant(span, s, cast(Constant::of_int(0), s.dtype));
    return has_effect(*fn_, id) ? wrap(share(id), zero) : zero;
  }
  const Shared z = share(id);
  const ExprId real = part(z.value, false), imag = part(z.value, true);
  if (name == "real") return wrap(z, real);
  if (name == "imag") return wrap(z, imag);
  const auto c = constant_of(imag);
  return wrap(z, complex_value(*scalar_of(id), real, c ? part_number(imag, -c->as_double()) : negate(imag), span));
}

/// complex(x), complex(re, im).
ExprId FunctionTyper::call_complex(const std::vector<ExprId>& args, Span span) {
  if (args.size() == 1) return convert(args[0], ctx_.types.scalar(complex_of(*scalar_of(args[0]))));
  for (ExprId a : args) {
    if (!is_complex_value(a)) continue;
    report(DiagId::kBadOperand, span_of(a), "complex()", type_text(a)).help("its two arguments are real numbers");
    return poison(span);
  }
  const Scalar type = complex_of(meet(args[0], args[1], true));
  return complex_value(type, args[0], args[1], span);
}

/// abs(z): the length.
ExprId FunctionTyper::complex_magnitude(ExprId id, Span span) {
  const Shared z = share(id);
  const ExprId real = part(z.value, false), imag = part(z.value, true);
  return wrap(z, add(span, type_of(real), MathExpr{MathFn::kHypot, {real, imag}}));
}

/// The angle of any number: atan2(imag, real).
ExprId FunctionTyper::call_phase(ExprId arg, Span span) {
  const Scalar type = complex_of(*scalar_of(arg));
  const Shared z = share(convert(arg, ctx_.types.scalar(type)));
  const ExprId imag = part(z.value, true), real = part(z.value, false);
  return wrap(z, add(span, type_of(real), MathExpr{MathFn::kAtan2, {imag, real}}));
}

/// (abs(z), phase(z)).
ExprId FunctionTyper::call_polar(ExprId arg, Span span) {
  const Scalar type = complex_of(*scalar_of(arg));
  const Shared z = share(convert(arg, ctx_.types.scalar(type)));
  const ExprId length = complex_magnitude(copy(z.value), span), angle = call_phase(copy(z.value), span);
  const TypeId tuple = ctx_.types.tuple({type_of(length), type_of(angle)});
  return wrap(z, add(span, tuple, TupleExpr{{length, angle}}));
}

/// rect(r, phi): r cos(phi) + i r sin(phi).
ExprId FunctionTyper::call_rect(const std::vector<ExprId>& args, Span span) {
  for (ExprId a : args) {
    if (!is_complex_value(a)) continue;
    report(DiagId::kBadOperand, span_of(a), "rect()", type_text(a)).help("its two arguments are real numbers");
    return poison(span);
  }
  const Scalar type = complex_of(meet(args[0], args[1], true));
  const TypeId real = part_type_of(type);
  const Shared r = share(convert(args[0], real)), phi = share(convert(args[1], real));
  const auto turned = [&](MathFn fn) {
    return binary(BinaryOp::kMul, copy(r.value), add(span, real, MathExpr{fn, {copy(phi.value)}}), span);
  };
  const ExprId re = turned(MathFn::kCos), im = turned(MathFn::kSin);
  return wrap(r, wrap(phi, complex_value(type, re, im, span)));
}

/// isnan and isinf hold where they do for a part, isfinite where it does for both.
ExprId FunctionTyper::complex_predicate(UnaryOp op, ExprId id, Span span) {
  const Shared z = share(id);
  const TypeId b1 = ctx_.types.scalar(DType::b1);
  const ExprId real = add(span, b1, UnaryExpr{op, part(z.value, false)}),
               imag = add(span, b1, UnaryExpr{op, part(z.value, true)});
  const BinaryOp both = op == UnaryOp::kIsFinite ? BinaryOp::kAnd : BinaryOp::kOr;
  return wrap(z, add(span, b1, BinaryExpr{both, real, imag}));
}

/// A function of cmath, or NumPy's of a complex number; reals become complex.
ExprId FunctionTyper::complex_math(const ComplexBuiltin& builtin, ExprId arg, Span span) {
  const Scalar type = complex_of(*scalar_of(arg));
  const Shared z = share(convert(arg, ctx_.types.scalar(type)));
  ExprId out = complex_function(builtin.function, {part(z.value, false), part(z.value, true)}, type, span);
  if (builtin.scale != 1) {  // logarithms to other bases
    const auto* parts = std::get_if<ComplexExpr>(&fn_->exprs[out].kind);
    const ExprId re = parts->real, im = parts->imag;
    const auto scaled = [&](ExprId x) { return binary(BinaryOp::kMul, x, part_number(x, builtin.scale), span); };
    out = complex_value(type, scaled(re), scaled(im), span);
  }
  return wrap(z, out);
}

/// What takes complex numbers; nothing where the built-in is a matter of real ones.
std::optional<ExprId> FunctionTyper::complex_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args,
                                                     const std::string& callee, Span span) {
  const bool given = std::any_of(args.begin(), args.end(), [&](ExprId a) { return is_complex_value(a); });
  switch (b.builtin->rule) {
    case Rule::kComplex: return call_complex(args, span);
    case Rule::kPhase: return call_phase(args[0], span);
    case Rule::kPolar: return call_polar(args[0], span);
    case Rule::kRect: return call_rect(args, span);
    case Rule::kNumberPart: return number_attribute(args[0], part_name(b.builtin->as<NumberPart>()), span);
    default: break;
  }
  if (!given && b.via != Module::kCmath) return std::nullopt;
  if (b.via != Module::kMath) {
    if (const ComplexBuiltin* row = find_complex_builtin(*b.builtin)) return complex_math(*row, args[0], span);
    switch (b.builtin->rule) {
      case Rule::kPredicate:
        if (b.builtin->as<UnaryOp>() == UnaryOp::kSignBit) break;
        return given ? complex_predicate(b.builtin->as<UnaryOp>(), args[0], span) : call_predicate(b, args[0], span);
      case Rule::kAbs: return complex_magnitude(args[0], span);
      case Rule::kMathPow: return type_power(args[0], args[1], span, span);
      case Rule::kWhere: {
        const Scalar type = types::join(*scalar_of(args[1]), *scalar_of(args[2]));
        return complex_select(to_bool(args[0]), args[1], args[2], type, span);
      }
      case Rule::kLogical:
        if (b.builtin->as<Logical>() != Logical::kNot) return std::nullopt;
        return type_unary(syntax::UnaryOp::kNot, to_bool(args[0]), span);
      case Rule::kOperator:
      case Rule::kComparison:
      case Rule::kUnaryOperator:
      case Rule::kSquare:
      case Rule::kReciprocal:
      case Rule::kPythonCast: return std::nullopt;
      default: break;
    }
  }
  const auto it = std::find_if(args.begin(), args.end(), [&](ExprId a) { return is_complex_value(a); });
  report(DiagId::kBadOperand, span_of(*it), callee, type_text(*it))
      .help(b.via == Module::kMath
                ? "the functions of math are of real numbers; those of cmath and NumPy take complex ones"
                : "it is a function of real numbers: use z.real, z.imag or abs(z)");
  return poison(span);
}

}  // namespace jitc::sema
