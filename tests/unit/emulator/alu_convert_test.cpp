// cvt against MPFR and 128-bit integers.
#include <algorithm>
#include <catch2/catch.hpp>

#include "runtime/emulator/alu/int128.hpp"
#include "tests/unit/emulator/alu_text.hpp"
#include "tests/unit/emulator/mpfr_oracle.hpp"

namespace jitc::emulator_test {
namespace {

using emulator::Signed128;

struct IntegerType {
  std::string name;
  uint32_t width;
  bool is_signed;
};

const std::vector<IntegerType>& integer_types() {
  static const std::vector<IntegerType> types = {{"u8", 8, false},   {"u16", 16, false}, {"u32", 32, false},
                                                 {"u64", 64, false}, {"s8", 8, true},    {"s16", 16, true},
                                                 {"s32", 32, true},  {"s64", 64, true}};
  return types;
}

Signed128 value(Bits bits, const IntegerType& type) {
  return type.is_signed ? Signed128{as_signed(bits, type.width)} : Signed128{low_bits(bits, type.width)};
}

Signed128 least(const IntegerType& type) { return type.is_signed ? -(Signed128{1} << (type.width - 1)) : 0; }
Signed128 most(const IntegerType& type) { return (Signed128{1} << (type.width - (type.is_signed ? 1 : 0))) - 1; }

TEST_CASE("Between integers the value is cut, or clamped with .sat") {
  for (const IntegerType& to : integer_types()) {
    for (const IntegerType& from : integer_types()) {
      const Computation cut("cvt." + to.name + "." + from.name), clamped("cvt.sat." + to.name + "." + from.name);
      for (Bits a : integer_samples(30)) {
        CAPTURE(to.name, from.name, a);
        CHECK(cut({a}) == low_bits(Bits(value(a, from)), to.width));
        CHECK(clamped({a}) == low_bits(Bits(std::clamp(value(a, from), least(to), most(to))), to.width));
      }
    }
  }
}

TEST_CASE("A narrow signed result is extended by its sign in a wide register") {
  const auto result = emulator::evaluate(Computation("cvt.s8.s32").alu(), {0x180});
  CHECK(result.value == ~Bits{0} << 7);
}

/// MPFR's operand is the integer; both signednesses of 64 bits fit its precision.
uint64_t integer_as_float(Signed128 number, const OracleFormat& to, mpfr_rnd_t mode) {
  static Signed128 operand;
  operand = number;
  const OracleOperation set = [](mpfr_ptr out, mpfr_srcptr const*, mpfr_rnd_t rounding) {
    return operand < 0 ? mpfr_set_si(out, static_cast<long>(operand), rounding)
                       : mpfr_set_ui(out, static_cast<unsigned long>(operand), rounding);
  };
  return oracle(set, {}, to, to, mode);
}

TEST_CASE("Integers become the nearest float in the direction asked for") {
  for (const char* to : {"f16", "f32", "f64"}) {
    for (const OracleRounding& rounding : oracle_roundings()) {
      for (const IntegerType& from : integer_types()) {
        const std::string spelling = "cvt." + rounding.name + "." + to + "." + from.name;
        const Computation computation(spelling);
        for (Bits a : integer_samples(60)) {
          CAPTURE(spelling, a);
          CHECK(computation({a}) == integer_as_float(value(a, from), oracle_format(to), rounding.mode));
        }
      }
    }
  }
}

/// Rounded to an integer, then clamped; of a NaN what PTX says.
Bits float_as_integer(uint64_t bits, const OracleFormat& from, const IntegerType& to, mpfr_rnd_t mode) {
  if (is_nan(bits, from)) return from.name == "f64" || to.width == 64 ? Bits{1} << (to.width - 1) : 0;
  mpfr_t number;
  mpfr_init2(number, 80);
  set_from_bits(number, bits, from);
  mpfr_rint(number, number, mode);
  const bool is_below = mpfr_cmp_si_2exp(number, -1, 63) < 0, is_above = mpfr_cmp_ui_2exp(number, 1, 64) >= 0;
  const Signed128 whole = is_below               ? -(Signed128{1} << 70)
                          : is_above             ? Signed128{1} << 70
                          : mpfr_sgn(number) < 0 ? Signed128{mpfr_get_si(number, MPFR_RNDZ)}
                                                 : Signed128{mpfr_get_ui(number, MPFR_RNDZ)};
  mpfr_clear(number);
  return low_bits(Bits(std::clamp(whole, least(to), most(to))), to.width);
}

TEST_CASE("Floats become integers, rounded and clamped") {
  for (const char* from : {"f16", "bf16", "f32", "f64"}) {
    const auto samples = float_samples(oracle_format(from), 150);
    for (const OracleRounding& rounding : oracle_roundings()) {
      for (const IntegerType& to : integer_types()) {
        if (from == std::string("bf16") && to.width == 8) continue;  // no such instruction
        const std::string spelling = "cvt." + rounding.name + "i." + to.name + "." + from;
        const Computation computation(spelling);
        for (uint64_t a : samples) {
          CAPTURE(spelling, a);
          CHECK(computation({a}) == float_as_integer(a, oracle_format(from), to, rounding.mode));
        }
      }
    }
  }
}

int mp_set(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_set(out, x[0], mode); }

void check_float_to_float(const std::string& spelling, const char* from, const char* to, mpfr_rnd_t mode) {
  const Computation computation(spelling);
  for (uint64_t a : float_samples(oracle_format(from), 300)) {
    const uint64_t expected = oracle(&mp_set, {a}, oracle_format(from), oracle_format(to), mode),
                   found = computation({a});
    if (is_nan(expected, oracle_format(to)) && is_nan(found, oracle_format(to))) continue;
    CAPTURE(spelling, a);
    CHECK(found == expected);
  }
}

TEST_CASE("Floats become narrower ones in the direction asked for") {
  for (const OracleRounding& rounding : oracle_roundings()) {
    check_float_to_float("cvt." + rounding.name + ".f32.f64", "f64", "f32", rounding.mode);
    check_float_to_float("cvt." + rounding.name + ".f16.f32", "f32", "f16", rounding.mode);
    check_float_to_float("cvt." + rounding.name + ".f16.f64", "f64", "f16", rounding.mode);
    check_float_to_float("cvt." + rounding.name + ".bf16.f64", "f64", "bf16", rounding.mode);
  }
  check_float_to_float("cvt.rn.bf16.f32", "f32", "bf16", MPFR_RNDN);
}

TEST_CASE("Floats become wider ones exactly") {
  check_float_to_float("cvt.f64.f32", "f32", "f64", MPFR_RNDN);
  check_float_to_float("cvt.f32.f16", "f16", "f32", MPFR_RNDN);
  check_float_to_float("cvt.f64.f16", "f16", "f64", MPFR_RNDN);
  check_float_to_float("cvt.f32.bf16", "bf16", "f32", MPFR_RNDN);
}

int mp_rint(mpfr_ptr out, mpfr_srcptr const* x, mpfr_rnd_t mode) { return mpfr_rint(out, x[0], mode); }

TEST_CASE("Floats are rounded to integers in place, zeros keeping their sign") {
  for (const char* type : {"f32", "f64", "f16"}) {
    const OracleFormat& format = oracle_format(type);
    for (const OracleRounding& rounding : oracle_roundings()) {
      const std::string spelling = "cvt." + rounding.name + "i." + type + "." + type;
      const Computation computation(spelling);
      for (uint64_t a : float_samples(format, 200)) {
        if (is_nan(a, format)) continue;
        CAPTURE(spelling, a);
        CHECK(computation({a}) == oracle(&mp_rint, {a}, format, format, rounding.mode));
      }
    }
  }
}

TEST_CASE("Saturating conversions lie in [0, 1]; .ftz flushes f32 alone") {
  CHECK(compute("cvt.sat.f32.f32", {0x40000000}) == 0x3f800000);
  CHECK(compute("cvt.sat.f32.f32", {0x7fc00000}) == 0);
  CHECK(compute("cvt.rn.sat.f16.f32", {0xbf800000}) == 0);
  CHECK(compute("cvt.ftz.f32.f32", {0x80000001}) == 0x80000000);
  CHECK(compute("cvt.ftz.f64.f32", {1}) == 0);
  CHECK(compute("cvt.ftz.f32.f16", {1}) == 0x33800000);
  CHECK(compute("cvt.rpi.ftz.s32.f32", {1}) == 0);
  CHECK(compute("cvt.rn.ftz.f32.f64", {Bits{0x3700} << 48}) == 0);
}

TEST_CASE("Two f32 become a pair, the first in the upper half") {
  CHECK(compute("cvt.rn.f16x2.f32", {0x3f800000, 0x40000000}) == 0x3c004000);
  CHECK(compute("cvt.rz.relu.bf16x2.f32", {0xbf800000, 0x3f80ffff}) == 0x00003f80);
}

TEST_CASE("tf32 keeps ten bits of the fraction, ties away from zero") {
  CHECK(compute("cvt.rna.tf32.f32", {0x3f801000}) == 0x3f802000);
  CHECK(compute("cvt.rna.tf32.f32", {0x3f800fff}) == 0x3f800000);
  CHECK(compute("cvt.rna.tf32.f32", {0xbf801000}) == 0xbf802000);
}

}  // namespace
}  // namespace jitc::emulator_test
