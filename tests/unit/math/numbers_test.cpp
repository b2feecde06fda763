// Parts, roundings and integers of C and CUDA: every bit against the C library or plain arithmetic of more bits.
#include <catch2/catch.hpp>
#include <cmath>

#include "src/base/int128.hpp"
#include "tests/unit/math/native_math.hpp"
#include "tests/unit/math/sample_points.hpp"
#include "tests/unit/math/ulp.hpp"

extern "C" {
int32_t jitc_mulhi_i4(int32_t, int32_t);
uint32_t jitc_mulhi_u4(uint32_t, uint32_t);
int64_t jitc_mulhi_i8(int64_t, int64_t);
uint64_t jitc_mulhi_u8(uint64_t, uint64_t);
int32_t jitc_mul24_i4(int32_t, int32_t);
uint32_t jitc_mul24_u4(uint32_t, uint32_t);
int32_t jitc_hadd_i4(int32_t, int32_t);
uint32_t jitc_hadd_u4(uint32_t, uint32_t);
int32_t jitc_rhadd_i4(int32_t, int32_t);
uint32_t jitc_rhadd_u4(uint32_t, uint32_t);
int32_t jitc_sad_i4(int32_t, int32_t, int32_t);
uint32_t jitc_sad_u4(uint32_t, uint32_t, uint32_t);
uint32_t jitc_byte_perm(uint32_t, uint32_t, uint32_t);
float jitc_jn_f4(int32_t, float);
double jitc_jn_f8(int32_t, double);
float jitc_yn_f4(int32_t, float);
double jitc_yn_f8(int32_t, double);
}

