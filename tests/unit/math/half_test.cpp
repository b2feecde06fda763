// Conversions and fma of f2 and bf16, against the C++ types of the public API, and against exact arithmetic.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "jitc/half.hpp"
#include "tests/unit/math/mpfr_reference.hpp"
#include "tests/unit/math/sample_points.hpp"

extern "C" {
float jitc_f2_to_f4(uint16_t);
float jitc_bf16_to_f4(uint16_t);
uint16_t jitc_f4_to_f2(float);
uint16_t jitc_f4_to_bf16(float);
uint16_t jitc_f8_to_f2(double);
uint16_t jitc_f8_to_bf16(double);
uint16_t jitc_i8_to_bf16(int64_t);
uint16_t jitc_u8_to_bf16(uint64_t);
uint16_t jitc_fma_f2(uint16_t, uint16_t, uint16_t);
uint16_t jitc_fma_bf16(uint16_t, uint16_t, uint16_t);
uint16_t jitc_nextafter_f2(uint16_t, uint16_t);
}

namespace jitc::math_test {

namespace {

/// Either half type: its C++ class and the library's functions.
template <class Half>
struct Functions;
template <>
struct Functions<float16> {
  static constexpr auto widen = jitc_f2_to_f4;
  static constexpr auto from_f4 = jitc_f4_to_f2;
  static constexpr auto from_f8 = jitc_f8_to_f2;
  static constexpr auto fma = jitc_fma_f2;
  static constexpr int kDigits = 11, kLowest = -24, kEnd = 16;
};
template <>
struct Functions<bfloat16> {
  static constexpr auto widen = jitc_bf16_to_f4;
  static constexpr auto from_f4 = jitc_f4_to_bf16;
  static constexpr auto from_f8 = jitc_f8_to_bf16;
  static constexpr auto fma = jitc_fma_bf16;
  static constexpr int kDigits = 8, kLowest = -133, kEnd = 128;
};

template <class Half>
bool same(uint16_t bits, Half expected) {
  const bool nan = std::isnan(float(expected));
  return nan ? std::isnan(float(Half::from_bits(bits))) : bits == expected.bits();
}

/// An exact value rounded once: MPFR in the format's digits, with its exponents.
template <class Half>
Half rounded(const Mpfr& exact) {
  using F = Functions<Half>;
  Mpfr out(F::kDigits);
  const int direction = mpfr_set(out.get(), exact.get(), MPFR_RNDN);
  mpfr_set_emin(F::kLowest + 1);
  mpfr_set_emax(F::kEnd);
  mpfr_subnormalize(out.get(), mpfr_check_range(out.get(), direction, MPFR_RNDN), MPFR_RNDN);
  const double value = mpfr_get_d(out.get(), MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  return Half(value);
}

}  // namespace

TEMPLATE_TEST_CASE("every half widens to the float of its value and comes back", "", float16, bfloat16) {
  using F = Functions<TestType>;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = TestType::from_bits(static_cast<uint16_t>(bits));
    const float wide = F::widen(half.bits());
    if (std::isnan(float(half))) {
      CHECK(std::isnan(wide));
      continue;
    }
    const bool exact = wide == float(half) && std::signbit(wide) == std::signbit(float(half)) &&
                       F::from_f4(wide) == half.bits() && F::from_f8(wide) == half.bits();
    if (!exact) FAIL(bits << " is " << wide);
  }
}

TEMPLATE_TEST_CASE("numbers beside and between two halves round to nearest, ties to even", "", float16, bfloat16) {
  using F = Functions<TestType>;
  const uint16_t infinity = TestType(HUGE_VAL).bits();
  for (uint16_t bits = 0; bits < infinity; ++bits) {
    const double here = double(TestType::from_bits(bits));
    const double next = bits + 1 == infinity ? std::ldexp(1.0, F::kEnd) : double(TestType::from_bits(bits + 1));
    const double tie = here + (next - here) / 2;
    const auto even = static_cast<uint16_t>(bits + (bits & 1));
    const bool right = F::from_f8(tie) == even && F::from_f8(std::nextafter(tie, 0)) == bits &&
                       F::from_f8(std::nextafter(tie, HUGE_VAL)) == bits + 1 && TestType(tie).bits() == even &&
                       TestType(std::nextafter(tie, 0)).bits() == bits && F::from_f4(static_cast<float>(tie)) == even &&
                       F::from_f8(-tie) == (even | 0x8000);
    if (!right) FAIL("around " << tie);
  }
}

TEMPLATE_TEST_CASE("conversions of any numbers agree with the C++ types", "", float16, bfloat16) {
  using F = Functions<TestType>;
  Random random(0x68616c66);
  for (int i = 0; i < 300000; ++i) {
    const float f = random.any<float>();
    const double d = i % 2 == 0 ? random.any<double>() : std::ldexp(random.uniform(-1, 1), i % 300 - 150);
    if (!same(F::from_f4(f), TestType(f))) FAIL("f4 " << f);
    if (!same(F::from_f8(d), TestType(d))) FAIL("f8 " << d);
  }
}

TEMPLATE_TEST_CASE("fma is rounded once", "", float16, bfloat16) {
  using F = Functions<TestType>;
  Random random(0x666d61);
  Mpfr a(53), b(53), c(53), sum(1200);
  int ties = 0;
  for (int i = 0; i < 300000; ++i) {
    const auto any = [&] { return TestType::from_bits(static_cast<uint16_t>(random.bits())); };
    TestType x = any(), y = any(), z = any();
    if (i % 2 == 0) {  // a product that is a tie of the sum, and an addend far below
      x = TestType(1 + std::ldexp(1.0, 1 - F::kDigits) * (i % 7));
      y = TestType(1 + std::ldexp(1.0, 1 - F::kDigits) * (i % 5));
      z = TestType(std::ldexp(i % 3 == 0 ? 1.0 : -1.0, -(i % 24)));
    }
    if (!std::isfinite(float(x)) || !std::isfinite(float(y)) || !std::isfinite(float(z))) continue;
    mpfr_set_flt(a.get(), float(x), MPFR_RNDN);
    mpfr_set_flt(b.get(), float(y), MPFR_RNDN);
    mpfr_set_flt(c.get(), float(z), MPFR_RNDN);
    mpfr_fma(sum.get(), a.get(), b.get(), c.get(), MPFR_RNDN);
    if (mpfr_zero_p(sum.get())) continue;
    ++ties;
    if (!same(F::fma(x.bits(), y.bits(), z.bits()), rounded<TestType>(sum))) {
      FAIL(float(x) << " * " << float(y) << " + " << float(z));
    }
  }
  CHECK(ties > 100000);
}

TEST_CASE("wide integers round to bf16 once") {
  CHECK(jitc_i8_to_bf16((int64_t{1} << 62) + (int64_t{1} << 54)) == bfloat16(0x1p62).bits());
  CHECK(jitc_i8_to_bf16((int64_t{1} << 62) + (int64_t{1} << 54) + 1) == bfloat16(0x1.02p62).bits());
  CHECK(jitc_i8_to_bf16(-(int64_t{1} << 62) - (int64_t{1} << 54) - 1) == bfloat16(-0x1.02p62).bits());
  CHECK(jitc_i8_to_bf16(INT64_MIN) == bfloat16(-0x1p63).bits());
  CHECK(jitc_u8_to_bf16(UINT64_MAX) == bfloat16(0x1p64).bits());
  CHECK(jitc_u8_to_bf16(3) == bfloat16(3).bits());
}

TEST_CASE("the neighbours of an f2") {
  CHECK(jitc_nextafter_f2(float16(0).bits(), float16(-1).bits()) == 0x8001);
  CHECK(jitc_nextafter_f2(float16(65504).bits(), float16(HUGE_VAL).bits()) == float16(HUGE_VAL).bits());
  CHECK(jitc_nextafter_f2(float16(1).bits(), float16(0).bits()) == float16(1 - 0x1p-11).bits());
  CHECK(jitc_nextafter_f2(float16(-1).bits(), float16(0).bits()) == float16(-1 + 0x1p-11).bits());
  CHECK(std::isnan(float(float16::from_bits(jitc_nextafter_f2(float16(NAN).bits(), 0)))));
}

}  // namespace jitc::math_test
