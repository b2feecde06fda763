// The tier of fastmath=True on a CPU: within the bounds of docs/fastmath.md on its domains, and right at special
// values.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "tests/unit/math/native_math.hpp"
#include "tests/unit/math/sample_points.hpp"

namespace jitc::math_test {

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// A row `| name | domain | error | unit | …` of the page.
struct Published {
  double low, high, error;
  bool is_absolute;
};

Published published(const std::string& wanted) {
  std::ifstream file(JITC_SOURCE_ROOT "/docs/fastmath.md");
  REQUIRE(file);
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string bar, name, to, unit;
    Published row{};
    if (fields >> bar >> name >> bar >> row.low >> to >> row.high >> bar >> row.error >> unit && name == wanted) {
      row.is_absolute = unit == "absolute";
      return row;
    }
  }
  FAIL(wanted << " is not in docs/fastmath.md");
  return {};
}

double error_of(float got, double exact, bool is_absolute) {
  const double difference = std::fabs(static_cast<double>(got) - exact);
  if (is_absolute) return difference;
  const float magnitude = std::fabs(static_cast<float>(exact));
  const double ulp = static_cast<double>(std::nextafterf(magnitude, kInf)) - static_cast<double>(magnitude);
  return difference / ulp;
}

using Exact = double (*)(double);

struct Row {
  const char* name;
  Exact exact;
};

const Row kRows[] = {
    {"exp", std::exp}, {"exp2", std::exp2}, {"log", std::log}, {"log2", std::log2}, {"log10", std::log10},
    {"sin", std::sin}, {"cos", std::cos},   {"tan", std::tan}, {"tanh", std::tanh}, {"sqrt", std::sqrt},
};

TEST_CASE("fast functions of one argument are as accurate as published") {
  for (const Row& row : kRows) {
    const Published bound = published(row.name);
    const auto fast = unary<float>(std::string("fast_") + row.name);
    Random random(0x66617374);
    double worst = 0, at = 0;
    for (int i = 0; i < 400'000; ++i) {
      const auto x = static_cast<float>(random.uniform(bound.low, bound.high));
      const double error = error_of(fast(x), row.exact(static_cast<double>(x)), bound.is_absolute);
      if (error > worst) worst = error, at = static_cast<double>(x);
    }
    INFO(row.name << " at " << at);
    CHECK(worst <= bound.error);
    CHECK(worst >= bound.error / 4);  // no looser than it has to be
  }
}

TEST_CASE("fast pow and division are as accurate as published") {
  const Published pow = published("pow");
  Random random(0x706f77);
  double worst = 0, worst_quotient = 0;
  for (int i = 0; i < 400'000; ++i) {
    const auto x = static_cast<float>(random.uniform(0.1, 10)),
               y = static_cast<float>(random.uniform(pow.low, pow.high));
    const double exact_x = static_cast<double>(x), exact_y = static_cast<double>(y);
    worst = std::fmax(worst, error_of(binary<float>("fast_pow")(x, y), std::pow(exact_x, exact_y), false));
    worst_quotient = std::fmax(worst_quotient, error_of(binary<float>("fast_divide")(y, x), exact_y / exact_x, false));
  }
  CHECK(worst <= pow.error);
  CHECK(worst >= pow.error / 4);
  CHECK(worst_quotient <= published("division").error);
}

TEST_CASE("fast functions know infinities, zeros and nan") {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  for (const Row& row : kRows) CHECK(std::isnan(unary<float>(std::string("fast_") + row.name)(nan)));
  CHECK(unary<float>("fast_exp")(kInf) == kInf);
  CHECK(unary<float>("fast_exp")(-kInf) == 0);
  CHECK(unary<float>("fast_exp")(1000) == kInf);
  CHECK(unary<float>("fast_exp")(0) == 1);
  CHECK(unary<float>("fast_log")(0) == -kInf);
  CHECK(unary<float>("fast_log")(kInf) == kInf);
  CHECK(std::isnan(unary<float>("fast_log")(-1)));
  CHECK(unary<float>("fast_log2")(0x1p-140f) == -140);
  CHECK(std::signbit(unary<float>("fast_sin")(-0.0f)));
  CHECK(unary<float>("fast_cos")(0) == 1);
}

TEST_CASE("fast pow keeps the signs and special values of pow") {
  const auto pow = binary<float>("fast_pow");
  CHECK(pow(-2, 2) == Approx(4));
  CHECK(pow(-2, 3) == Approx(-8));
  CHECK(std::isnan(pow(-2, 0.5f)));
  CHECK(pow(0, 0) == 1);
  CHECK(pow(kInf, 0) == 1);
  CHECK(pow(0, 2) == 0);
  CHECK(pow(0, -1) == kInf);
  CHECK(pow(2, kInf) == kInf);
  CHECK(pow(0.5f, kInf) == 0);
  CHECK(pow(-2, kInf) == kInf);
}

TEST_CASE("fast functions of f8 are the ordinary ones") {
  Random random(0x6638);
  for (int i = 0; i < 20'000; ++i) {
    const double x = random.uniform(-50, 50), y = random.uniform(-20, 20);
    for (const Row& row : kRows) {
      if (std::string_view(row.name) == "sqrt") continue;
      const double fast = unary<double>(std::string("fast_") + row.name)(x), usual = unary<double>(row.name)(x);
      if (!(fast == usual || (fast != fast && usual != usual))) FAIL(row.name << " at " << x);
    }
    const double fast = binary<double>("fast_pow")(x, y), usual = binary<double>("pow")(x, y);
    if (!(fast == usual || (fast != fast && usual != usual))) FAIL("pow at " << x << ", " << y);
  }
}

}  // namespace

}  // namespace jitc::math_test
