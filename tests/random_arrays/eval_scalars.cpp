// Numbers: each operation by the reference's table of operators.
#include "src/base/check.hpp"
#include "src/base/match.hpp"
#include "tests/random_arrays/evaluator.hpp"
#include "tests/support/math_oracle.hpp"
#include "tests/support/scalar_bits.hpp"

namespace jitc::random_arrays {

namespace ref = jitc::reference;

DType Evaluator::dtype_of(sema::TypeId type) const {
  if (const types::Scalar* s = types_.as_scalar(type)) return s->dtype;
  const types::ArrayType* a = types_.as_array(type);
  JITC_CHECK(a != nullptr, "an array or a number is needed, not " + types_.to_string(type));
  return a->dtype;
}

Value Evaluator::value(ExprId id) {
  const sema::Expr& e = expr(id);
  if (e.constant) {
    const DType type = dtype_of(e.type);
    return Value::of(sema::bits_of(sema::cast(*e.constant, part_type(type)), part_type(type)));
  }
  if (const auto* var = std::get_if<sema::VarExpr>(&e.kind)) {
    const Value& known = frame_->vars.at(var->var.index);
    if (known.array == nullptr && is_array(e.type)) throw std::logic_error("a variable before it has a value");
    return known;
  }
  if (const auto* let = std::get_if<sema::LetExpr>(&e.kind)) {
    frame_->vars.at(let->var.index) = value(let->value);
    return value(let->body);
  }
  if (const auto* tuple = std::get_if<sema::TupleExpr>(&e.kind)) {
    Value out;
    for (const ExprId item : tuple->elements) out.items.push_back(value(item));
    return out;
  }
  if (const auto* item = std::get_if<sema::TupleItemExpr>(&e.kind)) return value(item->tuple).items.at(item->index);
  if (const auto* choice = std::get_if<sema::TernaryExpr>(&e.kind))
    return value(truth(choice->cond) ? choice->then_value : choice->else_value);
  if (const auto* made = std::get_if<sema::CallExpr>(&e.kind)) {
    std::vector<Value> args;
    for (const ExprId arg : made->args) args.push_back(value(arg));
    return call(*made->function, std::move(args));
  }
  return types_.as_scalar(e.type) != nullptr ? scalar(e) : array_value(e);
}

Value Evaluator::convert(const Value& x, sema::TypeId from, sema::TypeId to) const {
  const DType source = dtype_of(from), target = dtype_of(to);
  const Bits real = ref::convert(part_type(source), part_type(target), x.number.real);
  if (!is_complex(target)) return Value::of(real);
  const Bits zero = ref::convert(DType::i8, part_type(target), 0);
  return Value::of(real, is_complex(source) ? ref::convert(part_type(source), part_type(target), x.number.imag) : zero);
}

Value Evaluator::scalar(const sema::Expr& e) {
  const DType type = dtype_of(e.type);
  const auto bits = [&](ExprId id) { return value(id).number.real; };
  return base::match(
      e.kind, [&](const sema::UnaryExpr& x) { return Value::of(ref::unary(x.op, dtype(x.operand), bits(x.operand))); },
      [&](const sema::BinaryExpr& x) {
        Bits a = bits(x.lhs), b = bits(x.rhs);
        if (mistake_ == Mistake::swapped_subtraction && x.op == sema::BinaryOp::kSub) std::swap(a, b);
        return Value::of(ref::binary(x.op, type, a, b));
      },
      [&](const sema::CompareExpr& x) {
        const DType left = dtype(x.lhs), right = dtype(x.rhs);
        const Bits a = bits(x.lhs), b = bits(x.rhs);
        if (left == right) return Value::of(ref::compare(x.op, left, a, b) ? 1 : 0);
        // i8 against u8: the sign decides, or else both are numbers without one.
        const bool a_negative = is_signed_int(left) && static_cast<int64_t>(a) < 0;
        const bool b_negative = is_signed_int(right) && static_cast<int64_t>(b) < 0;
        if (a_negative != b_negative) return Value::of(ref::compare(x.op, DType::u8, b_negative, a_negative) ? 1 : 0);
        return Value::of(ref::compare(x.op, DType::u8, a, b) ? 1 : 0);
      },
      [&](const sema::LogicExpr& x) {
        for (const ExprId operand : x.operands) {
          if (truth(operand) != x.is_and) return Value::of(x.is_and ? 0 : 1);
        }
        return Value::of(x.is_and ? 1 : 0);
      },
      [&](const sema::LogicValueExpr& x) {
        const Value left = value(x.lhs);
        const bool holds = ref::convert(dtype(x.lhs), DType::b1, left.number.real) != 0;
        return holds == x.is_and ? value(x.rhs) : left;
      },
      [&](const sema::SelectExpr& x) {
        const Value yes = value(x.then_value), no = value(x.else_value);
        return truth(x.cond) ? yes : no;
      },
      [&](const sema::ConvertExpr& x) { return convert(value(x.operand), expr(x.operand).type, e.type); },
      [&](const sema::ComplexExpr& x) { return Value::of(bits(x.real), bits(x.imag)); },
      [&](const sema::PartExpr& x) {
        const Number number = value(x.operand).number;
        return Value::of(x.imag ? number.imag : number.real);
      },
      [&](const sema::FmaExpr& x) { return Value::of(ref::fma(type, bits(x.lhs), bits(x.rhs), bits(x.addend))); },
      [&](const sema::MathExpr& x) {
        std::vector<Bits> args;
        for (const ExprId arg : x.args) args.push_back(bits(arg));
        return Value::of(ref::math_call(x.fn, dtype(x.args[0]), args));
      },
      [&](const sema::ElementExpr& x) {
        return Value{element_place(x).at({}), nullptr, {}};
      },
      [&](const sema::ExtentExpr& x) { return Value::of(static_cast<Bits>(array(x.array).shape.at(x.axis))); },
      [&](const sema::SizeExpr& x) { return Value::of(static_cast<Bits>(array(x.array).count())); },
      [&](const auto&) { return array_value(e); });
}

}  // namespace jitc::random_arrays
