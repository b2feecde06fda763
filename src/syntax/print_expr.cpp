// Expressions in Python's own notation, with parentheses only where the tree needs them. Sample: "(a + b) * c[i, ::2]".
#include <cmath>

#include "src/base/match.hpp"
#include "src/source/utf8.hpp"
#include "src/syntax/literal_text.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::syntax {

namespace {

/// How tightly a form binds; a part that binds looser than its place allows gets parentheses.
enum Binding : int {
  kLoosest = 0,  // lambda, a if b else c
  kOrLevel,
  kAndLevel,
  kNotLevel,
  kCompareLevel,
  kBinaryLevel,  // plus the operator's row in operators.def: | is 1, ** is 8
  kUnaryLevel = kBinaryLevel + 7,
  kPowerLevel,
  kPrimaryLevel,
};

int binding(BinaryOp op) {
  constexpr int kRows[] = {
#define JITC_BINARY(op, token, assign, spelling, binds) binds,
#include "src/syntax/operators.def"
  };
  return kBinaryLevel + kRows[static_cast<size_t>(op)];
}

int binding(const Expr& expr) {
  return base::match(
      expr.kind, [](const LambdaExpr&) -> int { return kLoosest; }, [](const TernaryExpr&) -> int { return kLoosest; },
      [](const BoolExpr& e) -> int { return e.op == BoolOp::kOr ? kOrLevel : kAndLevel; },
      [](const CompareExpr&) -> int { return kCompareLevel; },
      [](const UnaryExpr& e) -> int { return e.op == UnaryOp::kNot ? kNotLevel : kUnaryLevel; },
      [](const BinaryExpr& e) -> int { return binding(e.op); }, [](const NameExpr&) -> int { return kPrimaryLevel; },
      [](const IntLit&) -> int { return kPrimaryLevel; }, [](const FloatLit&) -> int { return kPrimaryLevel; },
      [](const ImagLit&) -> int { return kPrimaryLevel; }, [](const BoolLit&) -> int { return kPrimaryLevel; },
      [](const NoneLit&) -> int { return kPrimaryLevel; }, [](const StringLit&) -> int { return kPrimaryLevel; },
      [](const EllipsisExpr&) -> int { return kPrimaryLevel; }, [](const TupleExpr&) -> int { return kPrimaryLevel; },
      [](const ListExpr&) -> int { return kPrimaryLevel; }, [](const SetExpr&) -> int { return kPrimaryLevel; },
      [](const CallExpr&) -> int { return kPrimaryLevel; }, [](const AttributeExpr&) -> int { return kPrimaryLevel; },
      [](const SubscriptExpr&) -> int { return kPrimaryLevel; }, [](const SliceExpr&) -> int { return kPrimaryLevel; });
}

class ExprPrinter {
 public:
  explicit ExprPrinter(const Ast& ast) : ast_(ast) {}

  std::string take() { return std::move(out_); }

  void print(ExprId id, int at_least) {
    const Expr& expr = ast_.exprs[id];
    const bool parentheses = binding(expr) < at_least;
    if (parentheses) out_ += '(';
    base::match(expr.kind, [&](const auto& kind) { print_kind(kind); });
    if (parentheses) out_ += ')';
  }

 private:
  void print_kind(const NameExpr& e) { out_ += e.name; }
  void print_kind(const IntLit& e) { out_ += fmt::format("{}", e.value); }
  void print_kind(const FloatLit& e) { out_ += float_text(e.value); }
  void print_kind(const ImagLit& e) { out_ += float_text(e.value) + "j"; }
  void print_kind(const BoolLit& e) { out_ += e.value ? "True" : "False"; }
  void print_kind(const NoneLit&) { out_ += "None"; }
  void print_kind(const StringLit& e) { out_ += quoted_text(e.value); }
  void print_kind(const EllipsisExpr&) { out_ += "..."; }

  void print_kind(const TupleExpr& e) {
    out_ += '(';
    print_elements(e.elements);
    if (e.elements.size() == 1) out_ += ',';
    out_ += ')';
  }

  void print_kind(const ListExpr& e) {
    out_ += '[';
    print_elements(e.elements);
    out_ += ']';
  }

