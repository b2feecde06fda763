// Functions of one half, on all 65,536 arguments, and of f4 and f8 on many.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/accuracy/exhaustive.hpp"
#include "tests/accuracy/quick_reference.hpp"
#include "tests/unit/math/published_accuracy.hpp"

namespace jitc::accuracy {
namespace {

TEST_CASE("functions of every f2 and every bf16 are those of f4, rounded once") {
  const auto published = math_test::published_accuracy();
  for (const math_test::Reference& reference : math_test::references()) {
    if (reference.arity != 1) continue;
    for (const DType dtype : {DType::f2, DType::bf16}) {
      const math_test::Worst worst = measure_all(reference, dtype);
      INFO(reference.name << " of " << name(dtype) << ": " << std::hexfloat << worst.got << " at " << worst.x);
      CHECK(worst.points == 0x10000);
      CHECK(worst.ulps > 0.4);  // rounding alone has that somewhere
      CHECK(worst.ulps <= bound_of_half(dtype, published.find(reference.name)->second.f4_ulp));
    }
  }
}

TEST_CASE("functions of f4 and f8 are within their bounds at millions of points") {
  const auto published = math_test::published_accuracy();
  for (const math_test::Reference& reference : math_test::references()) {
    if (!quick_function(reference.name)) continue;
    const math_test::Bounds& bounds = published.find(reference.name)->second;
    const SearchOptions f4_options = {.least = bounds.f4_ulp, .step = 1021, .random_points = 4'100'000};
    const math_test::Worst f4 = measure_all(reference, DType::f4, f4_options);
    const math_test::Worst f8 = measure_all(reference, DType::f8, {.least = bounds.f8_ulp, .random_points = 200'000});
    INFO(reference.name << std::hexfloat << ", f4 at " << f4.x << ", " << f4.y << ", f8 at " << f8.x << ", " << f8.y);
    CHECK(f4.points > 4'000'000);
    CHECK(f4.ulps <= bounds.f4_ulp);
    CHECK(f8.ulps <= bounds.f8_ulp);
  }
}

TEST_CASE("what the quick look passes over is not the worst") {
  for (const char* name : {"sin", "exp", "atanh", "lgamma"}) {
    const math_test::Reference& reference = *math_test::find_reference(name);
    const math_test::Worst quick = measure_all(reference, DType::f2);
    const math_test::Worst whole = measure_all(reference, DType::f2, {.threads = 2, .quick = false});
    INFO(name);
    CHECK(quick.ulps == whole.ulps);
    CHECK(quick.x == whole.x);
    const math_test::Worst some = measure_all(reference, DType::f8, {.random_points = 1, .seed = 1});
    CHECK(some.points == 0x10000);
    CHECK(some.ulps == measure_all(reference, DType::f8, {.quick = false, .random_points = 1, .seed = 1}).ulps);
    CHECK(measure_all(reference, DType::f2, {.least = whole.ulps + 0.01}).ulps == 0);
  }
}

TEST_CASE("the quick look sends what differs in kind to MPFR, and measures the rest") {
  constexpr double kInf = HUGE_VAL;
  const auto ulps = [](double got, double libm) { return quick_ulps(got, libm, math_test::kF2, 0); };
  CHECK(ulps(1, 1 + 0x1p-10) == 1);
  CHECK(ulps(1 + 0x1p-10, 1) == kInf);
  CHECK(ulps(1, 1) == 0);
  CHECK(ulps(1 - 0x1p-10, 1 - 0x1p-12) == Approx(1.5));
  CHECK(ulps(0, 0x1.8p-25) == 0.75);  // of a subnormal number
  CHECK(ulps(NAN, NAN) == 0);
  CHECK(ulps(NAN, 1) == kInf);
  CHECK(ulps(kInf, 70000) == 0);
  CHECK(ulps(kInf, 65530) == kInf);
  CHECK(ulps(-kInf, 70000) == kInf);
  CHECK(ulps(-0.0, 0.0) == kInf);
  CHECK(quick_ulps(0.5, 0.375, math_test::kF2, 1) == 128);  // by the last place of 1
}

}  // namespace
}  // namespace jitc::accuracy
