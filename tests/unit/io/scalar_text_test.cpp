#include "src/io/scalar_text.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace jitc;
using io::format_scalar;
using io::parse_scalar;

namespace {

std::string round_trip(const char* text, DType dtype) {
  const io::ScalarResult result = parse_scalar(text, dtype);
  return result.value ? format_scalar(*result.value) : result.problem;
}

}  // namespace

TEST_CASE("integers are read in four bases and with underscores") {
  CHECK(round_trip("42", i4) == "42");
  CHECK(round_trip("-3", i1) == "-3");
  CHECK(round_trip("+7", u1) == "7");
  CHECK(round_trip("0x10", i4) == "16");
  CHECK(round_trip("-0x80", i1) == "-128");
  CHECK(round_trip("0b101", u1) == "5");
  CHECK(round_trip("0o17", u2) == "15");
  CHECK(round_trip("1_000_000", i4) == "1000000");
  CHECK(round_trip("18446744073709551615", u8) == "18446744073709551615");
  CHECK(round_trip("-9223372036854775808", i8) == "-9223372036854775808");
}

TEST_CASE("an integer type takes whole floats and truth values and nothing else") {
  CHECK(round_trip("1e6", i4) == "1000000");
  CHECK(round_trip("2.0", u1) == "2");
  CHECK(round_trip("true", i4) == "1");
  CHECK(round_trip("2.5", i4) == "2.5 is not a whole number that fits i4 (-2147483648 to 2147483647)");
  CHECK(round_trip("nan", i4) == "nan is not a whole number that fits i4 (-2147483648 to 2147483647)");
  CHECK(round_trip("1e30", i8) ==
        "1e30 is not a whole number that fits i8 (-9223372036854775808 to 9223372036854775807)");
}

TEST_CASE("an integer out of range is refused with the range") {
  CHECK(round_trip("256", u1) == "256 does not fit u1 (0 to 255)");
  CHECK(round_trip("-1", u4) == "-1 does not fit u4 (0 to 4294967295)");
  CHECK(round_trip("128", i1) == "128 does not fit i1 (-128 to 127)");
  CHECK(round_trip("-129", i1) == "-129 does not fit i1 (-128 to 127)");
  CHECK(round_trip("18446744073709551616", u8) == "18446744073709551616 does not fit u8 (0 to 18446744073709551615)");
  CHECK(round_trip("9223372036854775808", i8) ==
        "9223372036854775808 does not fit i8 (-9223372036854775808 to 9223372036854775807)");
}

TEST_CASE("floats are rounded once to their own type and printed in the shortest form") {
  CHECK(round_trip("2.5", f4) == "2.5");
  CHECK(round_trip("0.1", f4) == "0.1");
  CHECK(round_trip("0.1", f8) == "0.1");
  CHECK(round_trip("1", f8) == "1");
  CHECK(round_trip("0x10", f4) == "16");
  CHECK(round_trip("-0.0", f4) == "-0");
  CHECK(round_trip("1e-45", f4) == "1e-45");
  CHECK(round_trip("1e-60", f4) == "0");
  CHECK(round_trip("-1e-400", f8) == "-0");
  CHECK(round_trip("16777217", f4) == "16777216");
  // Halfway in f4 but above it in decimal: rounding through f8 would give 1.
  CHECK(round_trip("1.00000005960464477540", f4) == "1.0000001");
}

TEST_CASE("infinities and nans are words, and overflow is a problem") {
  CHECK(round_trip("inf", f4) == "inf");
  CHECK(round_trip("-Infinity", f8) == "-inf");
  CHECK(round_trip("nan", f4) == "nan");
  CHECK(round_trip("-nan", f8) == "nan");
  CHECK(round_trip("1e39", f4) == "1e39 does not fit f4 (largest: 3.4028235e+38)");
  CHECK(round_trip("-1e309", f8) == "-1e309 does not fit f8 (largest: 1.7976931348623157e+308)");
}

TEST_CASE("b1 takes true, false, 1 and 0") {
  CHECK(round_trip("true", b1) == "true");
  CHECK(round_trip("False", b1) == "false");
  CHECK(round_trip("1", b1) == "true");
  CHECK(round_trip("2", b1) == "'2' is not a truth value (true or false)");
}

TEST_CASE("text that is no number is refused") {
  for (const char* text : {"", "-", "+-1", "--1", "1_", "_1", "1__0", "1.5x", "0x", "0xg", "abc", "1 2", "e5", "."}) {
    CHECK_FALSE(parse_scalar(text, f8).value);
    CHECK_FALSE(parse_scalar(text, i8).value);
    CHECK_FALSE(io::looks_like_scalar(text));
  }
  CHECK(round_trip("abc", f4) == "'abc' is not a number of type f4");
}

TEST_CASE("scalars convert to doubles and integers by their own type") {
  CHECK(io::to_double(Scalar::of(2.5F)) == 2.5);
  CHECK(io::to_double(Scalar::of(int8_t{-5})) == -5);
  CHECK(io::to_double(Scalar::of(uint64_t{1} << 63)) == 0x1p63);
  CHECK(io::to_int64(Scalar::of(int16_t{-300})) == -300);
  CHECK(io::to_int64(Scalar::of(uint16_t{65000})) == 65000);
}
