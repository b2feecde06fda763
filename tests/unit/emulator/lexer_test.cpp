#include "runtime/emulator/ptx/lexer.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

std::vector<Token> lex(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  do { tokens.push_back(lexer.next()); } while (tokens.back().kind != TokenKind::end);
  return tokens;
}

std::string lex_error(std::string_view text) {
  return error_of([&] { lex(text); });
}

double as_double(const Token& token) { return std::bit_cast<double>(token.bits); }

TEST_CASE("An opcode is an identifier and its modifiers are directives") {
  const auto tokens = lex("ld.shared::cta.L2::128B.f32 %f1");
  REQUIRE(tokens.size() == 6);
  CHECK(tokens[0].text == "ld");
  CHECK(tokens[1].text == ".shared::cta");
  CHECK(tokens[2].text == ".L2::128B");
  CHECK(tokens[3].kind == TokenKind::directive);
  CHECK(tokens[4].text == "%f1");
}

TEST_CASE("A label's colon is not part of its name") {
  const auto tokens = lex("$L__BB0_2: ret;");
  CHECK(tokens[0].text == "$L__BB0_2");
  CHECK(tokens[1].text == ":");
}

TEST_CASE("Integers are decimal, hexadecimal, octal or binary, with or without U") {
  CHECK(lex("12")[0].bits == 12);
  CHECK(lex("0x1fU")[0].bits == 31);
  CHECK(lex("017")[0].bits == 15);
  CHECK(lex("0b101")[0].bits == 5);
  CHECK(lex("18446744073709551615")[0].bits == UINT64_MAX);
}

TEST_CASE("An integer beyond 64 bits is an error") {
  CHECK(lex_error("18446744073709551616") == "line 1, column 1; error: integer constant is too large");
  CHECK(lex_error("09") == "line 1, column 1; error: unexpected '9' in an integer constant");
  CHECK(lex_error("0x") == "line 1, column 1; error: expected digits in an integer constant");
}

TEST_CASE("Hexadecimal floats keep their bits") {
  CHECK(lex("0f7FC00001")[0].bits == 0x7fc00001);
  CHECK(lex("0f3F800000")[0].kind == TokenKind::single_real);
  CHECK(as_double(lex("0dBFF8000000000000")[0]) == -1.5);
  CHECK(lex_error("0f3F80") == "line 1, column 1; error: expected 8 hexadecimal digits in a floating-point constant");
  CHECK(lex_error("0f3F8000000") == "line 1, column 1; error: more than 8 digits in a floating-point constant");
}

TEST_CASE("Decimal floats are doubles") {
  CHECK(as_double(lex("1.5")[0]) == 1.5);
  CHECK(as_double(lex("1e-3")[0]) == 1e-3);
  CHECK(as_double(lex("2.")[0]) == 2.0);
  CHECK(as_double(lex(".25")[0]) == 0.25);
  CHECK(lex_error("1e") == "line 1, column 1; error: expected an exponent in a floating-point constant");
  CHECK(lex_error("1e999") == "line 1, column 1; error: floating-point constant is out of range");
}

TEST_CASE("Comments count lines and are no tokens") {
  const auto tokens = lex("// one\n/* two\nthree */ ret");
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[0].at.line == 3);
  CHECK(tokens[0].at.column == 10);
}

TEST_CASE("A comment, a string and a file may end the text, or it is an error") {
  CHECK(lex_error("/* no end") == "line 1, column 1; error: comment without end");
  CHECK(lex_error("\"no end") == "line 1, column 1; error: string without end");
  CHECK(lex("// no line end").size() == 1);
}

TEST_CASE("A byte that starts no token is named") {
  CHECK(lex_error("a\n #") == "line 2, column 2; error: unexpected character '#'");
  CHECK(lex_error("\x01") == "line 1, column 1; error: unexpected character '\\1'");
  CHECK(lex_error("% ") == "line 1, column 1; error: expected a name after '%'");
}

}  // namespace
}  // namespace jitc::emulator_test
