// parse_expression: how a signature inside a string becomes a tree.
#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.hpp"

using namespace jitc;
using namespace jitc::syntax;

namespace {

const std::string kText =
    "@cuda.jit('void(f4[:], f8[:, ::1])')\n@jit('''f4(\n  f4,\n  i8)''')\n@jit('f4(f4')\n@jit('')";

}  // namespace

TEST_CASE("a signature is parsed where it stands, so that its spans point into the file") {
  const source::SourceFile file("t.dsl", kText);
  source::DiagnosticSink sink;
  Ast ast;
  const ExprId expr = parse_expression(file, {11, 34}, ast, sink);
  REQUIRE(expr.valid());
  CHECK(sink.all().empty());
  CHECK(print_expr(ast, expr) == "void(f4[:], f8[:, ::1])");
  CHECK(ast.exprs[expr].span == source::Span{11, 34});
}

TEST_CASE("line ends inside a signature are blanks") {
  const source::SourceFile file("t.dsl", kText);
  source::DiagnosticSink sink;
  Ast ast;
  const auto begin = static_cast<uint32_t>(kText.find("f4(\n"));
  const ExprId expr = parse_expression(file, {begin, begin + 15}, ast, sink);
  REQUIRE(expr.valid());
  CHECK(print_expr(ast, expr) == "f4(f4, i8)");
}

TEST_CASE("a fault in a signature is reported at its place and gives no tree") {
  const source::SourceFile file("t.dsl", kText);
  source::DiagnosticSink sink;
  Ast ast;
  const auto begin = static_cast<uint32_t>(kText.find("f4(f4'"));
  CHECK_FALSE(parse_expression(file, {begin, begin + 5}, ast, sink).valid());
  CHECK(source::render_all(file, sink.all()) ==
        "t.dsl:5:9: error[JT0116]: '(' is never closed\n"
        "  5 | @jit('f4(f4')\n"
        "    |         ^\n");
}

TEST_CASE("what stands behind a signature is refused") {
  const source::SourceFile file("t.dsl", "f4(f4) f4");
  source::DiagnosticSink sink;
  Ast ast;
  CHECK_FALSE(parse_expression(file, {0, 9}, ast, sink).valid());
  CHECK(sink.all().at(0).span == source::Span{7, 9});
}

TEST_CASE("an empty signature is refused") {
  const source::SourceFile file("t.dsl", kText);
  source::DiagnosticSink sink;
  Ast ast;
  const auto at = static_cast<uint32_t>(kText.find("''", kText.find("f4(f4'") + 6) + 1);
  CHECK_FALSE(parse_expression(file, {at, at}, ast, sink).valid());
  CHECK(sink.error_count() == 1);
}

TEST_CASE("expressions are added to a tree that has others already") {
  const source::SourceFile file("t.dsl", "x = 1");
  source::DiagnosticSink sink;
  Ast ast = parse(file, sink);
  const size_t before = ast.exprs.size();
  const ExprId expr = parse_expression(file, {4, 5}, ast, sink);
  CHECK(expr.index == before);
  CHECK(ast.top_level.size() == 1);
}