  void print_kind(const SetExpr& e) {
    out_ += '{';
    print_elements(e.elements);
    out_ += '}';
  }

  void print_kind(const UnaryExpr& e) {
    out_ += spelling(e.op);
    if (e.op == UnaryOp::kNot) out_ += ' ';
    print(e.operand, e.op == UnaryOp::kNot ? kNotLevel : kUnaryLevel);
  }

  void print_kind(const BinaryExpr& e) {
    const bool power = e.op == BinaryOp::kPow;
    print(e.lhs, power ? kPrimaryLevel : binding(e.op));
    out_ += power ? std::string(spelling(e.op)) : fmt::format(" {} ", spelling(e.op));
    print(e.rhs, power ? kUnaryLevel : binding(e.op) + 1);
  }

  void print_kind(const CompareExpr& e) {
    print(e.first, kBinaryLevel);
    for (size_t i = 0; i < e.ops.size(); ++i) {
      out_ += fmt::format(" {} ", spelling(e.ops[i]));
      print(e.rest[i], kBinaryLevel);
    }
  }

  void print_kind(const BoolExpr& e) {
    const int inside = (e.op == BoolOp::kOr ? kOrLevel : kAndLevel) + 1;
    for (size_t i = 0; i < e.operands.size(); ++i) {
      if (i > 0) out_ += fmt::format(" {} ", spelling(e.op));
      print(e.operands[i], inside);
    }
  }

  void print_kind(const TernaryExpr& e) {
    print(e.then_value, kOrLevel);
    out_ += " if ";
    print(e.cond, kOrLevel);
    out_ += " else ";
    print(e.else_value, kLoosest);
  }

  void print_kind(const CallExpr& e) {
    print(e.callee, kPrimaryLevel);
    out_ += '(';
    print_elements(e.args);
    for (size_t i = 0; i < e.keywords.size(); ++i) {
      if (i > 0 || !e.args.empty()) out_ += ", ";
      out_ += e.keywords[i].name + "=";
      print(e.keywords[i].value, kLoosest);
    }
    out_ += ')';
  }

  void print_kind(const AttributeExpr& e) {
    const bool integer = std::holds_alternative<IntLit>(ast_.exprs[e.base].kind);
    print(e.base, integer ? kPrimaryLevel + 1 : kPrimaryLevel);  // "1.real" would be a number
    out_ += "." + e.name;
  }

  void print_kind(const SubscriptExpr& e) {
    print(e.base, kPrimaryLevel);
    out_ += '[';
    const auto* tuple = std::get_if<TupleExpr>(&ast_.exprs[e.index].kind);
    if (tuple && !tuple->elements.empty()) {
      print_elements(tuple->elements);
      if (tuple->elements.size() == 1) out_ += ',';
    } else {
      print(e.index, kLoosest);
    }
    out_ += ']';
  }

  void print_kind(const SliceExpr& e) {
    if (e.lower) print(e.lower, kLoosest);
    out_ += ':';
    if (e.upper) print(e.upper, kLoosest);
    if (!e.step) return;
    out_ += ':';
    print(e.step, kLoosest);
  }

  void print_kind(const LambdaExpr& e) {
    out_ += "lambda";
    for (size_t i = 0; i < e.params.size(); ++i) {
      out_ += (i > 0 ? ", " : " ") + e.params[i].name;
      if (!e.params[i].default_value) continue;
      out_ += '=';
      print(e.params[i].default_value, kLoosest);
    }
    out_ += ": ";
    print(e.body, kLoosest);
  }

  void print_elements(const std::vector<ExprId>& elements) {
    for (size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) out_ += ", ";
      print(elements[i], kLoosest);
    }
  }

  const Ast& ast_;
  std::string out_;
};

}  // namespace

std::string float_text(double value) {
  if (std::isinf(value)) return "1e999";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted_text(std::string_view value) {
  std::string out = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') {
      out += fmt::format("\\{}", c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string print_expr(const Ast& ast, ExprId expr) {
  ExprPrinter printer(ast);
  printer.print(expr, kLoosest);
  return printer.take();
}

}  // namespace jitc::syntax
