// Scalars convert to a parameter's type only when nothing is lost.
#include "src/engine/scalar_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace jitc;
using engine::convert_scalar;
using engine::value_text;

namespace {

template <class To, class From>
bool converts(From from) {
  const auto out = convert_scalar(Scalar::of(from), dtype_of<To>());
  if (!out) return false;
  // When it converts, it has the type, the value and no stray high bits.
  CHECK(out->dtype == dtype_of<To>());
  CHECK(out->bits == Scalar::of(static_cast<To>(from)).bits);
  return true;
}

}  // namespace

TEST_CASE("integers convert to the integer types that hold them") {
  CHECK(converts<int8_t>(int64_t{127}));
  CHECK_FALSE(converts<int8_t>(int64_t{128}));
  CHECK(converts<int8_t>(int64_t{-128}));
  CHECK_FALSE(converts<int8_t>(int64_t{-129}));
  CHECK(converts<uint8_t>(255));
  CHECK_FALSE(converts<uint8_t>(256));
  CHECK_FALSE(converts<uint64_t>(-1));
  CHECK(converts<uint64_t>(std::numeric_limits<int64_t>::max()));
  CHECK(converts<int64_t>(std::numeric_limits<int64_t>::min()));
  CHECK_FALSE(converts<int64_t>(std::numeric_limits<uint64_t>::max()));
  CHECK(converts<int64_t>(int8_t{-1}));
  CHECK(converts<int32_t>(uint16_t{65535}));
}

TEST_CASE("integers convert to the floats that represent them exactly") {
  CHECK(converts<float>(2));
  CHECK(converts<float>(1 << 24));
  CHECK_FALSE(converts<float>((1 << 24) + 1));
  CHECK(converts<float>(std::numeric_limits<int64_t>::min()));
  CHECK(converts<double>((int64_t{1} << 53) - 1));
  CHECK_FALSE(converts<double>((int64_t{1} << 53) + 1));
  CHECK_FALSE(converts<double>(std::numeric_limits<uint64_t>::max()));
  CHECK(converts<double>(0));
}

TEST_CASE("floats convert to floats that hold their value") {
  CHECK(converts<double>(0.1f));
  CHECK(converts<float>(0.5));
  CHECK_FALSE(converts<float>(0.1));
  CHECK_FALSE(converts<float>(1e300));
  CHECK_FALSE(converts<float>(1e-300));
  CHECK(converts<float>(std::numeric_limits<double>::infinity()));
  CHECK(converts<float>(-0.0));
  const auto nan = convert_scalar(Scalar::of(std::nan("")), f4);
  REQUIRE(nan);
  CHECK((nan->bits & 0x7FC00000u) == 0x7FC00000u);
}

TEST_CASE("floats never become integers, bools become integers alone, nothing becomes a bool") {
  CHECK_FALSE(converts<int32_t>(3.0));
  CHECK_FALSE(converts<int32_t>(3.0f));
  CHECK(converts<int32_t>(true));
  CHECK(converts<uint8_t>(false));
  CHECK_FALSE(converts<float>(true));
  CHECK_FALSE(converts<bool>(1));
  CHECK_FALSE(converts<bool>(1.0f));
  CHECK(converts<bool>(true));
}

TEST_CASE("scalars of a ufunc are rounded to floats, and are not otherwise changed") {
  using engine::adopt_scalar;
  const auto adopted = [](auto value, DType wanted) { return adopt_scalar(Scalar::of(value), wanted).value().bits; };
  CHECK(adopted(0.1, f4) == Scalar::of(0.1f).bits);
  CHECK(adopted((1 << 24) + 1, f4) == Scalar::of(static_cast<float>((1 << 24) + 1)).bits);
  CHECK(adopted(std::numeric_limits<uint64_t>::max(), f8) == Scalar::of(0x1p64).bits);
  CHECK(adopted(std::numeric_limits<int64_t>::min() + 1, f4) == Scalar::of(-0x1p63f).bits);
  CHECK(adopted(true, f4) == Scalar::of(1.0f).bits);
  CHECK(adopted(-0.0, f4) == Scalar::of(-0.0f).bits);
  CHECK(adopted(0x1.fffffefp127, f4) == Scalar::of(std::numeric_limits<float>::max()).bits);
  CHECK(adopted(std::numeric_limits<double>::infinity(), f4) ==
        Scalar::of(std::numeric_limits<float>::infinity()).bits);
  CHECK_FALSE(adopt_scalar(Scalar::of(0x1.ffffffp127), f4));
  CHECK_FALSE(adopt_scalar(Scalar::of(2.0), i4));
  CHECK_FALSE(adopt_scalar(Scalar::of(300), u1));
  CHECK_FALSE(adopt_scalar(Scalar::of(1), b1));
}

TEST_CASE("values are written as Python writes them") {
  CHECK(value_text(Scalar::of(int8_t{-128})) == "-128");
  CHECK(value_text(Scalar::of(std::numeric_limits<int64_t>::min())) == "-9223372036854775808");
  CHECK(value_text(Scalar::of(std::numeric_limits<uint64_t>::max())) == "18446744073709551615");
  CHECK(value_text(Scalar::of(0.1f)) == "0.1");
  CHECK(value_text(Scalar::of(0.1)) == "0.1");
  CHECK(value_text(Scalar::of(true)) == "True");
  CHECK(value_text(Scalar::of(false)) == "False");
}
