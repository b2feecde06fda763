// What is said, where, and that the rest of the text is still read. The exact texts are in tests/cases/diagnostics.
#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.hpp"

using namespace jitc;
using namespace jitc::syntax;

TEST_CASE("each broken statement is reported and the next one read") {
  CHECK(faults_of("x = $\ny = ?\nz = 1 2\n") == "101@1:5+1 101@2:5+1 121@3:7+1");
  CHECK(faults_of("def f(:\n  x = $\ndef g(x):\n  y = 1 2\n") == "116@1:6+1 121@4:9+1");
}

TEST_CASE("what was understood is in the tree") {
  const source::SourceFile file("t.dsl", "a = 1\nb = $\nc = 2\n");
  source::DiagnosticSink sink;
  CHECK(parse(file, sink).top_level.size() == 2);
}

TEST_CASE("a statement with a broken part is not in the tree") {
  const source::SourceFile file("t.dsl", "if $:\n  x = 1\nelse:\n  y = 2\ndef f(a b):\n  pass\nfor 1 in x: pass\n");
  source::DiagnosticSink sink;
  CHECK(parse(file, sink).top_level.empty());
  CHECK(sink.error_count() == 3);
}

TEST_CASE("a missing colon does not lose the block") {
  CHECK(tree_of("if x\n  y = 1\n").substr(0, 30) == "t.dsl:1:5: error[JT0120]: expe");
  CHECK(faults_of("if x\n  y = $\nelse\n  z = $\n") == "120@1:5+0 101@2:7+1 120@3:5+0 101@4:7+1");
}

TEST_CASE("a bracket that is never closed is one error, and reading goes on at the next statement") {
  CHECK(faults_of("x = f(1,\ny = $\n") == "116@1:6+1 101@2:5+1");
  CHECK(faults_of("def k(x):\n  i = f(1\n  if i < 3:\n    y = $\n") == "116@2:8+1 101@4:9+1");
  CHECK(faults_of("x = [1, (2,\n\ndef f():\n  return $\n") == "116@1:9+1 101@4:10+1");
  CHECK(faults_of("def k(a,\n  return $\n") == "116@1:6+1 101@2:10+1");
  CHECK(faults_of("x = (") == "116@1:5+1");
  CHECK(faults_of("x = f(a b\ny = 1\n") == "116@1:6+1");
}

TEST_CASE("an error inside closed brackets is reported itself") {
  CHECK(faults_of("x = f(a b)\n") == "122@1:9+1");
  CHECK(faults_of("x = f(a,\n  b c,\n  d)\ny = $\n") == "122@2:5+1 101@4:5+1");
}

TEST_CASE("wrong and superfluous closing brackets") {
  CHECK(faults_of("x = (1]\ny = $\n") == "115@1:7+1 101@2:5+1");
  CHECK(faults_of("x = (1))\ny = $\n") == "114@1:8+1 101@2:5+1");
  CHECK(faults_of("x = f(a[1)]\n") == "115@1:10+1 115@1:11+1");
}

TEST_CASE("an open string does not open brackets or blocks") {
  CHECK(faults_of("print('a)\nx = $\n") == "104@1:7+1 101@2:5+1");
  CHECK(faults_of("x = '''a\ny = 1\n") == "104@1:5+3");
  CHECK(faults_of("if x == 'a:\n  y = $\n") == "104@1:9+1 101@2:7+1");
}

TEST_CASE("indentation") {
  CHECK(faults_of("x = 1\n  y = 2\nz = 3\n") == "112@2:1+2");
  CHECK(faults_of("if x:\ny = 1\n") == "113@2:1+1");
  CHECK(faults_of("if x:") == "113@1:6+0");
  CHECK(faults_of("if x:\n    a\n  b\n  c\nd\n") == "111@3:1+2");
  CHECK(faults_of("if x:\n        a\n\tb\n") == "110@3:1+1");
  CHECK(faults_of("if x:\n\ta\n        b\n") == "110@3:1+8");
}

TEST_CASE("a block below a line that is not understood is read without a word about its indentation") {
  CHECK(faults_of("wile x:\n  y = $\nz = 1\n") == "121@1:6+1 101@2:7+1");
  CHECK(faults_of("iff (x):\n  y = 1\n") == "121@1:8+1");
}

TEST_CASE("conditions with '=' are read on") {
  CHECK(faults_of("if x = 3:\n  y = $\n") == "123@1:6+1 101@2:7+1");
  CHECK(faults_of("assert x = 3\n") == "123@1:10+1");
}

TEST_CASE("operators of other languages are read as Python's") {
  CHECK(faults_of("if a && b || !c:\n  x = 1\n") == "117@1:6+2 117@1:11+2 117@1:14+1");
  CHECK(faults_of("i++\n") == "117@1:2+2");
  CHECK(faults_of("++i\n--i\ni - -1\n").empty());
}

TEST_CASE("fix-its name the repair") {
  const auto fixit = [](const std::string& text) {
    const source::SourceFile file("t.dsl", text);
    source::DiagnosticSink sink;
    parse(file, sink);
    REQUIRE(sink.all().size() == 1);
    REQUIRE(sink.all()[0].fixit);
    std::string fixed = text;
    const source::FixIt& fix = *sink.all()[0].fixit;
    return fixed.replace(fix.span.begin, fix.span.end - fix.span.begin, fix.replacement);
  };
  for (const std::string text : {"if a && b: pass", "if !a: pass", "if a = 1: pass", "if a\n  : pass", "x = a − b",
                                 "if a: pass\nelse if b: pass", "x = (1]", "wile x: pass", "if x\n  pass"}) {
    if (text.find("\n  :") != std::string::npos) continue;
    INFO(text);
    CHECK(faults_of(fixit(text)).empty());
  }
}

TEST_CASE("statements that are not supported are passed over as a whole") {
  CHECK(faults_of("try:\n  x = $\nexcept E:\n  y = $\nfinally:\n  z\nw = $\n") == "140@1:1+3 101@7:5+1");
  CHECK(faults_of("with a as b:\n  x = $\ny = $\n") == "141@1:1+4 101@3:5+1");
  CHECK(faults_of("class A: x = 1\ny = $\n") == "142@1:1+5 101@2:5+1");
  CHECK(faults_of("async def f():\n  await x\ny = $\n") == "144@1:1+5 101@3:5+1");
  CHECK(faults_of("match x:\n  case 1:\n    y\nz = $\n") == "146@1:1+5 101@4:5+1");
}

TEST_CASE("expressions that are not supported drop their statement alone") {
  CHECK(faults_of("x = [i for i in y]\nz = $\n") == "148@1:8+3 101@2:5+1");
  CHECK(faults_of("if (n := 3):\n  x = $\n") == "147@1:7+2 101@2:7+1");
  CHECK(faults_of("x = {\n 1: 2,\n}\nz = $\n") == "149@1:5+1 101@4:5+1");
}

TEST_CASE("no more than the sink's number of errors is reported") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "x = $\n";
  CHECK(faults_of(text, {}, 2) == "101@1:5+1 101@2:5+1");
}

TEST_CASE("diagnostics come in the order of the text") {
  CHECK(faults_of(std::string("x = $\ny = f(a b, $)\nz = \0\n", 27)) == "101@1:5+1 122@2:9+1 103@3:5+1");
}
