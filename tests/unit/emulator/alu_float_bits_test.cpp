#include <bit>
#include <catch2/catch.hpp>

#include "tests/unit/emulator/alu_text.hpp"
#include "tests/unit/emulator/mpfr_oracle.hpp"

namespace jitc::emulator_test {
namespace {

constexpr Bits kOne = 0x3f800000, kMinusTwo = 0xc0000000, kNan = 0x7fc00001, kTiny = 1, kMinusZero = 0x80000000;
constexpr Bits kCanonical = 0x7fffffff, kInfinity = 0x7f800000;

TEST_CASE("testp says what kind of number it is") {
  CHECK(compute("testp.finite.f32", {kOne}) == 1);
  CHECK(compute("testp.finite.f32", {kInfinity}) == 0);
  CHECK(compute("testp.infinite.f32", {kInfinity | kMinusZero}) == 1);
  CHECK(compute("testp.number.f32", {kInfinity}) == 1);
  CHECK(compute("testp.number.f32", {kNan}) == 0);
  CHECK(compute("testp.notanumber.f64", {Bits{0x7ff8} << 48}) == 1);
  CHECK(compute("testp.normal.f32", {kTiny}) == 0);
  CHECK(compute("testp.normal.f32", {kMinusTwo}) == 1);
  CHECK(compute("testp.normal.f32", {0}) == 0);
  CHECK(compute("testp.subnormal.f32", {kTiny}) == 1);
  CHECK(compute("testp.subnormal.f64", {0}) == 0);
}

TEST_CASE("copysign puts the sign of the first on the second") {
  CHECK(compute("copysign.f32", {kMinusTwo, kOne}) == 0xbf800000);
  CHECK(compute("copysign.f64", {0, Bits{0xbff0} << 48}) == Bits{0x3ff0} << 48);
}

TEST_CASE("abs and neg change the sign alone") {
  CHECK(compute("abs.f32", {kMinusTwo}) == 0x40000000);
  CHECK(compute("neg.f32", {0}) == kMinusZero);
  CHECK(compute("neg.ftz.f32", {kTiny}) == kMinusZero);
  CHECK(compute("abs.f64", {Bits{0xfff0} << 48}) == Bits{0x7ff0} << 48);
  CHECK(compute("neg.f16x2", {0x3c00bc00}) == 0xbc003c00);
  CHECK(compute("abs.bf16x2", {0xbf80ff80}) == 0x3f807f80);
}

TEST_CASE("min and max take the number where the other is a NaN") {
  CHECK(compute("min.f32", {kNan, kOne}) == kOne);
  CHECK(compute("max.f32", {kMinusTwo, kNan}) == kMinusTwo);
  CHECK(compute("min.f32", {kNan, kNan}) == kCanonical);
  CHECK(compute("max.NaN.f32", {kMinusTwo, kNan}) == kCanonical);
  CHECK(compute("min.NaN.f16x2", {0x7e003c00, 0x3c004000}) == 0x7fff3c00);
}

TEST_CASE("min and max put -0 before +0") {
  CHECK(compute("min.f32", {0, kMinusZero}) == kMinusZero);
  CHECK(compute("max.f32", {kMinusZero, 0}) == 0);
  CHECK(compute("max.f64", {Bits{1} << 63, 0}) == 0);
}

TEST_CASE("min and max order all finite values") {
  const OracleFormat& f32 = oracle_format("f32");
  for (uint64_t a : float_samples(f32, 20)) {
    for (uint64_t b : float_samples(f32, 20)) {
      if (is_nan(a, f32) || is_nan(b, f32)) continue;
      const auto x = std::bit_cast<float>(uint32_t(a)), y = std::bit_cast<float>(uint32_t(b));
      if (x == y) continue;
      CHECK(compute("min.f32", {a, b}) == (x < y ? a : b));
      CHECK(compute("max.f32", {a, b}) == (x < y ? b : a));
    }
  }
}

TEST_CASE("With .xorsign.abs magnitudes are compared and signs multiplied") {
  CHECK(compute("min.xorsign.abs.f32", {kMinusTwo, kOne}) == 0xbf800000);
  CHECK(compute("max.xorsign.abs.f32", {kMinusTwo, 0xbf800000}) == 0x40000000);
  CHECK(compute("max.NaN.xorsign.abs.f32", {kMinusTwo, kNan}) == kCanonical);
}

TEST_CASE("With .ftz subnormals take part as zeros") {
  CHECK(compute("max.ftz.f32", {kTiny, kMinusZero}) == 0);
  CHECK(compute("min.ftz.f32", {kTiny, kTiny}) == 0);
}

}  // namespace
}  // namespace jitc::emulator_test
