// Hostile texts: each ends soon, with an error that names the limit, and without deep recursion.
#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.hpp"

using namespace jitc;
using namespace jitc::syntax;

namespace {

std::string repeated(const std::string& text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

/// The codes alone.
std::string codes_of(const std::string& text) {
  std::string out;
  const std::string faults = faults_of(text);
  for (size_t at = 0; at < faults.size(); ++at) {
    if (at == 0 || faults[at - 1] == ' ') out += (out.empty() ? "" : " ") + faults.substr(at, 3);
  }
  return out;
}

}  // namespace

TEST_CASE("nesting is limited to 256 levels and the limit itself is allowed") {
  CHECK(faults_of(repeated("(", 256) + "1" + repeated(")", 256)).empty());
  CHECK(faults_of(repeated("(", 257) + "1" + repeated(")", 257)) == "902@1:257+1");
  CHECK(codes_of(repeated("[", 257) + repeated("]", 257)) == "902");
  CHECK(codes_of("f" + repeated("(f", 257) + repeated(")", 257)) == "902");
  CHECK(codes_of("f" + repeated("[f", 257) + "[0]" + repeated("]", 257)) == "902");
  CHECK(codes_of(repeated("{", 257)) == "902");
}

TEST_CASE("ten thousand of anything inside one another is one error") {
  for (const char* prefix : {"(", "[", "f(", "f[", "-", "~", "not ", "lambda: ", "1 if a else ", "a ** ", "{", "(a, ",
                             "f(a=", "lambda x=", "x[a:"}) {
    CAPTURE(prefix);
    CHECK(codes_of("x = " + repeated(prefix, 10000) + "1\n") == "902");
  }
}

TEST_CASE("blocks and elifs are limited too, with one error for each way in") {
  std::string blocks, after = "x = $\n";
  for (size_t i = 0; i < 300; ++i) blocks += std::string(i, ' ') + "if a:\n";
  CHECK(faults_of(blocks + std::string(300, ' ') + "pass\n" + after) == "902@257:257+2 101@302:5+1");
  CHECK(codes_of("if a: pass\n" + repeated("elif a: pass\n", 10000) + "else: pass\n" + after) == "902 101");
}

TEST_CASE("long chains are limited by the height of the tree") {
  CHECK(faults_of("x = a" + repeated("+a", 510)).empty());
  CHECK(codes_of("x = a" + repeated("+a", 100000) + "\ny = $") == "903 101");
  CHECK(codes_of("x = f" + repeated("()", 100000)) == "903");
  CHECK(codes_of("x = f" + repeated(".a", 100000)) == "903");
  CHECK(codes_of("x = f" + repeated("[0]", 100000)) == "903");
}

TEST_CASE("wide expressions are fine") {
  CHECK(faults_of("x = [" + repeated("1, ", 200000) + "]").empty());
  CHECK(faults_of("x = a" + repeated(" and a", 100000)).empty());
  CHECK(faults_of("x = a" + repeated(" < a", 100000)).empty());
  CHECK(faults_of("x = " + repeated("'a' ", 100000)).empty());
  CHECK(faults_of("def f(" + repeated("a, ", 100000) + "): pass").empty());
}

TEST_CASE("a text above the size limit is refused before it is read") {
  ParseLimits limits;
  limits.max_source_bytes = 10;
  CHECK(faults_of("x = 1\ny =", limits).empty() == false);
  CHECK(faults_of("x = 1\ny = $", limits) == "901@1:1+0");
}

TEST_CASE("the number of nodes is limited") {
  ParseLimits limits;
  limits.max_nodes = 100;
  CHECK(faults_of(repeated("x = 1\n", 33), limits).empty());
  CHECK(faults_of(repeated("x = 1\n", 1000) + "$", limits) == "904@34:5+1");
}

TEST_CASE("NUL bytes and ill-formed UTF-8 are said once") {
  CHECK(faults_of(std::string(1000, '\0')) == "103@1:1+1");
  CHECK(faults_of(std::string("x = '\0'\n# \0\ny = $", 17)) == "103@1:6+1 101@3:5+1");
  CHECK(faults_of("x = '\xFF'\n# \xFF\n\xFF = 1\ny = $") == "102@1:6+1 101@4:5+1");
}

TEST_CASE("line after line of faults ends at the sink's limit") {
  for (const char* line : {"x = $\n", "(\n", "x = f(\n", "'\n", "  x\n y\n", "@\n", "match x:\n", "{\n", "def f(\n",
                           "if:\n", "try:\n", "\\\n", "\\x\n", "x = *a, *a\n", "f(\n def\n"}) {
    CAPTURE(line);
    CHECK_FALSE(faults_of(repeated(line, 20000)).empty());
  }
}

TEST_CASE("a mebibyte in one line is no trouble") {
  for (const char* part :
       {"1,", "'a' ", "a;", "*a,",     "x = ", "-",   "é",    "\t", " ", "match ", ")",   "0x",
        "9",  "e",    "$",  "lambda ", "a b ", "if ", "for ", "\\", "'", "f'",     "{a:", "not in "}) {
    CAPTURE(part);
    const std::string text = "x = (" + repeated(part, (size_t{1} << 20) / std::string(part).size()) + "\ny = $\n";
    const source::SourceFile file("t.dsl", text);
    source::DiagnosticSink sink;
    parse(file, sink);
    CHECK(sink.has_errors());
    CHECK(source::render_all(file, sink.all()).size() < 100000);
  }
}
