#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "tests/unit/syntax/parsing.hpp"

using namespace jitc;
using namespace jitc::syntax;

namespace {

template <class Literal>
auto value_of(const std::string& text) {
  const source::SourceFile file("t.dsl", text);
  source::DiagnosticSink sink;
  Ast ast;
  const ExprId expr = parse_expression(file, {0, static_cast<uint32_t>(text.size())}, ast, sink);
  INFO(text << "\n" << source::render_all(file, sink.all()));
  REQUIRE(expr.valid());
  REQUIRE(std::holds_alternative<Literal>(ast.exprs[expr].kind));
  return std::get<Literal>(ast.exprs[expr].kind).value;
}

uint64_t int_of(const std::string& text) { return value_of<IntLit>(text); }
double float_of(const std::string& text) { return value_of<FloatLit>(text); }
std::string string_of(const std::string& text) { return value_of<StringLit>(text); }

}  // namespace

TEST_CASE("integers in all bases, with underscores, up to 2**64 - 1") {
  CHECK(int_of("0") == 0);
  CHECK(int_of("0_00") == 0);
  CHECK(int_of("1_000_000") == 1000000);
  CHECK(int_of("0xFf") == 255);
  CHECK(int_of("0X_dead_beef") == 0xdeadbeef);
  CHECK(int_of("0o17") == 15);
  CHECK(int_of("0b1_01") == 5);
  CHECK(int_of("18446744073709551615") == std::numeric_limits<uint64_t>::max());
  CHECK(int_of("0xFFFFFFFFFFFFFFFF") == std::numeric_limits<uint64_t>::max());
  CHECK(int_of("0b" + std::string(64, '1')) == std::numeric_limits<uint64_t>::max());
}

TEST_CASE("integers above 2**64 - 1 are refused, whatever their length") {
  CHECK(faults_of("18446744073709551616") == "108@1:1+20");
  CHECK(faults_of("0x10000000000000000") == "108@1:1+19");
  CHECK(faults_of("0b1" + std::string(64, '0')) == "108@1:1+67");
  CHECK(faults_of("9" + std::string(100000, '9')) == "108@1:1+100001");
}

TEST_CASE("floats are read correctly rounded") {
  CHECK(float_of("1.") == 1.0);
  CHECK(float_of(".5") == 0.5);
  CHECK(float_of("0.1") == 0.1);
  CHECK(float_of("1_0.2_5e1_0") == 10.25e10);
  CHECK(float_of("1E-5") == 1e-5);
  CHECK(float_of("0777.5") == 777.5);
  CHECK(float_of("1.7976931348623159e308") == std::numeric_limits<double>::infinity());
  CHECK(float_of("1.7976931348623157e308") == std::numeric_limits<double>::max());
  CHECK(float_of("9007199254740993.0") == 9007199254740992.0);
}

TEST_CASE("floats outside the range become infinity or zero") {
  CHECK(float_of("1e400") == std::numeric_limits<double>::infinity());
  CHECK(float_of("1e99999999999999999999") == std::numeric_limits<double>::infinity());
  CHECK(float_of("1" + std::string(400, '0') + ".0") == std::numeric_limits<double>::infinity());
  CHECK(float_of("1e-400") == 0.0);
  CHECK(float_of("0." + std::string(400, '0') + "1") == 0.0);
  CHECK(float_of("1e-99999999999999999999") == 0.0);
  CHECK(float_of("0e99999999999999999999") == 0.0);
  CHECK(float_of("4.9e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(float_of("0." + std::string(400, '0') + "1e401") == 1.0);
}

TEST_CASE("imaginary numbers") {
  CHECK(value_of<ImagLit>("1j") == 1.0);
  CHECK(value_of<ImagLit>("1.5e2J") == 150.0);
  CHECK(value_of<ImagLit>("0777j") == 777.0);
}

TEST_CASE("the fault of a number is marked alone") {
  CHECK(faults_of("x = 0777") == "107@1:5+1");
  CHECK(faults_of("x = 0x") == "106@1:5+2");
  CHECK(faults_of("x = 0b12") == "106@1:8+1");
  CHECK(faults_of("x = 1__0") == "106@1:6+1");
  CHECK(faults_of("x = 1_") == "106@1:6+1");
  CHECK(faults_of("x = 1e_5") == "106@1:7+1");
  CHECK(faults_of("x = 1_.5") == "106@1:6+1");
  CHECK(faults_of("x = 12abc + 1") == "106@1:7+3");
  CHECK(faults_of("x = 1e+") == "106@1:6+2");
  CHECK(faults_of("x = 2.5fé") == "106@1:8+2");
}

TEST_CASE("escapes of strings") {
  CHECK(string_of(R"('\n\t\\\'\"\a\b\f\r\v')") == "\n\t\\'\"\a\b\f\r\v");
  CHECK(string_of(R"('\0\12\1234\x41')") == std::string("\0\n", 2) + "S4A");
  CHECK(string_of(R"('\u00e9\U0001F600')") == "é😀");
  CHECK(string_of("'a\\\nb'") == "ab");
  CHECK(string_of("'a\\\r\nb'") == "ab");
  CHECK(string_of(R"('\q\8')") == "\\q\\8");
}

TEST_CASE("raw strings keep their backslashes, triple quotes their line ends") {
  CHECK(string_of(R"(r'\n\'')") == "\\n\\'");
  CHECK(string_of("'''a\nb\r\nc\rd'''") == "a\nb\nc\nd");
  CHECK(string_of(R"("""a "b" c""")") == "a \"b\" c");
}

TEST_CASE("literals beside one another are one string") {
  CHECK(string_of("'a' \"b\" '''c'''") == "abc");
  CHECK(faults_of("x = 'a' b'b'") == "132@1:9+4");
}

TEST_CASE("bytes literals hold ASCII and escapes; their bytes become U+0000 to U+00FF") {
  CHECK(string_of(R"(b'a\xff\u0041')") == "aÿ\\u0041");
  CHECK(faults_of("x = b'é'") == "134@1:7+1");
}

TEST_CASE("escapes that cannot be read are marked") {
  CHECK(faults_of(R"(x = '\x4')") == "105@1:6+3");
  CHECK(faults_of(R"(x = '\u12')") == "105@1:6+4");
  CHECK(faults_of(R"(x = '\ud800')") == "105@1:6+6");
  CHECK(faults_of(R"(x = '\U00110000')") == "105@1:6+10");
  CHECK(faults_of(R"(x = '\N{DASH}')") == "105@1:6+2");
}

TEST_CASE("a literal's inside is known when it is its value") {
  const source::SourceFile file("t.dsl", R"~("f4(f4)" r'''x''' "a" "b" "\n" f"x")~");
  CHECK(string_body(file, {0, 8}) == source::Span{1, 7});
  CHECK(string_body(file, {9, 17}) == source::Span{13, 14});
  CHECK_FALSE(string_body(file, {18, 25}));
  CHECK_FALSE(string_body(file, {26, 30}));
  CHECK_FALSE(string_body(file, {31, 35}));
}
