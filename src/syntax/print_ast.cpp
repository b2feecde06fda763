// The tree of a file, one node a line, parts indented below it. Sample, of "y = a * x[i]":
//
//   Assign
//     target: Name y
//     value: Binary *
//       Name a
//       Subscript
//         Name x
//         index: Name i
#include "src/base/indent_writer.hpp"
#include "src/base/match.hpp"
#include "src/syntax/literal_text.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::syntax {

namespace {

class AstPrinter {
 public:
  explicit AstPrinter(const Ast& ast) : ast_(ast) {}

  void block(const Block& stmts) {
    for (StmtId id : stmts) base::match(ast_.stmts[id].kind, [&](const auto& kind) { stmt(kind); });
  }

  std::string take() { return writer_.take(); }

 private:
  // --- helpers
  void line(const std::string& text) { writer_.line(text); }

  void part(const char* role, ExprId id) {
    if (!id) return;
    role_ = *role ? std::string(role) + ": " : "";
    base::match(ast_.exprs[id].kind, [&](const auto& kind) { expr(kind); });
  }

  void parts(const char* role, const std::vector<ExprId>& ids) {
    for (ExprId id : ids) part(role, id);
  }

  void named_block(const char* name, const Block& stmts) {
    if (stmts.empty()) return;
    line(name);
    const base::Indented indented(writer_);
    block(stmts);
  }

  /// Writes the node's own line, then `children` one level deeper.
  template <class Children>
  void node(const std::string& text, Children children) {
    line(std::exchange(role_, "") + text);
    const base::Indented indented(writer_);
    children();
  }
  void leaf(const std::string& text) {
    node(text, [] {});
  }

  void param(const Param& p) {
    node("param " + p.name, [&] { part("annotation", p.annotation), part("default", p.default_value); });
  }

  // --- expressions
  void expr(const NameExpr& e) { leaf("Name " + e.name); }
  void expr(const IntLit& e) { leaf(fmt::format("Int {}", e.value)); }
  void expr(const FloatLit& e) { leaf("Float " + float_text(e.value)); }
  void expr(const ImagLit& e) { leaf("Imag " + float_text(e.value) + "j"); }
  void expr(const BoolLit& e) { leaf(e.value ? "Bool True" : "Bool False"); }
  void expr(const NoneLit&) { leaf("None"); }
  void expr(const StringLit& e) { leaf("String " + quoted_text(e.value)); }
  void expr(const EllipsisExpr&) { leaf("Ellipsis"); }
  void expr(const TupleExpr& e) {
    node("Tuple", [&] { parts("", e.elements); });
  }
  void expr(const ListExpr& e) {
    node("List", [&] { parts("", e.elements); });
  }
  void expr(const SetExpr& e) {
    node("Set", [&] { parts("", e.elements); });
  }
  void expr(const UnaryExpr& e) {
    node(fmt::format("Unary {}", spelling(e.op)), [&] { part("", e.operand); });
  }
  void expr(const BinaryExpr& e) {
    node(fmt::format("Binary {}", spelling(e.op)), [&] { part("", e.lhs), part("", e.rhs); });
  }
  void expr(const CompareExpr& e) {
    node("Compare", [&] {
      part("", e.first);
      for (size_t i = 0; i < e.ops.size(); ++i) part(spelling(e.ops[i]), e.rest[i]);
    });
  }
  void expr(const BoolExpr& e) {
    node(fmt::format("Bool {}", spelling(e.op)), [&] { parts("", e.operands); });
  }
  void expr(const TernaryExpr& e) {
    node("Ternary", [&] { part("if", e.cond), part("then", e.then_value), part("else", e.else_value); });
  }
  void expr(const CallExpr& e) {
    node("Call", [&] {
      part("", e.callee);
      parts("arg", e.args);
      for (const KeywordArg& keyword : e.keywords) part(keyword.name.c_str(), keyword.value);
    });
  }
  void expr(const AttributeExpr& e) {
    node("Attribute ." + e.name, [&] { part("", e.base); });
  }
  void expr(const SubscriptExpr& e) {
    node("Subscript", [&] { part("", e.base), part("index", e.index); });
  }
  void expr(const SliceExpr& e) {
    node("Slice", [&] { part("lower", e.lower), part("upper", e.upper), part("step", e.step); });
  }
  void expr(const LambdaExpr& e) {
    node("Lambda", [&] {
      for (const Param& p : e.params) param(p);
      part("body", e.body);
    });
  }

  // --- statements
  void stmt(const ExprStmt& s) {
    node("Expr", [&] { part("", s.value); });
  }
  void stmt(const AssignStmt& s) {
    node("Assign", [&] { parts("target", s.targets), part("value", s.value); });
  }
  void stmt(const AnnAssignStmt& s) {
    node("AnnAssign", [&] { part("target", s.target), part("annotation", s.annotation), part("value", s.value); });
  }
  void stmt(const AugAssignStmt& s) {
    node(fmt::format("AugAssign {}=", spelling(s.op)), [&] { part("target", s.target), part("value", s.value); });
  }
  void stmt(const IfStmt& s) {
    node("If", [&] { part("cond", s.cond), named_block("then", s.body), named_block("else", s.orelse); });
  }
  void stmt(const WhileStmt& s) {
    node("While", [&] { part("cond", s.cond), named_block("body", s.body), named_block("else", s.orelse); });
  }
  void stmt(const ForStmt& s) {
    node("For", [&] {
      part("target", s.target), part("in", s.iterable);
      named_block("body", s.body), named_block("else", s.orelse);
    });
  }
  void stmt(const BreakStmt&) { leaf("Break"); }
  void stmt(const ContinueStmt&) { leaf("Continue"); }
  void stmt(const PassStmt&) { leaf("Pass"); }
  void stmt(const ReturnStmt& s) {
    node("Return", [&] { part("", s.value); });
  }
  void stmt(const AssertStmt& s) {
    node("Assert", [&] { part("cond", s.cond), part("message", s.message); });
  }
  void stmt(const RaiseStmt& s) {
    node("Raise", [&] { part("", s.value); });
  }
  void stmt(const DelStmt& s) {
    node("Del", [&] { parts("", s.targets); });
  }
  void stmt(const FunctionDef& s) {
    node("FunctionDef " + s.name, [&] {
      parts("decorator", s.decorators);
      for (const Param& p : s.params) param(p);
      part("returns", s.return_annotation);
      named_block("body", s.body);
    });
  }
  void stmt(const ImportStmt& s) {
    node("Import", [&] {
      for (const ImportName& name : s.names) line(name.module + " as " + name.alias);
    });
  }
  void stmt(const ImportFromStmt& s) {
    node("ImportFrom " + s.module, [&] {
      if (s.star) line("*");
      for (const ImportedName& name : s.names) line(name.name + " as " + name.alias);
    });
  }

  const Ast& ast_;
  base::IndentWriter writer_;
  std::string role_;
};

}  // namespace

std::string print_ast(const Ast& ast) {
  AstPrinter printer(ast);
  printer.block(ast.top_level);
  return printer.take();
}

}  // namespace jitc::syntax
