// Every rounded function against MPFR: special values, the whole range, and where the function is not trivial.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/math/measure.hpp"
#include "tests/unit/math/mpfr_reference.hpp"
#include "tests/unit/math/native_math.hpp"
#include "tests/unit/math/published_accuracy.hpp"
#include "tests/unit/math/ulp.hpp"

namespace jitc::math_test {

namespace {

constexpr int kTestedPoints = 24000;

template <typename T>
void check(const Reference& reference, double bound) {
  const Worst worst = measure<T>(reference, kTestedPoints);
  INFO(reference.name << (sizeof(T) == 4 ? "_f4(" : "_f8(") << std::hexfloat << worst.x << ", " << worst.y
                      << ") = " << worst.got);
  CHECK(worst.ulps <= bound);
}

}  // namespace

TEST_CASE("every rounded function is as accurate as published") {
  const auto published = published_accuracy();
  for (const Reference& reference : references()) {
    const auto row = published.find(reference.name);
    INFO(reference.name << " is in docs/accuracy.md");
    REQUIRE(row != published.end());
    check<float>(reference, row->second.f4_ulp);
    check<double>(reference, row->second.f8_ulp);
  }
}

TEST_CASE("powi is exact where the power is") {
  CHECK(function<float, float, float, int64_t>("powi")(3, 15) == 14348907);
  CHECK(function<double, double, double, int64_t>("powi")(-3, 33) == -5559060566555523);
  CHECK(function<double, double, double, int64_t>("powi")(0.5, std::numeric_limits<int64_t>::min()) ==
        std::numeric_limits<double>::infinity());
  CHECK(function<double, double, double, int64_t>("powi")(std::nan(""), 0) == 1);
}

TEST_CASE("an infinity for a number that is too large is counted from the power of two behind the range") {
  Mpfr exact(80);
  const float infinity = std::numeric_limits<float>::infinity();
  const auto error = [&](double units_above_max) {
    mpfr_set_d(exact.get(), 0x1.fffffep+127 + units_above_max * 0x1p+104, MPFR_RNDN);
    return ulp_error(infinity, exact.get());
  };
  CHECK(error(0) == std::numeric_limits<double>::infinity());
  CHECK(error(0.25) == 0.75);
  CHECK(error(1) == 0);
  CHECK(error(1000) == 0);
}

}  // namespace jitc::math_test
