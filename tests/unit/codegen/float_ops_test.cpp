// Floating-point operations and conversions: exact values, NaNs, infinities, signed zeros.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using kernel::BinaryOp;
using kernel::Builder;
using kernel::CompareOp;
using kernel::UnaryOp;

template <class Float>
std::vector<Float> edge_values() {
  using Limits = std::numeric_limits<Float>;
  std::vector<Float> values;
  for (const Float x : {Float(0), Float(0.25), Float(0.5), Float(1), Float(1.5), Float(2.5), Float(3), Float(1e10),
                        std::nextafter(Float(0.5), Float(0)), Limits::min(), Limits::denorm_min(), Limits::max(),
                        Limits::infinity(), Limits::quiet_NaN(), Float(1) / Float(3)}) {
    values.push_back(x), values.push_back(-x);
  }
  for (const int exponent : {7, 8, 15, 16, 31, 32, 63, 64}) {
    const Float x = std::ldexp(Float(1), exponent);
    for (const Float near : {x, std::nextafter(x, Float(0)), std::nextafter(x, 2 * x), x - 1, x + 1}) {
      values.push_back(near), values.push_back(-near);
    }
  }
  return values;
}

/// Equal values of equal sign, or two NaNs.
template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  } else {
    return a == b;
  }
}

/// One byte per b1, as kernels store it: std::vector<bool> has none.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <class Result, class From, class Reference>
void check_unary(const std::vector<From>& values, const MakeValue& make_value, const Reference& reference) {
  const CpuProgram program(elementwise("op", dtype_of<Result>(), {dtype_of<From>()}, make_value));
  std::vector<Stored<Result>> out(values.size());
  program.run(launch_for(values.size()), int64_t(values.size()), out.data(), values.data());
  std::string wrong;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto want = static_cast<Stored<Result>>(reference(values[i]));
    if (!same(want, out[i])) {
      wrong +=
          "of " + std::to_string(values[i]) + " got " + std::to_string(out[i]) + ", not " + std::to_string(want) + "\n";
    }
  }
  CHECK(wrong == "");
}

template <class Result, class Float, class Reference>
void check_binary(const MakeValue& make_value, const Reference& reference) {
  std::vector<Float> lhs, rhs;
  for (const Float a : edge_values<Float>()) {
    for (const Float b : edge_values<Float>()) lhs.push_back(a), rhs.push_back(b);
  }
  const DType type = dtype_of<Float>();
  const CpuProgram program(elementwise("op", dtype_of<Result>(), {type, type}, make_value));
  std::vector<Stored<Result>> out(lhs.size());
  program.run(launch_for(lhs.size()), int64_t(lhs.size()), out.data(), lhs.data(), rhs.data());
  std::string wrong;
  for (size_t i = 0; i < lhs.size() && wrong.empty(); ++i) {
    const auto want = static_cast<Stored<Result>>(reference(lhs[i], rhs[i]));
    if (same(want, out[i])) continue;
    wrong = "of " + std::to_string(lhs[i]) + " and " + std::to_string(rhs[i]) + " got " + std::to_string(out[i]) +
            ", not " + std::to_string(want);
  }
  CHECK(wrong == "");
}

MakeValue unary(UnaryOp op) {
  return [op](Builder& k, const auto& v) { return k.unary(op, v[0]); };
}
MakeValue binary(BinaryOp op) {
  return [op](Builder& k, const auto& v) { return k.binary(op, v[0], v[1]); };
}
MakeValue compare(CompareOp op) {
  return [op](Builder& k, const auto& v) { return k.compare(op, v[0], v[1]); };
}

TEMPLATE_TEST_CASE("unary operations on floats are correctly rounded", "", float, double) {
  const auto values = edge_values<TestType>();
  const auto check = [&](UnaryOp op, const auto& reference) { check_unary<TestType>(values, unary(op), reference); };
  check(UnaryOp::kNeg, [](TestType x) { return -x; });
  check(UnaryOp::kAbs, [](TestType x) { return std::fabs(x); });
  check(UnaryOp::kSqrt, [](TestType x) { return std::sqrt(x); });
  check(UnaryOp::kFloor, [](TestType x) { return std::floor(x); });
  check(UnaryOp::kCeil, [](TestType x) { return std::ceil(x); });
  check(UnaryOp::kTrunc, [](TestType x) { return std::trunc(x); });
  check(UnaryOp::kRint, [](TestType x) { return std::nearbyint(x); });
}

