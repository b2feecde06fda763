#include "tests/support/math_oracle.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "tests/support/scalar_bits.hpp"

namespace jitc::reference {
namespace {

using kernel::MathFn;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

double on_f8(MathFn fn, double a) { return float_of<double>(math_call(fn, DType::f8, {bits_of_float(a)})); }
double on_f8(MathFn fn, double a, double b) {
  return float_of<double>(math_call(fn, DType::f8, {bits_of_float(a), bits_of_float(b)}));
}

TEST_CASE("Float // and % are CPython's") {
  CHECK(on_f8(MathFn::kFloorDiv, -7.5, 2.0) == -4.0);
  CHECK(on_f8(MathFn::kPyMod, -7.5, 2.0) == 0.5);
  CHECK(on_f8(MathFn::kPyMod, 7.5, -2.0) == -0.5);
  CHECK(on_f8(MathFn::kFloorDiv, 1.0, 0.1) == 9.0);
  CHECK(std::signbit(on_f8(MathFn::kPyMod, 4.0, -2.0)));
  CHECK(std::signbit(on_f8(MathFn::kFloorDiv, -0.0, 2.0)));
  CHECK(on_f8(MathFn::kFloorDiv, 1.0, 0.0) == kInf);
  CHECK(std::isnan(on_f8(MathFn::kFloorDiv, 0.0, 0.0)));
  CHECK(std::isnan(on_f8(MathFn::kPyMod, 1.0, 0.0)));
  CHECK(on_f8(MathFn::kFloorDiv, -1.0, kInf) == -1.0);
  CHECK(on_f8(MathFn::kPyMod, -1.0, kInf) == kInf);
}

TEST_CASE("fmod and remainder are exact") {
  CHECK(on_f8(MathFn::kFmod, -7.5, 2.0) == -1.5);
  CHECK(on_f8(MathFn::kFmod, 1e300, 3.0) == std::fmod(1e300, 3.0));
  CHECK(on_f8(MathFn::kRemainder, 5.0, 2.0) == 1.0);
  CHECK(on_f8(MathFn::kRemainder, 7.0, 2.0) == -1.0);
}

TEST_CASE("frexp splits and ldexp joins") {
  CHECK(on_f8(MathFn::kFrexpMant, 48.0) == 0.75);
  CHECK(math_call(MathFn::kFrexpExp, DType::f8, {bits_of_float(48.0)}) == 6);
  CHECK(math_call(MathFn::kFrexpExp, DType::f4, {bits_of_float(0.25F)}) == 0xffffffff);  // -1 as i4
  CHECK(math_call(MathFn::kFrexpExp, DType::f8, {bits_of_float(kNan)}) == 0);
  CHECK(math_call(MathFn::kLdexp, DType::f8, {bits_of_float(0.75), 6}) == bits_of_float(48.0));
  CHECK(math_call(MathFn::kLdexp, DType::f8, {bits_of_float(1.0), 0xffffffff}) == bits_of_float(0.5));
}

TEST_CASE("The other functions are the library's own") {
  CHECK(on_f8(MathFn::kSin, 0.5) == Approx(std::sin(0.5)).epsilon(1e-14));
  CHECK(on_f8(MathFn::kPow, 2.0, 0.5) == Approx(std::sqrt(2.0)).epsilon(1e-14));
  CHECK(float_of<float>(math_call(MathFn::kExp, DType::f4, {bits_of_float(1.0F)})) == Approx(2.7182818F).epsilon(1e-6));
  CHECK(math_call(MathFn::kPowi, DType::f8, {bits_of_float(-2.0), 3}) == bits_of_float(-8.0));
  CHECK(math_call(MathFn::kRoundN, DType::f8, {bits_of_float(2.675), 2}) == bits_of_float(2.67));
}

}  // namespace
}  // namespace jitc::reference
