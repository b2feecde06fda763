#include <catch2/catch.hpp>

#include "src/syntax/parser.hpp"

using namespace jitc;

namespace {

std::string tokens(const std::string& text) {
  const source::SourceFile file("t.dsl", text);
  source::DiagnosticSink sink;
  std::string out = syntax::print_tokens(file, sink);
  return out + source::render_all(file, sink.all());
}

/// The kinds alone, on one line.
std::string kinds(const std::string& text) {
  std::string out;
  const std::string lines = tokens(text);
  for (size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1) {
    const size_t begin = at + 8;
    out += (out.empty() ? "" : " ") + lines.substr(begin, lines.find_first_of(" \n", begin) - begin);
  }
  return out;
}

}  // namespace

TEST_CASE("tokens are listed with place, kind and text") {
  CHECK(tokens("if x:\n    y = 1.5 # c\n") ==
        "1:1     'if'\n"
        "1:4     Name         x\n"
        "1:5     ':'\n"
        "1:6     Newline\n"
        "2:1     Indent\n"
        "2:5     Name         y\n"
        "2:7     '='\n"
        "2:9     Number       1.5\n"
        "2:16    Newline\n"
        "3:1     Dedent\n"
        "3:1     End\n");
}

TEST_CASE("the longest operator is taken") {
  CHECK(kinds("**= ** * //= >>= ... -> != :=") == "'**=' '**' '*' '//=' '>>=' '...' '->' '!=' ':=' Newline End");
  CHECK(kinds("a<<=b<=c<d") == "Name '<<=' Name '<=' Name '<' Name Newline End");
}

TEST_CASE("blank lines, comments and blanks at the end give no tokens") {
  CHECK(kinds("\n  \n# c\n\t# d\nx  # e\n   \n") == "Name Newline End");
  CHECK(kinds("") == "End");
  CHECK(kinds("# c") == "End");
}

TEST_CASE("a last line without a newline is complete") {
  CHECK(kinds("if x:\n  y") == "'if' Name ':' Newline Indent Name Newline Dedent End");
}

TEST_CASE("lines inside brackets and behind a backslash are joined") {
  CHECK(kinds("(a,\n   b\n)\nc") == "'(' Name ',' Name ')' Newline Name Newline End");
  CHECK(kinds("a + \\\n   b\n") == "Name '+' Name Newline End");
  CHECK(kinds("a + \\\r\n   b\r\n") == "Name '+' Name Newline End");
}

TEST_CASE("all three line ends give the same tokens") {
  const std::string text = "if x:\n  y\n\n  z\nw\n";
  std::string crlf, cr;
  for (char c : text) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
  }
  CHECK(kinds(crlf) == kinds(text));
  CHECK(kinds(cr) == kinds(text));
  CHECK(tokens(cr) == tokens(text));
}

TEST_CASE("several blocks end at once") {
  CHECK(kinds("if x:\n if y:\n  z\nw") ==
        "'if' Name ':' Newline Indent 'if' Name ':' Newline Indent Name Newline Dedent Dedent Name Newline End");
}

TEST_CASE("a tab indents to the next multiple of eight, a form feed begins the line anew") {
  CHECK(kinds("if x:\n\ty\n\tz") == "'if' Name ':' Newline Indent Name Newline Name Newline Dedent End");
  CHECK(kinds("if x:\n  y\n    \f  z") == "'if' Name ':' Newline Indent Name Newline Name Newline Dedent End");
}

TEST_CASE("a byte order mark is skipped") { CHECK(kinds("\xEF\xBB\xBFx") == "Name Newline End"); }

TEST_CASE("strings end at their own quotes and may hold the others") {
  CHECK(kinds(R"('a"b' "c'd" r'\'' '\'' 'e')") == "String String String String String Newline End");
  CHECK(kinds("'''e\n'f''' b\"\"\"\n\"\"\"") == "String String Newline End");
  CHECK(kinds("'' \"\" '''''' rB'x' Br\"x\" u'x' fR'x'") ==
        "String String String String String String FormatString Newline End");
}

TEST_CASE("letters before a quote that are no prefix are a name") {
  CHECK(kinds("ub'x' bb'x' x'y'") == "Name String Name String Name String Newline End");
}

TEST_CASE("names may have letters of any script but no other symbols") {
  CHECK(kinds("été 变量 Ω_1 ñ") == "Name Name Name Name Newline End");
  CHECK(kinds("€").substr(0, 7) == "Invalid");
  CHECK(kinds("😀").substr(0, 7) == "Invalid");
}

TEST_CASE("a number may touch a keyword but nothing else") {
  CHECK(kinds("1if 2else 3or") == "Number 'if' Number 'else' Number 'or' Newline End");
  CHECK(kinds("1iffy 0x1g 1.5.2 1..a") == "Number Number Number Number Number '.' Name Newline End");
}
