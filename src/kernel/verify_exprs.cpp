// Typing rules of the expressions, one function per kind. No conversion is implicit: operands have the very type that
// the operation needs.
#include "src/base/match.hpp"
#include "src/kernel/verify_rules.hpp"

namespace jitc::kernel {

namespace {

const Type& type_of(RuleReport& report, ExprId id) { return report.program().exprs[id].type; }

void require_type(RuleReport& report, const char* what, ExprId id, Type wanted) {
  const Type& type = type_of(report, id);
  report.require(type == wanted, "{} is {}, not {}", what, type, wanted);
}

bool is_scalar_of(Type type, uint8_t kinds) { return !type.is_pointer && (kind_of(type.dtype) & kinds) != 0; }

/// Unused high bits are zero (b1: 0 or 1), so that equal constants are equal nodes.
void check(RuleReport& report, Type type, const Const& e) {
  report.require(!type.is_pointer, "a constant cannot be a {}", type);
  const unsigned bits = is_bool(type.dtype) ? 1 : size_bits(type.dtype);
  report.require(bits == 64 || e.bits >> bits == 0, "the constant has bits outside {}", type);
}

void check(RuleReport& report, Type type, const ParamRef& e) {
  const Type wanted = report.program().params[e.param].type;
  report.require(type == wanted, "the parameter is {}, the node {}", wanted, type);
}

void check(RuleReport& report, Type type, const LocalRef& e) {
  const Type wanted = report.program().locals[e.local].type;
  report.require(type == wanted, "the local is {}, the node {}", wanted, type);
}

void check(RuleReport& report, Type type, const MemoryBase& e) {
  const MemoryObject& object = report.program().memory[e.object];
  const Type wanted = pointer(object.dtype, object.space);
  report.require(type == wanted, "the memory is {}, the node {}", wanted, type);
}

/// Indices are i8 everywhere; whether 32 bits would do is the emitter's decision.
void check(RuleReport& report, Type type, const ThreadIndex& e) {
  report.require(type == scalar(DType::i8), "a thread index is i8, not {}", type);
  report.require(e.axis < (has_one_axis(e.value) ? 1 : 3), "{} has no axis {}", spelling(e.value), e.axis);
}

void check(RuleReport& report, Type type, const Unary& e) {
  const UnaryInfo& op = info(e.op);
  const Type operand = type_of(report, e.operand);
  report.require(is_scalar_of(operand, op.operands), "'{}' of {}", op.spelling, operand);
  report.require(type == (op.gives_bool ? scalar(DType::b1) : operand), "'{}' of {} is not {}", op.spelling, operand,
                 type);
}

void check(RuleReport& report, Type type, const Binary& e) {
  const BinaryInfo& op = info(e.op);
  report.require(is_scalar_of(type, op.operands), "'{}' of {}", op.spelling, type);
  require_type(report, "the left operand", e.lhs, type);
  require_type(report, "the right operand", e.rhs, type);
}

void check(RuleReport& report, Type type, const Compare& e) {
  const Type operand = type_of(report, e.lhs);
  report.require(!operand.is_pointer, "pointers are not compared");
  require_type(report, "the right operand", e.rhs, operand);
  report.require(type == scalar(DType::b1), "a comparison is b1, not {}", type);
}

void check(RuleReport& report, Type type, const Convert& e) {
  const Type from = type_of(report, e.operand);
  report.require(!type.is_pointer && !from.is_pointer, "{} does not convert to {}", from, type);
}

void check(RuleReport& report, Type type, const Select& e) {
  require_type(report, "the condition", e.cond, scalar(DType::b1));
  require_type(report, "the first value", e.then_value, type);
  require_type(report, "the second value", e.else_value, type);
}

void check(RuleReport& report, Type type, const Fma& e) {
  report.require(is_scalar_of(type, kFloats), "fma of {}", type);
  for (ExprId operand : {e.lhs, e.rhs, e.addend}) require_type(report, "the operand", operand, type);
}

void check(RuleReport& report, Type type, const MathCall& e) {
  report.require(e.args.size() == static_cast<size_t>(arity(e.fn)), "{} takes {} arguments, not {}", name(e.fn),
                 arity(e.fn), e.args.size());
  if (e.args.empty()) return;
  const Type first = type_of(report, e.args[0]);
  if (!is_typed(e.fn)) report.require(is_scalar_of(first, kFloats), "{} of {}", name(e.fn), first);
  for (size_t i = is_typed(e.fn) ? 0 : 1; i < e.args.size(); ++i) {
    require_type(report, "the argument", e.args[i], scalar(argument_type(e.fn, i, first.dtype)));
  }
  const Type wanted = scalar(result_type(e.fn, first.dtype));
  report.require(type == wanted, "{} gives {}, not {}", name(e.fn), wanted, type);
}

/// A load never converts: what the memory holds is what it gives.
void check(RuleReport& report, Type type, const Load& e) {
  verify_ref(report, e.ref);
  const Type wanted = scalar(type_of(report, e.ref.base).dtype);
  report.require(type == wanted, "a load of {} elements gives {}", wanted, type);
}

/// A view points to the same elements in the same space as its base.
void check(RuleReport& report, Type type, const Address& e) {
  verify_ref(report, e.ref);
  require_type(report, "the base", e.ref.base, type);
}

}  // namespace

void verify_ref(RuleReport& report, const MemRef& ref) {
  const Type base = type_of(report, ref.base);
  report.require(base.is_pointer, "the base is {}, not a pointer", base);
  for (const AddressTerm& term : ref.terms) {
    require_type(report, "the index", term.index, scalar(DType::i8));
    require_type(report, "the stride", term.stride_bytes, scalar(DType::i8));
  }
}

void verify_exprs(RuleReport& report) {
  uint32_t index = 0;
  for (const Expr& expr : report.program().exprs) {
    report.at("expr", index++);
    std::visit([&](const auto& kind) { check(report, expr.type, kind); }, expr.kind);
  }
}

}  // namespace jitc::kernel
