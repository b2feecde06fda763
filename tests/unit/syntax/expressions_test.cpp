#include <catch2/catch.hpp>

#include <random>

#include "tests/unit/syntax/parsing.hpp"

using namespace jitc;
using namespace jitc::syntax;

namespace {

struct Parsed {
  source::SourceFile file;
  source::DiagnosticSink sink{};
  Ast ast{};
  ExprId expr{};

  explicit Parsed(const std::string& text) : file("t.dsl", text) {
    expr = parse_expression(file, {0, static_cast<uint32_t>(text.size())}, ast, sink);
  }
};

/// The expression as the printer writes it.
std::string printed(const std::string& text) {
  const Parsed parsed(text);
  return parsed.expr ? print_expr(parsed.ast, parsed.expr) : source::render_all(parsed.file, parsed.sink.all());
}

std::string tree(Ast ast, ExprId expr) {
  const StmtId stmt = ast.stmts.add({{}, ExprStmt{expr}});
  ast.top_level = {stmt};
  return print_ast(ast);
}

/// A random expression, with parentheses around every part.
class RandomExpr {
 public:
  explicit RandomExpr(uint32_t seed) : random_(seed) {}

  std::string make(int depth) {
    if (depth == 0) return pick({"a", "b", "1", "2.5", "3j", "'s'", "None", "True", "...", "()", "[]"});
    const auto part = [&] { return "(" + make(depth - 1) + ")"; };
    switch (random_() % 14) {
      case 0: return pick({"-", "+", "~", "not "}) + part();
      case 1: return part() + pick({"<", "==", " is not ", " not in "}) + part() + pick({"<=", " in "}) + part();
      case 2: return part() + " and " + part() + " and " + part();
      case 3: return part() + " or " + part();
      case 4: return part() + " if " + part() + " else " + part();
      case 5: return part() + "(" + part() + ", k=" + part() + ")";
      case 6: return part() + ".name";
      case 7: return part() + "[" + part() + ":" + part() + ", " + part() + "]";
      case 8: return part() + "[" + part() + "]";
      case 9: return "lambda x, y=" + part() + ": " + part();
      case 10: return part() + ", " + part();
      case 11: return part() + ",";
      default: return part() + pick({"+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"}) + part();
    }
  }

 private:
  std::string pick(std::initializer_list<const char*> words) { return words.begin()[random_() % words.size()]; }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("operators bind as in Python") {
  CHECK(printed("a + (b * c)") == "a + b * c");
  CHECK(printed("(a + b) * c") == "(a + b) * c");
  CHECK(printed("a - (b - c) - d") == "a - (b - c) - d");
  CHECK(printed("-(a ** (-b))") == "-a**-b");
  CHECK(printed("(-a) ** b ** c") == "(-a)**b**c");
  CHECK(printed("(a ** b) ** c") == "(a**b)**c");
  CHECK(printed("a | (b ^ (c & (d << (e + (f * g)))))") == "a | b ^ c & d << e + f * g");
  CHECK(printed("((a | b) ^ c) & d") == "((a | b) ^ c) & d");
  CHECK(printed("not (a == b)") == "not a == b");
  CHECK(printed("(not a) == b") == "(not a) == b");
  CHECK(printed("a and (b or c) or (d and (not e))") == "a and (b or c) or d and not e");
  CHECK(printed("(a < b) < c") == "(a < b) < c");
  CHECK(printed("a < b <= c is not d not in e") == "a < b <= c is not d not in e");
  CHECK(printed("(a if b else c) if d else (e if f else g)") == "(a if b else c) if d else e if f else g");
  CHECK(printed("(lambda: a)(b)") == "(lambda: a)(b)");
}

TEST_CASE("chains of and, or and comparisons are one node") {
  const Parsed chain("a and b and c");
  CHECK(std::get<BoolExpr>(chain.ast.exprs[chain.expr].kind).operands.size() == 3);
  const Parsed compare("a < b < c");
  CHECK(std::get<CompareExpr>(compare.ast.exprs[compare.expr].kind).rest.size() == 2);
}

TEST_CASE("tuples, lists, subscripts and slices") {
  CHECK(printed("a, b,") == "(a, b)");
  CHECK(printed("(a,)") == "(a,)");
  CHECK(printed("()") == "()");
  CHECK(printed("(((a)))") == "a");
  CHECK(printed("[a, (b, c), []]") == "[a, (b, c), []]");
  CHECK(printed("a[i, j]") == "a[i, j]");
  CHECK(printed("a[(i, j)]") == "a[i, j]");
  CHECK(printed("a[i,]") == "a[i,]");
  CHECK(printed("a[()]") == "a[()]");
  CHECK(printed("a[:, ::-1, 1:2:, ..., None]") == "a[:, ::-1, 1:2, ..., None]");
  CHECK(printed("x.shape[0]") == "x.shape[0]");
  CHECK(printed("1 .real") == "(1).real");
}

TEST_CASE("calls keep positional and keyword arguments apart") {
  const Parsed parsed("f(a, b, k=c, m=1,)");
  const auto& call = std::get<CallExpr>(parsed.ast.exprs[parsed.expr].kind);
  CHECK(call.args.size() == 2);
  REQUIRE(call.keywords.size() == 2);
  CHECK(call.keywords[0].name == "k");
  CHECK(parsed.file.text(call.keywords[0].name_span) == "k");
}

TEST_CASE("spans cover the text of their node, parentheses of operands included") {
  const Parsed parsed("x = (a + b) * f(c)[0].d");
  const Parsed expr("(a + b) * f(c)[0].d");
  const Expr& node = expr.ast.exprs[expr.expr];
  CHECK(expr.file.text(node.span) == "(a + b) * f(c)[0].d");
  const auto& product = std::get<BinaryExpr>(node.kind);
  CHECK(expr.file.text(product.op_span) == "*");
  CHECK(expr.file.text(expr.ast.exprs[product.lhs].span) == "a + b");
  CHECK(expr.file.text(expr.ast.exprs[product.rhs].span) == "f(c)[0].d");
  CHECK(std::get<AttributeExpr>(expr.ast.exprs[product.rhs].kind).name_span == source::Span{18, 19});
}

TEST_CASE("the height of an expression is its longest path") {
  const auto height = [](const std::string& text) {
    const Parsed parsed(text);
    return parsed.ast.exprs[parsed.expr].height;
  };
  CHECK(height("a") == 1);
  CHECK(height("a + b") == 2);
  CHECK(height("a + b + c") == 3);
  CHECK(height("f(a, b * -c)") == 4);
  CHECK(height("a[:, i + 1]") == 4);
}

TEST_CASE("what the printer writes reads back as the same tree") {
  RandomExpr random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random.make(1 + i % 4);
    const Parsed first(text);
    INFO(text << "\n" << source::render_all(first.file, first.sink.all()));
    REQUIRE(first.expr.valid());
    const std::string again = print_expr(first.ast, first.expr);
    const Parsed second(again);
    INFO(again);
    REQUIRE(second.expr.valid());
    REQUIRE(tree(second.ast, second.expr) == tree(first.ast, first.expr));
    REQUIRE(print_expr(second.ast, second.expr) == again);
  }
}