TEMPLATE_TEST_CASE("classification of floats sees NaNs, infinities and signs", "", float, double) {
  const auto values = edge_values<TestType>();
  const auto check = [&](UnaryOp op, const auto& reference) { check_unary<bool>(values, unary(op), reference); };
  check(UnaryOp::kIsNan, [](TestType x) { return std::isnan(x); });
  check(UnaryOp::kIsInf, [](TestType x) { return std::isinf(x); });
  check(UnaryOp::kIsFinite, [](TestType x) { return std::isfinite(x); });
  check(UnaryOp::kSignBit, [](TestType x) { return std::signbit(x); });
}

TEMPLATE_TEST_CASE("binary operations on floats are IEEE's", "", float, double) {
  using F = TestType;
  check_binary<F, F>(binary(BinaryOp::kAdd), [](F a, F b) { return a + b; });
  check_binary<F, F>(binary(BinaryOp::kSub), [](F a, F b) { return a - b; });
  check_binary<F, F>(binary(BinaryOp::kMul), [](F a, F b) { return a * b; });
  check_binary<F, F>(binary(BinaryOp::kDiv), [](F a, F b) { return a / b; });
  check_binary<F, F>(binary(BinaryOp::kCopySign), [](F a, F b) { return std::copysign(a, b); });
}

TEMPLATE_TEST_CASE("the six minima and maxima treat NaNs and zeros as they promise", "", float, double) {
  using F = TestType;
  const auto nan_or = [](F a, F b, F other) { return std::isnan(a) || std::isnan(b) ? std::nan("") : other; };
  const auto number_or = [](F a, F b, F other) { return std::isnan(a) ? b : std::isnan(b) ? a : other; };
  check_binary<F, F>(binary(BinaryOp::kMin), [](F a, F b) { return b < a ? b : a; });
  check_binary<F, F>(binary(BinaryOp::kMax), [](F a, F b) { return b > a ? b : a; });
  check_binary<F, F>(binary(BinaryOp::kMinimum), [&](F a, F b) { return F(nan_or(a, b, a < b ? a : b)); });
  check_binary<F, F>(binary(BinaryOp::kMaximum), [&](F a, F b) { return F(nan_or(a, b, a > b ? a : b)); });
  check_binary<F, F>(binary(BinaryOp::kFmin), [&](F a, F b) { return number_or(a, b, a < b ? a : b); });
  check_binary<F, F>(binary(BinaryOp::kFmax), [&](F a, F b) { return number_or(a, b, a > b ? a : b); });
}

TEMPLATE_TEST_CASE("comparisons with a NaN are false, and != is true", "", float, double) {
  using F = TestType;
  check_binary<bool, F>(compare(CompareOp::kEq), [](F a, F b) { return a == b; });
  check_binary<bool, F>(compare(CompareOp::kNe), [](F a, F b) { return a != b; });
  check_binary<bool, F>(compare(CompareOp::kLt), [](F a, F b) { return a < b; });
  check_binary<bool, F>(compare(CompareOp::kLe), [](F a, F b) { return a <= b; });
  check_binary<bool, F>(compare(CompareOp::kGt), [](F a, F b) { return a > b; });
  check_binary<bool, F>(compare(CompareOp::kGe), [](F a, F b) { return a >= b; });
}

TEMPLATE_TEST_CASE("a product and a sum are rounded twice, fma once", "", float, double) {
  using F = TestType;
  check_binary<F, F>(
      [](Builder& k, const auto& v) { return k.binary(BinaryOp::kAdd, k.binary(BinaryOp::kMul, v[0], v[1]), v[0]); },
      [](F a, F b) {
        volatile F product = a * b;
        return product + a;
      });
  check_binary<F, F>([](Builder& k, const auto& v) { return k.fma(v[0], v[1], v[0]); },
                     [](F a, F b) { return std::fma(a, b, a); });
}

