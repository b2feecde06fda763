#include "tests/support/run_cases/compare.hpp"

#include <catch2/catch.hpp>

#include "src/io/array_spec.hpp"

namespace jitc::cases {
namespace {

io::HostArray array(const std::string& spec) { return io::make_array(io::parse_arg_spec(spec)); }

bool equal(const CompareRule& rule, const std::string& a, const std::string& b) {
  return !first_difference(rule, array(a), array(b)).has_value();
}

constexpr CompareRule kBits{};
constexpr CompareRule kUlp1{CompareRule::Kind::kUlp, 0, 1};
constexpr CompareRule kRelative{CompareRule::Kind::kRelative, 1e-3, 0};

TEST_CASE("By bits every NaN is equal, and the two zeros are not") {
  CHECK(equal(kBits, "f4[2]{nan, 1}", "f4[2]{nan, 1}"));
  CHECK_FALSE(equal(kBits, "f4[1]{0}", "f4[1]{-0.0}"));
  CHECK_FALSE(equal(kBits, "f4[1]{nan}", "f4[1]{1}"));
  CHECK_FALSE(equal(kBits, "f8[1]{1}", "f8[1]{1.0000000000000002}"));
}

TEST_CASE("Steps between neighbours count across zero") {
  CHECK(equal(kUlp1, "f8[1]{1}", "f8[1]{1.0000000000000002}"));
  CHECK_FALSE(equal(kUlp1, "f8[1]{1}", "f8[1]{1.0000000000000004}"));
  CHECK(equal(kUlp1, "f8[1]{0}", "f8[1]{-5e-324}"));
  CHECK_FALSE(equal(kUlp1, "f8[1]{5e-324}", "f8[1]{-5e-324}"));
  CHECK_FALSE(equal(kUlp1, "f4[1]{inf}", "f4[1]{3.4028235e38}"));
}

TEST_CASE("A relative tolerance is relative to what is expected") {
  CHECK(equal(kRelative, "f4[1]{1000}", "f4[1]{1000.9}"));
  CHECK_FALSE(equal(kRelative, "f4[1]{1000}", "f4[1]{1001.1}"));
  CHECK_FALSE(equal(kRelative, "f4[1]{inf}", "f4[1]{nan}"));
}

TEST_CASE("Integers are equal or not under every rule") {
  CHECK_FALSE(equal(kRelative, "i4[1]{1000000}", "i4[1]{1000001}"));
}

TEST_CASE("The first difference is named with its index and both values") {
  CHECK(*first_difference(kBits, array("i4[2,2]{1, 2, 3, 4}"), array("i4[2,2]{1, 2, -3, 5}")) ==
        "[1,0] is -3, expected 3 (the first of 2 different elements)");
  CHECK(*first_difference(kBits, array("f4[1]{1}"), array("f8[1]{1}")) == " is f8[1], expected f4[1]");
}

}  // namespace
}  // namespace jitc::cases
