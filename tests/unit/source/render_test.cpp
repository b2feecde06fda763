#include <catch2/catch.hpp>

#include "src/source/diagnostic.hpp"

using namespace jitc::source;

namespace {

/// Rendered as an unclosed '(' at `span`, with `labels`.
std::string shown(const std::string& text, Span span, const std::vector<Label>& labels = {}) {
  const SourceFile file("f.dsl", text);
  return render(file, {DiagId::kUnclosedBracket, span, "message", labels, "", std::nullopt});
}

}  // namespace

TEST_CASE("a diagnostic shows its line with carets under the range, and its help") {
  const SourceFile file("case.dsl", "def k(x):\n    return flor(x)\n");
  const Diagnostic diagnostic{DiagId::kUnclosedBracket, {21, 25}, "what is wrong", {}, "what to do", std::nullopt};
  CHECK(render(file, diagnostic) ==
        "case.dsl:2:12: error[JT0116]: what is wrong\n"
        "  2 |     return flor(x)\n"
        "    |            ^^^^\n"
        "  help: what to do\n");
}

TEST_CASE("a label to the right of the carets stands beside them") {
  CHECK(shown("ab cd ef", {0, 2}, {{{6, 8}, "first"}}) ==
        "f.dsl:1:1: error[JT0116]: message\n"
        "  1 | ab cd ef\n"
        "    | ^^    -- first\n");
}

TEST_CASE("labels to the left of the carets have their text below") {
  CHECK(shown("ab cd ef", {6, 8}, {{{0, 2}, "first"}, {{3, 5}, "second"}}) ==
        "f.dsl:1:7: error[JT0116]: message\n"
        "  1 | ab cd ef\n"
        "    | -- -- ^^\n"
        "    | first\n"
        "    |    second\n");
}

TEST_CASE("a label on another line or over the carets has its own block") {
  CHECK(shown("ab\ncd\n", {3, 5}, {{{0, 2}, "above"}, {{3, 4}, "inside"}}) ==
        "f.dsl:2:1: error[JT0116]: message\n"
        "  2 | cd\n"
        "    | ^^\n"
        "  1 | ab\n"
        "    | -- above\n"
        "  2 | cd\n"
        "    | - inside\n");
}

TEST_CASE("the gutter is as wide as the largest line number") {
  const std::string text = "a\n" + std::string(98, '\n') + "b\n";
  CHECK(shown(text, {100, 101}, {{{0, 1}, "first"}}) ==
        "f.dsl:100:1: error[JT0116]: message\n"
        "  100 | b\n"
        "      | ^\n"
        "    1 | a\n"
        "      | - first\n");
}

TEST_CASE("carets stand under characters of several bytes and behind tabs") {
  CHECK(shown("\té漢 = x", {9, 10}) ==
        "f.dsl:1:7: error[JT0116]: message\n"
        "  1 | \té漢 = x\n"
        "    | \t     ^\n");
}

TEST_CASE("an empty range and the end of a line have one caret") {
  CHECK(shown("ab\n", {2, 2}) ==
        "f.dsl:1:3: error[JT0116]: message\n"
        "  1 | ab\n"
        "    |   ^\n");
}

TEST_CASE("of a range over lines the first line is marked") {
  CHECK(shown("ab cd\nef", {3, 8}) ==
        "f.dsl:1:4: error[JT0116]: message\n"
        "  1 | ab cd\n"
        "    |    ^^\n");
}

TEST_CASE("an empty line is shown without blanks at its end") {
  CHECK(shown("\n", {0, 0}) ==
        "f.dsl:1:1: error[JT0116]: message\n"
        "  1 |\n"
        "    | ^\n");
}

TEST_CASE("of a long line only the part around the carets is shown") {
  const std::string text = std::string(500, 'a') + "é" + std::string(500, 'b');
  const std::string out = shown(text, {500, 502});
  CHECK(out == "f.dsl:1:501: error[JT0116]: message\n  1 | …" + std::string(40, 'a') + "é" + std::string(79, 'b') +
                   "…\n    | " + std::string(41, ' ') + "^\n");
}

TEST_CASE("a range wider than what is shown is marked up to the cut") {
  const std::string text(1000, 'a');
  CHECK(shown(text, {0, 1000}) == "f.dsl:1:1: error[JT0116]: message\n  1 | " + std::string(120, 'a') + "…\n    | " +
                                      std::string(120, '^') + "\n");
}

TEST_CASE("a label outside the shown part of a long line has its own block") {
  const std::string text = "x" + std::string(1000, 'a') + "y";
  CHECK(shown(text, {1001, 1002}, {{{0, 1}, "far"}}) ==
        "f.dsl:1:1002: error[JT0116]: message\n  1 | …" + std::string(119, 'a') + "y\n    |  " + std::string(119, ' ') +
            "^\n  1 | x" + std::string(119, 'a') + "…\n    | - far\n");
}

TEST_CASE("control characters and ill-formed bytes are shown as pictures of one column") {
  CHECK(shown(std::string("a\x07\xFF\0 b", 6), {5, 6}) ==
        "f.dsl:1:6: error[JT0116]: message\n"
        "  1 | a␇\xEF\xBF\xBD␀ b\n"
        "    |      ^\n");
}

TEST_CASE("any range of any text can be shown") {
  for (const std::string text : {"", "\n", "\r", "\r\n", "\xEF\xBB\xBF", "é", "\x80", "\xE6\xBC", "a\tb\r\n\x80\x80"}) {
    for (uint32_t begin = 0; begin <= text.size() + 1; ++begin) {
      for (uint32_t end = begin; end <= text.size() + 1; ++end) {
        CHECK(shown(text, {begin, end}, {{{0, end}, "label"}}).ends_with("\n"));
      }
    }
  }
}
