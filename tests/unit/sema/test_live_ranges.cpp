#include <catch2/catch.hpp>

#include "src/sema/live_ranges.hpp"
#include "src/syntax/parser.hpp"

using namespace jitc;

namespace {

/// The live ranges of the only function of a text, as "name:definitions" in order.
struct Ranges {
  source::SourceFile file;
  source::DiagnosticSink sink;
  syntax::Ast ast;
  sema::LiveRanges found;

  explicit Ranges(const std::string& text) : file("case.dsl", text), ast(syntax::parse(file, sink)) {
    REQUIRE(!sink.has_errors());
    found = sema::find_live_ranges(ast, std::get<syntax::FunctionDef>(ast.stmts[ast.top_level[0]].kind));
  }

  std::string text() const {
    std::string out;
    for (const auto& r : found.ranges()) out += (out.empty() ? "" : " ") + r.name + ":" + std::to_string(r.def_count);
    return out;
  }
};

}  // namespace

TEST_CASE("a reassignment that no use joins begins a range of its own") {
  CHECK(Ranges("def f(a):\n    x = 1\n    a[0] = x\n    x = 2.5\n    a[1] = x\n").text() == "a:1 x:1 x:1");
}

TEST_CASE("assignments that reach one use form one range") {
  CHECK(Ranges("def f(a):\n    if a[0]:\n        x = 1\n    else:\n        x = 2.5\n    a[1] = x\n").text() ==
        "a:1 x:2");
}

TEST_CASE("a loop joins what enters it with what it carries around") {
  CHECK(Ranges("def f(a):\n    s = 0.0\n    for v in a:\n        s += v\n    a[0] = s\n").text() == "a:1 s:2 v:1");
}

TEST_CASE("a break carries its definition to the loop's end, past the else") {
  CHECK(Ranges("def f(a):\n    for i in a:\n        x = 1\n        break\n    else:\n        x = 2\n    a[0] = x\n")
            .text() == "a:1 i:1 x:2");
}

TEST_CASE("a continue carries its definition to the loop's head") {
  const std::string text =
      Ranges(
          "def f(a):\n    x = 0\n    while a[x]:\n        x = 1\n        if a[1]:\n            continue\n"
          "        x = 2\n    a[0] = x\n")
          .text();
  CHECK(text == "a:1 x:3");
}

TEST_CASE("a use that no assignment reaches is told from one that some do") {
  const Ranges never("def f(a):\n    a[0] = x\n    x = 1\n");
  REQUIRE(never.found.undefined_uses().size() == 1);
  CHECK(never.found.undefined_uses()[0].on_every_path);
  const Ranges sometimes("def f(a):\n    if a[0]:\n        x = 1\n    a[0] = x\n");
  REQUIRE(sometimes.found.undefined_uses().size() == 1);
  CHECK_FALSE(sometimes.found.undefined_uses()[0].on_every_path);
}

TEST_CASE("an endless loop is left by break alone") {
  const Ranges r("def f(a):\n    while True:\n        x = a[0]\n        if x:\n            break\n    a[1] = x\n");
  CHECK(r.found.undefined_uses().empty());
}

TEST_CASE("deeply nested loops take time in proportion to their size") {
  std::string text = "def f(a):\n    x = 0\n";
  std::string indent = "    ";
  for (int depth = 0; depth < 90; ++depth, indent += " ") text += indent + "while a[0]:\n";
  text += indent + "x = x + 1\n    a[0] = x\n";
  CHECK(Ranges(text).text() == "a:1 x:2");  // two to the 90th if each level walked its body twice
}