namespace jitc::math_test {

namespace {

template <typename T>
std::vector<T> points() {
  std::vector<T> out = special_points<T>();
  for (int i = -40; i <= 40; ++i) out.push_back(static_cast<T>(i) / 4);
  Random random(0x6e756d62);
  for (int i = 0; i < 20000; ++i) out.push_back(random.any<T>());
  for (int i = 0; i < 5000; ++i) out.push_back(static_cast<T>(random.uniform(-1e3, 1e3)));
  return out;
}

template <typename T>
void check_one(const char* name, T x, T expected) {
  const T got = unary<T>(name)(x);
  if (!same(got, expected)) FAIL(name << std::hexfloat << "(" << x << ") = " << got << ", not " << expected);
}

template <typename T>
void check_numbers() {
  for (const T x : points<T>()) {
    T whole = 0;
    const T fraction = std::modf(x, &whole);
    check_one("round", x, std::round(x));
    check_one("logb", x, std::logb(x));
    check_one("modf_fraction", x, fraction);
    check_one("modf_whole", x, whole);
    check_one("reciprocal", x, 1 / x);
    check_one("saturate", x, std::isnan(x) || x <= 0 ? T(0) : std::fmin(x, T(1)));
    const int exponent = function<T, int32_t, T>("ilogb")(x);
    if (exponent != std::ilogb(x)) FAIL("ilogb(" << std::hexfloat << x << ") = " << exponent);
  }
}

template <typename T>
void check_pairs() {
  Random random(0x70616972);
  std::vector<T> some = special_points<T>();
  for (const T x : some) {
    for (const T y : some) {
      const T got = binary<T>("fdim")(x, y);
      if (!same(got, std::fdim(x, y))) FAIL("fdim(" << std::hexfloat << x << ", " << y << ") = " << got);
    }
  }
  for (int i = 0; i < 60000; ++i) {
    const T y = i < 20000 ? random.any<T>() : static_cast<T>(random.uniform(-3, 3));
    const T x = i % 2 == 0 ? random.any<T>() : y * static_cast<T>(random.bits() % 64) / 2;
    int quotient = 0;
    const T rest = std::remquo(x, y, &quotient);
    const int got = function<T, int32_t, T, T>("remquo")(x, y);
    const bool has_quotient = std::isfinite(x) && !std::isnan(y) && y != 0;
    // The C library gives the lower three bits, and the sign.
    const bool right = !has_quotient ? got == 0 : got % 8 == quotient % 8;
    if (!right || !same(binary<T>("remainder")(x, y), rest)) {
      FAIL("remquo(" << std::hexfloat << x << ", " << y << ") = " << got << ", not " << quotient);
    }
  }
}

/// Units in the last place of the larger of the result and its amplitude.
template <typename T>
double bessel_error(T got, double exact, double x) {
  const double amplitude = std::fmin(1, std::sqrt(2 / (3.14159265 * std::fabs(x))));
  const double least = std::fmax(std::fabs(exact), amplitude);
  return std::fabs(static_cast<double>(got) - exact) /
         std::ldexp(1, std::ilogb(least) + 1 - std::numeric_limits<T>::digits);
}

}  // namespace

TEST_CASE("round, logb, ilogb, modf, reciprocal and saturate are the C library's") {
  check_numbers<float>();
  check_numbers<double>();
}

TEST_CASE("fdim and remquo are the C library's") {
  check_pairs<float>();
  check_pairs<double>();
}

TEST_CASE("rsqrt of f4 is correctly rounded for every mantissa") {
  const auto rsqrt = unary<float>("rsqrt");
  int wrong = 0;
  for (uint32_t bits = 0x3f800000; bits < 0x40800000; ++bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    wrong += rsqrt(x) != static_cast<float>(1 / std::sqrt(static_cast<long double>(x)));
  }
  CHECK(wrong == 0);
  CHECK(rsqrt(0x1p-149F) == 0x1.6a09e6p+74F);
  CHECK(rsqrt(0) == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(rsqrt(-1)));
}

TEST_CASE("products, halves and differences of integers are those of wider ones") {
  Random random(0x696e7467);
  const auto any = [&] {
    return random.bits() % 8 == 0 ? uint64_t{0} - (random.bits() % 3) : random.bits() << random.bits() % 40;
  };
  for (int i = 0; i < 100000; ++i) {
    const uint64_t a = any() | (random.bits() & 7), b = any() | (random.bits() & 7);
    const auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
    const auto ua = static_cast<uint32_t>(a >> 32), ub = static_cast<uint32_t>(b), uc = static_cast<uint32_t>(b >> 32);
    const auto ia = static_cast<int32_t>(ua), ib = static_cast<int32_t>(ub), ic = static_cast<int32_t>(uc);
    const int64_t wa = ia, wb = ib;
    const uint64_t xa = ua, xb = ub;
    REQUIRE(jitc_mulhi_i8(sa, sb) == static_cast<int64_t>(static_cast<base::Int128>(sa) * sb >> 64));
    REQUIRE(jitc_mulhi_u8(a, b) == static_cast<uint64_t>(static_cast<base::UInt128>(a) * b >> 64));
    REQUIRE(jitc_mulhi_i4(ia, ib) == static_cast<int32_t>(wa * wb >> 32));
    REQUIRE(jitc_mulhi_u4(ua, ub) == static_cast<uint32_t>(xa * xb >> 32));
    REQUIRE(jitc_mul24_i4(ia, ib) == static_cast<int32_t>((wa << 40 >> 40) * (wb << 40 >> 40)));
    REQUIRE(jitc_mul24_u4(ua, ub) == static_cast<uint32_t>((xa & 0xffffff) * (xb & 0xffffff)));
    REQUIRE(jitc_hadd_i4(ia, ib) == static_cast<int32_t>((wa + wb) >> 1));
    REQUIRE(jitc_hadd_u4(ua, ub) == static_cast<uint32_t>((xa + xb) >> 1));
    REQUIRE(jitc_rhadd_i4(ia, ib) == static_cast<int32_t>((wa + wb + 1) >> 1));
    REQUIRE(jitc_rhadd_u4(ua, ub) == static_cast<uint32_t>((xa + xb + 1) >> 1));
    REQUIRE(jitc_sad_i4(ia, ib, ic) == static_cast<int32_t>(std::llabs(wa - wb) + ic));
    REQUIRE(jitc_sad_u4(ua, ub, uc) == static_cast<uint32_t>(std::llabs(static_cast<int64_t>(xa - xb)) + ic));
  }
}

TEST_CASE("byte_perm picks four of eight bytes") {
  CHECK(jitc_byte_perm(0x33221100, 0x77665544, 0x3210) == 0x33221100);
  CHECK(jitc_byte_perm(0x33221100, 0x77665544, 0x7654) == 0x77665544);
  CHECK(jitc_byte_perm(0x33221100, 0x77665544, 0x0123) == 0x00112233);
  CHECK(jitc_byte_perm(0x33221100, 0x77665544, 0xffff16da) == 0x11665522);  // a nibble's upper bit does not count
}

TEST_CASE("jn and yn are the C library's, with an error that grows with the order") {
  Random random(0x62657373);
  double worst_f4 = 0, worst_f8 = 0;
  for (int i = 0; i < 40000; ++i) {
    const auto order = static_cast<int32_t>(random.bits() % 60);
    const double x = i % 2 == 0 ? random.uniform(0.01, 20) : random.uniform(0.01, 300);
    const auto narrow = static_cast<float>(x);
    const double j = ::jn(order, x), y = ::yn(order, x);
    worst_f8 = std::fmax(worst_f8, bessel_error(jitc_jn_f8(order, x), j, x) / (order + 4));
    worst_f4 =
        std::fmax(worst_f4, bessel_error(jitc_jn_f4(order, narrow), ::jn(order, double{narrow}), x) / (order + 4));
    if (std::fabs(y) < 1e30) {
      worst_f8 = std::fmax(worst_f8, bessel_error(jitc_yn_f8(order, x), y, x) / (order + 4));
      worst_f4 =
          std::fmax(worst_f4, bessel_error(jitc_yn_f4(order, narrow), ::yn(order, double{narrow}), x) / (order + 4));
    }
  }
  INFO(worst_f4 << " " << worst_f8);
  CHECK(worst_f4 < 2);
  CHECK(worst_f8 < 2);
}

TEST_CASE("jn and yn have orders from 0 on, and know their limits") {
  CHECK(std::isnan(jitc_jn_f8(-1, 1)));
  CHECK(std::isnan(jitc_yn_f8(-1, 1)));
  CHECK(std::isnan(jitc_yn_f8(3, -1)));
  CHECK(jitc_yn_f8(3, 0) == -std::numeric_limits<double>::infinity());
  CHECK(jitc_jn_f8(3, 0) == 0);
  CHECK(jitc_jn_f8(1000, 1) == 0);
  CHECK(jitc_jn_f8(3, std::numeric_limits<double>::infinity()) == 0);
  CHECK(jitc_jn_f4(3, -2.0F) == -jitc_jn_f4(3, 2.0F));
  CHECK(jitc_jn_f4(4, -2.0F) == jitc_jn_f4(4, 2.0F));
}

}  // namespace jitc::math_test
