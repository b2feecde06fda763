// The functions whose result is exact (or rounded once): every bit must be right.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/math/mpfr_reference.hpp"
#include "tests/unit/math/native_math.hpp"
#include "tests/unit/math/sample_points.hpp"
#include "tests/unit/math/ulp.hpp"

namespace jitc::math_test {

namespace {

/// Special values against special values, and random pairs near and far from each other.
template <typename T>
std::vector<std::pair<T, T>> pairs() {
  std::vector<std::pair<T, T>> result;
  for (const T x : special_points<T>()) {
    for (const T y : special_points<T>()) result.emplace_back(x, y);
  }
  Random random(0x666d6f64);
  for (int i = 0; i < 30000; ++i) result.emplace_back(random.any<T>(), random.any<T>());
  for (int i = 0; i < 30000; ++i) {
    const T y = random.any<T>();
    result.emplace_back(static_cast<T>(y * static_cast<T>(random.uniform(-1000, 1000))), y);
  }
  // Ties of remainder: odd multiples of half the divisor.
  for (int i = 1; i < 2000; i += 2) result.emplace_back(static_cast<T>(i) / 2 * T(3), T(3));
  return result;
}

template <typename T>
using MpfrBinary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// MPFR computes both remainders exactly for any quotient, so the result needs no more bits than T has.
template <typename T>
void check_against_mpfr(std::string_view name, MpfrBinary<T> exact) {
  Mpfr x(std::numeric_limits<T>::digits), y(std::numeric_limits<T>::digits), result(std::numeric_limits<T>::digits);
  for (const auto& [a, b] : pairs<T>()) {
    mpfr_set_d(x.get(), static_cast<double>(a), MPFR_RNDN);
    mpfr_set_d(y.get(), static_cast<double>(b), MPFR_RNDN);
    exact(result.get(), x.get(), y.get(), MPFR_RNDN);
    const T expected = static_cast<T>(mpfr_get_d(result.get(), MPFR_RNDN));
    const T got = binary<T>(name)(a, b);
    if (!same(got, expected)) {
      FAIL(name << std::hexfloat << "(" << a << ", " << b << ") = " << got << ", not " << expected);
    }
  }
}

/// CPython's float_divmod over an exact fmod, rounding after each operation in T.
template <typename T>
std::pair<T, T> python_divmod(T x, T y) {
  T mod = std::fmod(x, y);
  if (y == 0) return {x / y, mod};
  T div = (x - mod) / y;
  if (mod != 0) {
    if ((y < 0) != (mod < 0)) {
      mod += y;
      div -= 1;
    }
  } else {
    mod = std::copysign(T(0), y);
  }
  if (div == 0) return {std::copysign(T(0), x / y), mod};
  T floored = std::floor(div);
  if (div - floored > T(0.5)) floored += 1;
  return {floored, mod};
}

template <typename T>
void check_python_division() {
  for (const auto& [x, y] : pairs<T>()) {
    const auto [quotient, remainder] = python_divmod(x, y);
    const T got_quotient = binary<T>("floordiv")(x, y), got_remainder = binary<T>("pymod")(x, y);
    if (!same(got_quotient, quotient) || !same(got_remainder, remainder)) {
      FAIL(std::hexfloat << "divmod(" << x << ", " << y << ") = " << got_quotient << ", " << got_remainder << ", not "
                         << quotient << ", " << remainder);
    }
  }
}

template <typename T>
void check_parts(T x) {
  int exponent = 0;
  const T mantissa = std::frexp(x, &exponent);
  if (!std::isfinite(x)) exponent = 0;
  if (!same(unary<T>("frexp_mant")(x), mantissa) || function<T, int32_t, T>("frexp_exp")(x) != exponent) {
    FAIL("frexp(" << std::hexfloat << x << ")");
  }
}

template <typename T>
void check_ldexp(T x, int32_t n) {
  const T got = function<T, T, T, int32_t>("ldexp")(x, n);
  if (!same(got, std::ldexp(x, n))) FAIL("ldexp(" << std::hexfloat << x << ", " << n << ") = " << got);
}

template <typename T>
void check_all_parts() {
  Random random(0x70617274);
  std::vector<T> points = special_points<T>();
  for (int i = 0; i < 20000; ++i) points.push_back(random.any<T>());
  for (const T x : points) {
    check_parts(x);
    for (const int32_t n : {0, 1, -1, 24, -24, 149, -149, 1000, -1000, 2098, -2098, 2147483647, -2147483647 - 1}) {
      check_ldexp(x, n);
    }
    check_ldexp(x, static_cast<int32_t>(random.bits() % 4400) - 2200);
  }
}

template <typename T>
void check_nextafter() {
  for (const auto& [x, y] : pairs<T>()) {
    if (!same(binary<T>("nextafter")(x, y), std::nextafter(x, y))) {
      FAIL("nextafter(" << std::hexfloat << x << ", " << y << ")");
    }
  }
}

}  // namespace

TEST_CASE("fmod is exact for any quotient") {
  check_against_mpfr<float>("fmod", mpfr_fmod);
  check_against_mpfr<double>("fmod", mpfr_fmod);
}

TEST_CASE("remainder is exact for any quotient") {
  check_against_mpfr<float>("remainder", mpfr_remainder);
  check_against_mpfr<double>("remainder", mpfr_remainder);
}

TEST_CASE("floordiv and pymod are Python's float division") {
  check_python_division<float>();
  check_python_division<double>();
}

TEST_CASE("frexp and ldexp take numbers apart and put them together, subnormals too") {
  check_all_parts<float>();
  check_all_parts<double>();
}

TEST_CASE("nextafter steps by one bit pattern") {
  check_nextafter<float>();
  check_nextafter<double>();
}

}  // namespace jitc::math_test
