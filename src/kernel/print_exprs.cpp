#include <fmt/format.h>

#include "src/base/match.hpp"
#include "src/kernel/print.hpp"

namespace jitc::kernel {

namespace {

Level next(Level level) { return static_cast<Level>(static_cast<uint8_t>(level) + 1); }

}  // namespace

std::string ExprPrinter::print(ExprId id, Level place) {
  if (const auto found = named.find(id); found != named.end()) return found->second;
  Printed printed = print_node(id);
  return printed.level < place ? "(" + printed.text + ")" : printed.text;
}

ExprPrinter::Printed ExprPrinter::print_node(ExprId id) {
  const Expr& expr = program_.exprs[id];
  return std::visit([&](const auto& kind) { return print_kind(expr.type, kind); }, expr.kind);
}

std::string ExprPrinter::print_call(std::string_view callee, std::initializer_list<ExprId> args) {
  std::string text(callee);
  const char* separator = "(";
  for (ExprId arg : args) {
    text += separator + print(arg);
    separator = ", ";
  }
  return text + ")";
}

/// A negative literal binds like a minus sign.
ExprPrinter::Printed ExprPrinter::print_kind(Type type, const Const& e) {
  std::string text = print_const(type.dtype, e.bits);
  const Level level = text.front() == '-' ? Level::kUnary : Level::kAtom;
  return {std::move(text), level};
}

ExprPrinter::Printed ExprPrinter::print_kind(Type, const ParamRef& e) { return {names_.params[e.param], Level::kAtom}; }

ExprPrinter::Printed ExprPrinter::print_kind(Type, const LocalRef& e) {
  return {names_.locals[e.local.index], Level::kAtom};
}

ExprPrinter::Printed ExprPrinter::print_kind(Type, const MemoryBase& e) {
  return {names_.memory[e.object], Level::kAtom};
}

/// thread_idx.x
ExprPrinter::Printed ExprPrinter::print_kind(Type, const ThreadIndex& e) {
  std::string text = spelling(e.value);
  if (!has_one_axis(e.value)) text += std::string(".") + "xyz"[e.axis];
  return {text, Level::kAtom};
}

/// -x, sqrt(x); the minus of a literal that is not part of it: -(4)
ExprPrinter::Printed ExprPrinter::print_kind(Type, const Unary& e) {
  const UnaryInfo& op = info(e.op);
  if (op.level == Level::kAtom) return {print_call(op.spelling, {e.operand}), Level::kAtom};
  const bool of_literal = std::holds_alternative<Const>(program_.exprs[e.operand].kind);
  const std::string operand = print(e.operand, op.level);
  return {op.spelling + (of_literal ? "(" + operand + ")" : operand), op.level};
}

/// a - b, minimum(a, b); `**` groups to the right, all others to the left.
ExprPrinter::Printed ExprPrinter::print_kind(Type, const Binary& e) {
  const BinaryInfo& op = info(e.op);
  if (op.level == Level::kAtom) return {print_call(op.spelling, {e.lhs, e.rhs}), Level::kAtom};
  const bool right = op.level == Level::kPower;
  const std::string lhs = print(e.lhs, right ? Level::kAtom : op.level);
  const std::string rhs = print(e.rhs, right ? Level::kUnary : next(op.level));
  return {fmt::format("{} {} {}", lhs, op.spelling, rhs), op.level};
}

/// Comparisons are never chained: Python would read a < b < c otherwise.
ExprPrinter::Printed ExprPrinter::print_kind(Type, const Compare& e) {
  const Level operand = next(Level::kCompare);
  return {fmt::format("{} {} {}", print(e.lhs, operand), spelling(e.op), print(e.rhs, operand)), Level::kCompare};
}

/// f8(x)
ExprPrinter::Printed ExprPrinter::print_kind(Type type, const Convert& e) {
  return {print_call(jitc::name(type.dtype), {e.operand}), Level::kAtom};
}

/// a if cond else b
ExprPrinter::Printed ExprPrinter::print_kind(Type, const Select& e) {
  const Level part = next(Level::kTernary);
  return {fmt::format("{} if {} else {}", print(e.then_value, part), print(e.cond, part),
                      print(e.else_value, Level::kTernary)),
          Level::kTernary};
}

ExprPrinter::Printed ExprPrinter::print_kind(Type, const Fma& e) {
  return {print_call("fma", {e.lhs, e.rhs, e.addend}), Level::kAtom};
}

ExprPrinter::Printed ExprPrinter::print_kind(Type, const MathCall& e) {
  std::string text = name(e.fn);
  const char* separator = "(";
  for (ExprId arg : e.args) {
    text += separator + print(arg);
    separator = ", ";
  }
  return {text + ")", Level::kAtom};
}

/// load f4 x[i * 4]
ExprPrinter::Printed ExprPrinter::print_kind(Type type, const Load& e) {
  return {fmt::format("load {} {}", to_string(type), print_ref(e.ref)), Level::kAtom};
}

/// address(x[i * 4])
ExprPrinter::Printed ExprPrinter::print_kind(Type, const Address& e) {
  return {"address(" + print_ref(e.ref) + ")", Level::kAtom};
}

std::string ExprPrinter::print_ref(const MemRef& ref) {
  std::string offset;
  for (const AddressTerm& term : ref.terms) {
    if (!offset.empty()) offset += " + ";
    offset += print(term.index, Level::kProduct) + " * " + print(term.stride_bytes, next(Level::kProduct));
  }
  return fmt::format("{}[{}]", print(ref.base, Level::kAtom), offset.empty() ? "0" : offset);
}

}  // namespace jitc::kernel
