// Every rounded function against MPFR: special values, the whole range, and where the function is not trivial.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>

#include "tests/unit/math/mpfr_reference.hpp"
#include "tests/unit/math/native_math.hpp"
#include "tests/unit/math/published_accuracy.hpp"
#include "tests/unit/math/sample_points.hpp"
#include "tests/unit/math/ulp.hpp"

namespace jitc::math_test {

namespace {

constexpr int kTestedPoints = 24000;
/// The published numbers come from more points than the test tries.
constexpr int kMeasuredPoints = 240000;

/// The worst result seen, with its arguments.
template <typename T>
struct Worst {
  double ulps = 0;
  T x = 0, y = 0, got = 0;
};

template <typename T>
class Measurement {
 public:
  explicit Measurement(const Reference& reference) : reference_(reference) {}

  void at(T x, T y) {
    mpfr_set_d(x_.get(), static_cast<double>(x), MPFR_RNDN);
    mpfr_set_d(y_.get(), static_cast<double>(y), MPFR_RNDN);
    reference_.compute(exact_.get(), x_.get(), y_.get());
    const T got = reference_.arity == 1 ? unary<T>(reference_.name)(x) : binary<T>(reference_.name)(x, y);
    const double floor = reference_.floor ? reference_.floor(static_cast<double>(x), static_cast<double>(y)) : 0;
    const double ulps = ulp_error(got, exact_.get(), floor);
    if (ulps > worst_.ulps) worst_ = {ulps, x, y, got};
  }

  const Worst<T>& worst() const { return worst_; }

 private:
  // Wide enough that the reference's own rounding is far below the digits printed.
  static constexpr mpfr_prec_t kPrecision = std::numeric_limits<T>::digits + 50;
  const Reference& reference_;
  Mpfr x_{std::numeric_limits<T>::digits}, y_{std::numeric_limits<T>::digits}, exact_{kPrecision};
  Worst<T> worst_;
};

template <typename T>
void measure_special_points(Measurement<T>& measurement, int arity) {
  for (const T x : special_points<T>()) {
    if (arity == 1) {
      measurement.at(x, 0);
    } else {
      for (const T y : special_points<T>()) measurement.at(x, y);
    }
  }
}

template <typename T>
void measure_random_points(Measurement<T>& measurement, const Reference& reference, int count) {
  Random random(0x6a697463);
  const std::vector<T> x = random_points<T>(random, count, reference.dense);
  const std::vector<T> y = random_points<T>(random, count, reference.dense);
  for (size_t i = 0; i < x.size(); ++i) measurement.at(x[i], y[i]);
}

template <typename T>
Worst<T> measure(const Reference& reference, int random_points) {
  Measurement<T> measurement(reference);
  measure_special_points(measurement, reference.arity);
  measure_random_points(measurement, reference, random_points);
  return measurement.worst();
}

template <typename T>
void check(const Reference& reference, double bound) {
  const Worst<T> worst = measure<T>(reference, kTestedPoints);
  INFO(reference.name << (sizeof(T) == 4 ? "_f4(" : "_f8(") << std::hexfloat << worst.x << ", " << worst.y
                      << ") = " << worst.got);
  CHECK(worst.ulps <= bound);
}

template <typename T>
double powi_error(T x, int64_t n) {
  Mpfr base(std::numeric_limits<T>::digits), exact(std::numeric_limits<T>::digits + 50);
  mpfr_set_d(base.get(), static_cast<double>(x), MPFR_RNDN);
  mpfr_pow_si(exact.get(), base.get(), n, MPFR_RNDN);
  return ulp_error(function<T, T, T, int64_t>("powi")(x, n), exact.get());
}

template <typename T>
void check_powi(double bound) {
  Random random(0x706f7769);
  std::vector<T> bases = special_points<T>();
  for (int i = 0; i < 24000; ++i) bases.push_back(static_cast<T>(random.uniform(-2, 2)));
  for (const T x : bases) {
    for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{3}, int64_t{-1}, int64_t{-2},
                            static_cast<int64_t>(random.bits() % 2000) - 1000}) {
      const double ulps = powi_error(x, n);
      if (ulps > bound) FAIL(std::hexfloat << "powi(" << x << ", " << n << ") is off by " << std::defaultfloat << ulps);
    }
  }
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

TEST_CASE("powi is as accurate as published up to exponents of a thousand") {
  const Bounds bounds = published_accuracy().at("powi");
  check_powi<float>(bounds.f4_ulp);
  check_powi<double>(bounds.f8_ulp);
}

TEST_CASE("powi is exact where the power is") {
  CHECK(function<float, float, float, int64_t>("powi")(3, 15) == 14348907);
  CHECK(function<double, double, double, int64_t>("powi")(-3, 33) == -5559060566555523);
  CHECK(function<double, double, double, int64_t>("powi")(0.5, std::numeric_limits<int64_t>::min()) ==
        std::numeric_limits<double>::infinity());
  CHECK(function<double, double, double, int64_t>("powi")(std::nan(""), 0) == 1);
}

TEST_CASE("print the measured accuracy", "[.measure]") {
  for (const Reference& reference : references()) {
    const Worst<float> f4 = measure<float>(reference, kMeasuredPoints);
    const Worst<double> f8 = measure<double>(reference, kMeasuredPoints);
    std::printf("| %s | %.2f | %.2f |   f4(%a, %a) = %a   f8(%a, %a) = %a\n", std::string(reference.name).c_str(),
                f4.ulps, f8.ulps, static_cast<double>(f4.x), static_cast<double>(f4.y), static_cast<double>(f4.got),
                f8.x, f8.y, f8.got);
  }
}

}  // namespace jitc::math_test
