#include "src/array/host_eval.hpp"

#include <cmath>

#include "jitc/float_bits.hpp"
#include "src/base/match.hpp"
#include "src/sema/operands.hpp"

namespace jitc::array {

namespace {

using kernel::BinaryOp;
using kernel::CompareOp;
using kernel::UnaryOp;
using sema::Constant;
using sema::ExprId;
using sema::Int128;

Constant to_constant(const Scalar& s) {
  if (s.dtype == DType::b1) return Constant::of_bool(s.bits != 0);
  if (is_float(s.dtype)) return Constant::of_float(float_from_bits(s.dtype, s.bits));
  if (is_unsigned_int(s.dtype)) return Constant::of_int(static_cast<Int128>(s.bits));
  const int unused = 64 - static_cast<int>(size_bits(s.dtype));
  return Constant::of_int(static_cast<Int128>(static_cast<int64_t>(s.bits << unused) >> unused));
}

Int128 floor_div(Int128 a, Int128 b) {
  if (b == 0) return 0;
  const Int128 q = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
}

std::optional<Constant> int_operation(BinaryOp op, Int128 a, Int128 b) {
  switch (op) {
    case BinaryOp::kAdd: return Constant::of_int(a + b);
    case BinaryOp::kSub: return Constant::of_int(a - b);
    case BinaryOp::kMul: return Constant::of_int(a * b);
    case BinaryOp::kFloorDiv: return Constant::of_int(floor_div(a, b));
    case BinaryOp::kMod: return Constant::of_int(b == 0 ? 0 : a - floor_div(a, b) * b);
    case BinaryOp::kAnd: return Constant::of_int(a & b);
    case BinaryOp::kOr: return Constant::of_int(a | b);
    case BinaryOp::kXor: return Constant::of_int(a ^ b);
    case BinaryOp::kMin:
    case BinaryOp::kMinimum:
    case BinaryOp::kFmin: return Constant::of_int(a < b ? a : b);
    case BinaryOp::kMax:
    case BinaryOp::kMaximum:
    case BinaryOp::kFmax: return Constant::of_int(a > b ? a : b);
    default: return std::nullopt;
  }
}

std::optional<Constant> float_operation(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::kAdd: return Constant::of_float(a + b);
    case BinaryOp::kSub: return Constant::of_float(a - b);
    case BinaryOp::kMul: return Constant::of_float(a * b);
    case BinaryOp::kDiv: return Constant::of_float(a / b);
    default: return std::nullopt;
  }
}

bool has_operation(BinaryOp op, DType dtype) {
  if (is_complex(dtype)) return false;
  return is_float(dtype) ? float_operation(op, 1, 1).has_value() : int_operation(op, 1, 1).has_value();
}

bool has_operation(UnaryOp op, DType dtype) {
  if (is_complex(dtype)) return false;
  switch (op) {
    case UnaryOp::kNeg:
    case UnaryOp::kNot:
    case UnaryOp::kInvert:
    case UnaryOp::kAbs: return true;
    case UnaryOp::kFloor:
    case UnaryOp::kCeil:
    case UnaryOp::kTrunc:
    case UnaryOp::kRint:
    case UnaryOp::kSqrt:
    case UnaryOp::kIsNan:
    case UnaryOp::kIsInf:
    case UnaryOp::kIsFinite: return is_float(dtype);
    default: return false;
  }
}

Constant unary(UnaryOp op, const Constant& x) {
  switch (op) {
    case UnaryOp::kNeg: return x.is_float() ? Constant::of_float(-x.as_double()) : Constant::of_int(-x.as_int());
    case UnaryOp::kNot: return Constant::of_bool(!x.truthy());
    case UnaryOp::kInvert: return Constant::of_int(~x.as_int());
    case UnaryOp::kAbs:
      if (x.is_float()) return Constant::of_float(std::fabs(x.as_double()));
      return Constant::of_int(x.as_int() < 0 ? -x.as_int() : x.as_int());
    case UnaryOp::kFloor: return Constant::of_float(std::floor(x.as_double()));
    case UnaryOp::kCeil: return Constant::of_float(std::ceil(x.as_double()));
    case UnaryOp::kTrunc: return Constant::of_float(std::trunc(x.as_double()));
    case UnaryOp::kRint: return Constant::of_float(std::nearbyint(x.as_double()));
    case UnaryOp::kSqrt: return Constant::of_float(std::sqrt(x.as_double()));
    case UnaryOp::kIsNan: return Constant::of_bool(std::isnan(x.as_double()));
    case UnaryOp::kIsInf: return Constant::of_bool(std::isinf(x.as_double()));
    default: return Constant::of_bool(std::isfinite(x.as_double()));
  }
}

template <class T>
bool holds(CompareOp op, T a, T b) {
  switch (op) {
    case CompareOp::kEq: return a == b;
    case CompareOp::kNe: return a != b;
    case CompareOp::kLt: return a < b;
    case CompareOp::kLe: return a <= b;
    case CompareOp::kGt: return a > b;
    case CompareOp::kGe: return a >= b;
  }
  return false;
}

class Evaluator {
 public:
  Evaluator(const types::TypeTable& types, const sema::TypedFunction& fn) : types_(types), fn_(fn) {}

