#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.hpp"

using namespace jitc::syntax;

TEST_CASE("chained, nested and annotated assignments") {
  CHECK(tree_of("a = (b, [c, d]), = x") ==
        "Assign\n"
        "  target: Name a\n"
        "  target: Tuple\n"
        "    Tuple\n"
        "      Name b\n"
        "      Tuple\n"
        "        Name c\n"
        "        Name d\n"
        "  value: Name x\n");
  CHECK(tree_of("x: f4 = 1") ==
        "AnnAssign\n"
        "  target: Name x\n"
        "  annotation: Name f4\n"
        "  value: Int 1\n");
  CHECK(tree_of("x[0] **= 2, 3") ==
        "AugAssign **=\n"
        "  target: Subscript\n"
        "    Name x\n"
        "    index: Int 0\n"
        "  value: Tuple\n"
        "    Int 2\n"
        "    Int 3\n");
}

TEST_CASE("elif is an if alone in the else") {
  CHECK(tree_of("if a: x\nelif b: y\nelse: z") ==
        "If\n"
        "  cond: Name a\n"
        "  then\n"
        "    Expr\n"
        "      Name x\n"
        "  else\n"
        "    If\n"
        "      cond: Name b\n"
        "      then\n"
        "        Expr\n"
        "          Name y\n"
        "      else\n"
        "        Expr\n"
        "          Name z\n");
}

TEST_CASE("loops with else") {
  CHECK(tree_of("while a:\n  break\nelse:\n  pass\nfor i, j in x, y:\n  continue\nelse: pass") ==
        "While\n"
        "  cond: Name a\n"
        "  body\n"
        "    Break\n"
        "  else\n"
        "    Pass\n"
        "For\n"
        "  target: Tuple\n"
        "    Name i\n"
        "    Name j\n"
        "  in: Tuple\n"
        "    Name x\n"
        "    Name y\n"
        "  body\n"
        "    Continue\n"
        "  else\n"
        "    Pass\n");
}

TEST_CASE("functions with decorators, annotations, defaults and nested functions") {
  CHECK(tree_of("@cuda.jit\n@g('s', k=1)\ndef f(a: i8, b=2,) -> f4:\n  'doc'\n  def h(): return a, b\n  return h()") ==
        "FunctionDef f\n"
        "  decorator: Attribute .jit\n"
        "    Name cuda\n"
        "  decorator: Call\n"
        "    Name g\n"
        "    arg: String \"s\"\n"
        "    k: Int 1\n"
        "  param a\n"
        "    annotation: Name i8\n"
        "  param b\n"
        "    default: Int 2\n"
        "  returns: Name f4\n"
        "  body\n"
        "    Expr\n"
        "      String \"doc\"\n"
        "    FunctionDef h\n"
        "      body\n"
        "        Return\n"
        "          Tuple\n"
        "            Name a\n"
        "            Name b\n"
        "    Return\n"
        "      Call\n"
        "        Name h\n");
}

TEST_CASE("imports with aliases and stars") {
  CHECK(tree_of("import numpy as np, math\nfrom numba import (cuda, jit as j,)\nfrom math import *") ==
        "Import\n"
        "  numpy as np\n"
        "  math as math\n"
        "ImportFrom numba\n"
        "  cuda as cuda\n"
        "  jit as j\n"
        "ImportFrom math\n"
        "  *\n");
}

TEST_CASE("simple statements share a line") {
  CHECK(tree_of("x = 1; return; assert a, 'm'; raise E(1) from None; del a, b[0];") ==
        "Assign\n"
        "  target: Name x\n"
        "  value: Int 1\n"
        "Return\n"
        "Assert\n"
        "  cond: Name a\n"
        "  message: String \"m\"\n"
        "Raise\n"
        "  Call\n"
        "    Name E\n"
        "    arg: Int 1\n"
        "Del\n"
        "  Name a\n"
        "  Subscript\n"
        "    Name b\n"
        "    index: Int 0\n");
}

TEST_CASE("statements have the spans of their text") {
  const jitc::source::SourceFile file("t.dsl", "x = 1 ; y\nif a:\n  b\n\nc");
  jitc::source::DiagnosticSink sink;
  const Ast ast = parse(file, sink);
  REQUIRE(ast.top_level.size() == 4);
  CHECK(file.text(ast.stmts[ast.top_level[0]].span) == "x = 1");
  CHECK(file.text(ast.stmts[ast.top_level[1]].span) == "y");
  CHECK(file.text(ast.stmts[ast.top_level[2]].span) == "if a:\n  b");
  CHECK(file.text(ast.stmts[ast.top_level[3]].span) == "c");
}

TEST_CASE("an empty file is an empty tree") {
  CHECK(tree_of("").empty());
  CHECK(tree_of("\n\n# only a comment\n").empty());
}

TEST_CASE("match, case, type and print are ordinary names") {
  CHECK(faults_of("match = case = type = print\nmatch(x)\nmatch[0] = 1\nmatch.x: f4 = 2\nprint(match)\n").empty());
}
