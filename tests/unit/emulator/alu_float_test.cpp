// Floating-point arithmetic against MPFR, in every format and rounding.
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/emulator/alu_text.hpp"
#include "tests/unit/emulator/mpfr_oracle.hpp"

namespace jitc::emulator_test {
namespace {

int mp_add(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_add(out, x[0], x[1], mode); }
int mp_sub(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_sub(out, x[0], x[1], mode); }
int mp_mul(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_mul(out, x[0], x[1], mode); }
int mp_div(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_div(out, x[0], x[1], mode); }
int mp_fma(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_fma(out, x[0], x[1], x[2], mode); }
int mp_sqrt(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_sqrt(out, x[0], mode); }
int mp_rcp(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_ui_div(out, 1, x[0], mode); }

void check_one(const Computation& computation, OracleOperation operation, const std::vector<uint64_t>& x,
               const OracleFormat& format, mpfr_rnd_t mode, const std::string& spelling) {
  const uint64_t expected = oracle(operation, x, format, format, mode);
  const uint64_t found = computation({x[0], x.size() > 1 ? x[1] : 0, x.size() > 2 ? x[2] : 0});
  const bool agrees = found == expected || (is_nan(found, format) && is_nan(expected, format));
  if (agrees) return;
  CAPTURE(spelling, x);
  REQUIRE(found == expected);
}

void check_unary(const std::string& spelling, OracleOperation operation, const OracleFormat& format, mpfr_rnd_t mode) {
  const Computation computation(spelling);
  for (uint64_t a : float_samples(format, 300)) check_one(computation, operation, {a}, format, mode, spelling);
}

void check_binary(const std::string& spelling, OracleOperation operation, const OracleFormat& format, mpfr_rnd_t mode) {
  const Computation computation(spelling);
  const auto samples = float_samples(format, 12);
  for (uint64_t a : samples) {
    for (uint64_t b : samples) check_one(computation, operation, {a, b}, format, mode, spelling);
  }
}

void check_fma(const std::string& spelling, const OracleFormat& format, mpfr_rnd_t mode) {
  const Computation computation(spelling);
  const auto samples = float_samples(format, 10);
  std::mt19937 chance(5);
  for (int i = 0; i < 6000; ++i) {
    const auto any = [&] { return samples[chance() % samples.size()]; };
    check_one(computation, &mp_fma, {any(), any(), any()}, format, mode, spelling);
  }
}

TEST_CASE("Sums, differences, products and quotients are rounded once, in every direction") {
  for (const char* type : {"f32", "f64"}) {
    const OracleFormat& format = oracle_format(type);
    for (const OracleRounding& rounding : oracle_roundings()) {
      const std::string suffix = "." + rounding.name + "." + type;
      check_binary("add" + suffix, &mp_add, format, rounding.mode);
      check_binary("sub" + suffix, &mp_sub, format, rounding.mode);
      check_binary("mul" + suffix, &mp_mul, format, rounding.mode);
      check_binary("div" + suffix, &mp_div, format, rounding.mode);
    }
  }
}

TEST_CASE("Roots and reciprocals are rounded once, in every direction") {
  for (const char* type : {"f32", "f64"}) {
    const OracleFormat& format = oracle_format(type);
    for (const OracleRounding& rounding : oracle_roundings()) {
      check_unary("sqrt." + rounding.name + "." + type, &mp_sqrt, format, rounding.mode);
      check_unary("rcp." + rounding.name + "." + type, &mp_rcp, format, rounding.mode);
    }
  }
}

TEST_CASE("fma rounds once, in every direction") {
  for (const char* type : {"f32", "f64"}) {
    for (const OracleRounding& rounding : oracle_roundings()) {
      check_fma("fma." + rounding.name + "." + type, oracle_format(type), rounding.mode);
    }
  }
}

TEST_CASE("Sums that cancel keep every bit") {
  const OracleFormat& f64 = oracle_format("f64");
  std::mt19937_64 chance(3);
  const Computation fma("fma.rp.f64"), add("add.rm.f64");
  for (int i = 0; i < 5000; ++i) {
    const uint64_t a = (uint64_t{0x3ff} << 52) | chance() >> 12, b = (uint64_t{0x3ff} << 52) | chance() >> 12;
    const uint64_t product = oracle(&mp_mul, {a, b}, f64, f64, MPFR_RNDN) ^ uint64_t { 1 } << 63;
    check_one(fma, &mp_fma, {a, b, product}, f64, MPFR_RNDU, "fma.rp.f64");
    check_one(add, &mp_add, {a, (b ^ uint64_t{1} << 63) - (chance() % 60 << 52)}, f64, MPFR_RNDD, "add.rm.f64");
  }
}

TEST_CASE("Halves of both kinds are rounded after each operation") {
  for (const char* type : {"f16", "bf16"}) {
    const OracleFormat& format = oracle_format(type);
    const std::string suffix = std::string(".rn.") + type;
    check_binary("add" + suffix, &mp_add, format, MPFR_RNDN);
    check_binary("sub" + suffix, &mp_sub, format, MPFR_RNDN);
    check_binary("mul" + suffix, &mp_mul, format, MPFR_RNDN);
    check_fma("fma" + suffix, format, MPFR_RNDN);
  }
}

TEST_CASE("Packed halves are computed apart") {
  const Computation one("fma.rn.f16"), both("fma.rn.f16x2");
  const auto samples = float_samples(oracle_format("f16"), 20);
  std::mt19937 chance(9);
  for (int i = 0; i < 2000; ++i) {
    const auto any = [&] { return samples[chance() % samples.size()]; };
    const Bits a = any(), b = any(), c = any(), d = any(), e = any(), f = any();
    CHECK(both({a | b << 16, c | d << 16, e | f << 16}) == (one({a, c, e}) | one({b, d, f}) << 16));
  }
}

TEST_CASE("With .ftz subnormal operands and results are zeros of their sign") {
  CHECK(compute("add.rn.ftz.f32", {0x00000001, 0x80000001}) == 0);
  CHECK(compute("mul.rn.ftz.f32", {0x80400000, 0x7f000000}) == 0x80000000);
  CHECK(compute("mul.rn.ftz.f32", {0x80800000, 0x3f000000}) == 0x80000000);
  CHECK(compute("add.rz.ftz.f32", {0x00800000, 0x80800001}) == 0x80000000);
  CHECK(compute("fma.rn.ftz.f32", {0x3f800000, 0x3f800000, 0x00000001}) == 0x3f800000);
  CHECK(compute("div.rn.ftz.f32", {0x3f800000, 0x00000001}) == 0x7f800000);
  CHECK(compute("sqrt.rn.ftz.f32", {0x80000001}) == 0x80000000);
  CHECK(compute("fma.rn.ftz.f16", {0x3c00, 0x0001, 0x0000}) == 0);
}

TEST_CASE("With .sat results lie in [0, 1] and a NaN is zero") {
  CHECK(compute("add.sat.f32", {0x3f800000, 0x3f800000}) == 0x3f800000);
  CHECK(compute("sub.rn.sat.f32", {0x3f000000, 0x3f800000}) == 0);
  CHECK(compute("mul.sat.f32", {0x7f800000, 0}) == 0);
  CHECK(compute("mul.sat.f32", {0x80000000, 0x3f800000}) == 0);
  CHECK(compute("fma.rn.sat.f32", {0x3f000000, 0x3f000000, 0}) == 0x3e800000);
  CHECK(compute("add.sat.f16x2", {0x3c00bc00, 0x3c000000}) == 0x3c000000);
}

TEST_CASE("With .relu negative results are zero and a NaN stays one") {
  CHECK(compute("fma.rn.relu.f16", {0xbc00, 0x3c00, 0}) == 0);
  CHECK(compute("fma.rn.relu.f16", {0x7e00, 0x3c00, 0}) == 0x7fff);
  CHECK(compute("fma.rn.relu.bf16x2", {0x3f80bf80, 0x3f803f80, 0}) == 0x3f800000);
}

TEST_CASE("A NaN is the canonical one") {
  CHECK(compute("add.f32", {0x7f800001, 0}) == 0x7fffffff);
  CHECK(compute("mul.rz.f32", {0x7f800000, 0}) == 0x7fffffff);
  CHECK(compute("sqrt.rn.f64", {Bits{0xc} << 60}) == Bits{0x7ff8} << 48);
  CHECK(compute("add.f16", {0x7c01, 0}) == 0x7fff);
}

}  // namespace
}  // namespace jitc::emulator_test
