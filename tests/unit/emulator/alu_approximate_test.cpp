// The approximations are the exact functions rounded to nearest: against MPFR.
#include <catch2/catch.hpp>

#include "tests/unit/emulator/alu_text.hpp"
#include "tests/unit/emulator/mpfr_oracle.hpp"

namespace jitc::emulator_test {
namespace {

int mp_sin(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_sin(out, x[0], mode); }
int mp_cos(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_cos(out, x[0], mode); }
int mp_log2(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_log2(out, x[0], mode); }
int mp_exp2(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_exp2(out, x[0], mode); }
int mp_tanh(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_tanh(out, x[0], mode); }
int mp_sqrt(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_sqrt(out, x[0], mode); }
int mp_rcp(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_ui_div(out, 1, x[0], mode); }

/// MPFR's rec_sqrt of -0 is +infinity, IEEE 754's rSqrt -infinity, as 1 / sqrt(-0).
int mp_rsqrt(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x[0]) == 0) return mpfr_rec_sqrt(out, x[0], mode);
  mpfr_set_inf(out, mpfr_signbit(x[0]) != 0 ? -1 : 1);
  return 0;
}

void check_rounded(const std::string& spelling, OracleOperation operation, const OracleFormat& format,
                   const std::vector<uint64_t>& samples) {
  const Computation computation(spelling);
  for (uint64_t a : samples) {
    const uint64_t expected = oracle(operation, {a}, format, format, MPFR_RNDN), found = computation({a});
    if (found == expected || (is_nan(found, format) && is_nan(expected, format))) continue;
    CAPTURE(spelling, a);
    REQUIRE(found == expected);
  }
}

TEST_CASE("Approximations of f32 are rounded to nearest") {
  const OracleFormat& f32 = oracle_format("f32");
  const auto samples = float_samples(f32, 1000);
  check_rounded("sin.approx.f32", &mp_sin, f32, samples);
  check_rounded("cos.approx.f32", &mp_cos, f32, samples);
  check_rounded("lg2.approx.f32", &mp_log2, f32, samples);
  check_rounded("ex2.approx.f32", &mp_exp2, f32, samples);
  check_rounded("tanh.approx.f32", &mp_tanh, f32, samples);
  check_rounded("rsqrt.approx.f32", &mp_rsqrt, f32, samples);
  check_rounded("sqrt.approx.f32", &mp_sqrt, f32, samples);
  check_rounded("rcp.approx.f32", &mp_rcp, f32, samples);
}

TEST_CASE("Approximations of halves are rounded to nearest") {
  for (const char* type : {"f16", "bf16"}) {
    const OracleFormat& format = oracle_format(type);
    const auto samples = float_samples(format, 1000);
    check_rounded(std::string("tanh.approx.") + type, &mp_tanh, format, samples);
    if (type == std::string("f16")) check_rounded("ex2.approx.f16", &mp_exp2, format, samples);
  }
}

TEST_CASE("rsqrt.approx.f64 is rounded to nearest") {
  check_rounded("rsqrt.approx.f64", &mp_rsqrt, oracle_format("f64"), float_samples(oracle_format("f64"), 200));
}

TEST_CASE("With .ftz approximations see and give no subnormals") {
  CHECK(compute("rcp.approx.ftz.f32", {1}) == 0x7f800000);
  CHECK(compute("rcp.approx.ftz.f32", {0x7f7fffff}) == 0);
  CHECK(compute("lg2.approx.ftz.f32", {1}) == 0xff800000);
  CHECK(compute("ex2.approx.ftz.f32", {0xc2fd0000}) == 0);
}

TEST_CASE("The gross forms of f64 read and write the upper half") {
  const Bits three = Bits{0x40080000} << 32;
  CHECK(compute("rcp.approx.ftz.f64", {three | 0xffffffff}) == Bits{0x3fd55555} << 32);
  CHECK(compute("rsqrt.approx.ftz.f64", {Bits{0x40100000} << 32}) == Bits{0x3fe00000} << 32);
  CHECK(compute("rcp.approx.ftz.f64", {0xffff}) == Bits{0x7ff00000} << 32);
  CHECK(compute("rcp.approx.ftz.f64", {(Bits{0x7ff00000} << 32) + 1}) == Bits{0x7ff80000} << 32);
}

}  // namespace
}  // namespace jitc::emulator_test