template <class Int, class Float>
Int saturated(Float x) {
  using Limits = std::numeric_limits<Int>;
  if (std::isnan(x)) return 0;
  const Float end = std::ldexp(Float(1), Limits::digits);
  if (x >= end) return Limits::max();
  if (x <= (Limits::is_signed ? -end : Float(0))) return Limits::min();
  return static_cast<Int>(x);
}

TEMPLATE_TEST_CASE("floats convert to integers by truncation with saturation, a NaN to 0", "", int8_t, int16_t, int32_t,
                   int64_t, uint8_t, uint16_t, uint32_t, uint64_t) {
  const auto convert = [](Builder& k, const auto& v) { return k.convert(dtype_of<TestType>(), v[0]); };
  check_unary<TestType>(edge_values<float>(), convert, saturated<TestType, float>);
  check_unary<TestType>(edge_values<double>(), convert, saturated<TestType, double>);
}

TEMPLATE_TEST_CASE("integers convert to floats by rounding to nearest even", "", int8_t, int16_t, int32_t, int64_t,
                   uint8_t, uint16_t, uint32_t, uint64_t) {
  using Limits = std::numeric_limits<TestType>;
  std::vector<TestType> values = {
      0, 1, 2, 100, Limits::max(), Limits::min(), TestType(Limits::max() / 2), TestType(Limits::min() / 2)};
  // Neighbours of the ties at the ends of both mantissas.
  for (const uint64_t tie : {uint64_t{1} << 24, (uint64_t{1} << 25) + 2, uint64_t{1} << 53, (uint64_t{1} << 54) + 2,
                             0xffffff7fffffffffu, 0xfffffffffffffbffu, (uint64_t{1} << 63) + (uint64_t{1} << 39)}) {
    for (int delta = -1; delta <= 1; ++delta)
      values.push_back(static_cast<TestType>(tie + static_cast<uint64_t>(delta)));
  }
  check_unary<float>(
      values, [](Builder& k, const auto& v) { return k.convert(DType::f4, v[0]); },
      [](TestType x) { return static_cast<float>(x); });
  check_unary<double>(
      values, [](Builder& k, const auto& v) { return k.convert(DType::f8, v[0]); },
      [](TestType x) { return static_cast<double>(x); });
}

TEST_CASE("floats convert to floats by rounding to nearest even") {
  check_unary<float>(
      edge_values<double>(), [](Builder& k, const auto& v) { return k.convert(DType::f4, v[0]); },
      [](double x) { return static_cast<float>(x); });
  check_unary<double>(
      edge_values<float>(), [](Builder& k, const auto& v) { return k.convert(DType::f8, v[0]); },
      [](float x) { return static_cast<double>(x); });
}

TEST_CASE("a float is True unless it is a zero") {
  check_unary<bool>(
      edge_values<float>(), [](Builder& k, const auto& v) { return k.convert(DType::b1, v[0]); },
      [](float x) { return x != 0; });
}

TEST_CASE("b1 loads any byte but 0 as True, stores 1, and converts to 0 or 1") {
  const CpuProgram program(elementwise("op", DType::f8, {DType::b1, DType::b1}, [](Builder& k, const auto& v) {
    const auto both = k.binary(BinaryOp::kAnd, v[0], k.unary(UnaryOp::kNot, v[1]));
    return k.convert(DType::f8, both);
  }));
  const std::vector<uint8_t> lhs = {0, 1, 2, 255, 255}, rhs = {0, 0, 0, 0, 128};
  std::vector<double> out(lhs.size(), -1);
  program.run(launch_for(lhs.size()), int64_t(lhs.size()), out.data(), lhs.data(), rhs.data());
  CHECK(out == std::vector<double>{0, 1, 1, 1, 0});

  const CpuProgram copy(elementwise("copy", DType::b1, {DType::b1}, [](Builder&, const auto& v) { return v[0]; }));
  std::vector<uint8_t> stored(lhs.size(), 7);
  copy.run(launch_for(lhs.size()), int64_t(lhs.size()), stored.data(), lhs.data());
  CHECK(stored == std::vector<uint8_t>{0, 1, 1, 1, 1});
}

}  // namespace