  bool can(ExprId id) {
    const sema::Expr& e = fn_.exprs[id];
    const types::Scalar* s = types_.as_scalar(e.type);
    if (s == nullptr || is_complex(s->dtype)) return false;
    if (e.constant) return true;
    bool all = std::holds_alternative<sema::VarExpr>(e.kind) || is_host_operation(types_, fn_, e);
    if (all) sema::for_each_operand(e, [&](ExprId operand) { all = all && can(operand); });
    return all;
  }

  void set(sema::VarId var, Constant value) {
    if (values_.size() <= var.index) values_.resize(fn_.vars.size());
    values_[var.index] = value;
  }

  Constant value(ExprId id) {
    const sema::Expr& e = fn_.exprs[id];
    if (e.constant) return sema::cast(*e.constant, dtype(id));
    const Constant out = base::match(
        e.kind, [&](const sema::VarExpr& x) { return *values_[x.var.index]; },
        [&](const sema::UnaryExpr& x) { return unary(x.op, value(x.operand)); },
        [&](const sema::BinaryExpr& x) { return binary(x, dtype(id)); },
        [&](const sema::CompareExpr& x) { return compare(x); }, [&](const sema::LogicExpr& x) { return logic(x); },
        [&](const sema::TernaryExpr& x) { return value(value(x.cond).truthy() ? x.then_value : x.else_value); },
        [&](const sema::SelectExpr& x) { return value(value(x.cond).truthy() ? x.then_value : x.else_value); },
        [&](const sema::ConvertExpr& x) { return value(x.operand); },
        [&](const sema::LetExpr& x) {
          set(x.var, value(x.value));
          return value(x.body);
        },
        [](const auto&) -> Constant { JITC_CHECK(false, "the host cannot compute this scalar"); });
    return sema::cast(out, dtype(id));
  }

 private:
  DType dtype(ExprId id) const { return types_.as_scalar(fn_.exprs[id].type)->dtype; }

  Constant binary(const sema::BinaryExpr& x, DType type) {
    const Constant a = value(x.lhs), b = value(x.rhs);
    return is_float(type) ? *float_operation(x.op, a.as_double(), b.as_double())
                          : *int_operation(x.op, a.as_int(), b.as_int());
  }
  Constant compare(const sema::CompareExpr& x) {
    const Constant a = value(x.lhs), b = value(x.rhs);
    if (a.is_float() || b.is_float()) return Constant::of_bool(holds(x.op, a.as_double(), b.as_double()));
    return Constant::of_bool(holds(x.op, a.as_int(), b.as_int()));
  }
  Constant logic(const sema::LogicExpr& x) {
    for (const ExprId operand : x.operands) {
      if (value(operand).truthy() != x.is_and) return Constant::of_bool(!x.is_and);
    }
    return Constant::of_bool(x.is_and);
  }

  const types::TypeTable& types_;
  const sema::TypedFunction& fn_;
  std::vector<std::optional<Constant>> values_;
};

/// What the one statement returns; invalid where there are others.
ExprId returned(const sema::TypedFunction& fn) {
  if (fn.body.size() != 1) return {};
  const auto* ret = std::get_if<sema::ReturnStmt>(&fn.stmts[fn.body[0]].kind);
  return ret != nullptr ? ret->value : ExprId();
}

}  // namespace

bool is_host_operation(const types::TypeTable& types, const sema::TypedFunction& function, const sema::Expr& expr) {
  const auto has = [&](auto op, types::TypeId type) {
    const types::Scalar* scalar = types.as_scalar(type);
    return scalar != nullptr && has_operation(op, scalar->dtype);
  };
  return base::match(
      expr.kind, [](const sema::ConstExpr&) { return true; },
      [&](const sema::UnaryExpr& x) { return has(x.op, function.exprs[x.operand].type); },
      [&](const sema::BinaryExpr& x) { return has(x.op, expr.type); }, [](const sema::CompareExpr&) { return true; },
      [](const sema::LogicExpr&) { return true; }, [](const sema::TernaryExpr&) { return true; },
      [](const sema::SelectExpr&) { return true; }, [](const sema::ConvertExpr&) { return true; },
      [](const sema::LetExpr&) { return true; }, [](const auto&) { return false; });
}

bool can_evaluate(const types::TypeTable& types, const sema::TypedFunction& function) {
  const ExprId value = returned(function);
  return value.valid() && Evaluator(types, function).can(value);
}

Scalar evaluate(const types::TypeTable& types, const sema::TypedFunction& function, std::span<const Scalar> args) {
  Evaluator evaluator(types, function);
  for (size_t k = 0; k < args.size(); ++k) {
    const sema::Variable& var = function.vars[function.params[k]];
    evaluator.set(function.params[k], sema::cast(to_constant(args[k]), types.as_scalar(var.type)->dtype));
  }
  const ExprId value = returned(function);
  const DType dtype = types.as_scalar(function.exprs[value].type)->dtype;
  return {dtype, sema::bits_of(evaluator.value(value), dtype), 0};
}

}  // namespace jitc::array
