// What is done with the elements: types, functions of the factors' elements and of the sums.
#include <catch2/catch.hpp>

#include "tests/unit/contract/contraction.hpp"
#include "tests/unit/contract/functions.hpp"

using namespace jitc;
using namespace jitc::contract;
using kernel::KernelOperand;

namespace {

constexpr Sizes kSizes{1, 13, 35, 21};
using C8 = std::complex<float>;
using C16 = std::complex<double>;

}  // namespace

TEST_CASE("a product of floats is a chain of fused steps") {
  CHECK(plain_difference<float, float, float>(Trial(product_of(f4, f4, f4, f4, kSizes)), kSizes.k) == "");
  CHECK(plain_difference<double, double, double>(Trial(product_of(f8, f8, f8, f8, kSizes)), kSizes.k) == "");
}

TEST_CASE("a product of complex numbers is four fused steps for each k") {
  CHECK(plain_difference<C8, C8, C8>(Trial(product_of(c8, c8, c8, c8, kSizes)), kSizes.k) == "");
  CHECK(plain_difference<C16, C16, C16>(Trial(product_of(c16, c16, c16, c16, kSizes)), kSizes.k) == "");
}

TEST_CASE("integers wrap, and booleans are the or of ands") {
  CHECK(plain_difference<int32_t, int32_t, int32_t>(Trial(product_of(i4, i4, i4, i4, kSizes)), kSizes.k) == "");
  CHECK(plain_difference<int64_t, int64_t, int64_t>(Trial(product_of(i8, i8, i8, i8, kSizes)), kSizes.k) == "");
  CHECK(plain_difference<bool, bool, bool>(Trial(product_of(b1, b1, b1, b1, kSizes)), kSizes.k) == "");
}

TEST_CASE("elements are converted to the type of the sum, and the sum to that of the output") {
  CHECK(plain_difference<uint8_t, uint8_t, int64_t>(Trial(product_of(u1, u1, i8, i8, kSizes)), kSizes.k) == "");
  CHECK(plain_difference<float, double, double, float>(Trial(product_of(f4, f8, f8, f4, kSizes)), kSizes.k) == "");
  CHECK(plain_difference<float16, float16, float>(Trial(product_of(f2, f2, f4, f4, kSizes)), kSizes.k) == "");
  CHECK(plain_difference<bfloat16, bfloat16, float>(Trial(product_of(bf16, bf16, f4, f4, kSizes)), kSizes.k) == "");
}

TEST_CASE("elements of a factor are a function's results") {
  Contraction c = product_of(f4, f4, f4, f4, {2, 7, 20, 9});
  c.kernel.a.element = function("root");
  c.kernel.b.operands = {{"x", f4}, {"y", f4}};
  c.kernel.b.element = function("both");
  c.b = {Lie::c, Lie::row};
  const Trial trial(c);
  CHECK(trial.difference([&](size_t, int64_t batch, int64_t m, int64_t n) {
    return bytes_of(ordered_sum<float>(
        9, [&](int64_t k) { return std::sqrt(std::fabs(trial.a().at<float>(batch, m, k))); },
        [&](int64_t k) { return trial.b(0).at<float>(batch, k, n) + trial.b(1).at<float>(batch, k, n); }));
  }) == "");
}

TEST_CASE("a factor of a function of the math library is the same on all devices") {
  Contraction c = product_of(f4, f4, f4, f4, {1, 14, 33, 40});
  c.kernel.a.element = function("grow");
  c.kernel.b.element = function("grow");
  CHECK(Trial(c).difference_from_cpu() == "");
}

TEST_CASE("operands may be scalars and indices") {
  Contraction c = product_of(f4, f4, f4, f4, {2, 7, 20, 9});
  c.kernel.a.operands = {{"x", f4}, {"i", i8, KernelOperand::Kind::index}};
  c.kernel.a.element = function("numbered");
  c.kernel.b.operands = {{"y", f4, KernelOperand::Kind::scalar}};
  const Trial trial(c);
  CHECK(trial.difference([&](size_t, int64_t batch, int64_t m, int64_t n) {
    static_cast<void>(n);
    return bytes_of(ordered_sum<float>(
        9,
        [&](int64_t k) {
          const float x = trial.a().at<float>(batch, m, k);
          return (5 + (batch * 7 + m) * 9 + k) % 3 == 0 ? x : -x;
        },
        [](int64_t) { return 3.0F; }));
  }) == "");
}

TEST_CASE("the epilogue sees the sum and arrays of the outputs' shape") {
  Contraction c = product_of(f4, f4, f4, f4, {2, 13, 35, 6});
  c.kernel.epilogue = function("biased");
  c.kernel.epilogue_operands = {{"bias", f4}};
  c.epilogue = {Lie::row};
  const Trial trial(c);
  CHECK(trial.difference([&](size_t, int64_t batch, int64_t m, int64_t n) {
    const auto sum = ordered_sum<float>(
        6, [&](int64_t k) { return trial.a().at<float>(batch, m, k); },
        [&](int64_t k) { return trial.b().at<float>(batch, k, n); });
    const float t = sum + trial.epilogue().at<float>(batch, 0, n);
    return bytes_of(t > 0 ? t : t * 0);
  }) == "");
}

TEST_CASE("the epilogue's arguments are converted to what it takes, scalars among them") {
  Contraction c = product_of(f4, f4, f4, f8, {1, 5, 18, 300});
  c.kernel.epilogue = function("scaled");
  c.kernel.epilogue_operands = {{"c", f4}, {"factor", f8, KernelOperand::Kind::scalar}};
  c.epilogue = {Lie::fortran, Lie::c};
  const Trial trial(c);
  CHECK(trial.difference([&](size_t, int64_t batch, int64_t m, int64_t n) {
    const auto sum = ordered_sum<float>(
        300, [&](int64_t k) { return trial.a().at<float>(batch, m, k); },
        [&](int64_t k) { return trial.b().at<float>(batch, k, n); });
    return bytes_of(
        std::fma(static_cast<double>(sum), 3.0, static_cast<double>(trial.epilogue().at<float>(batch, m, n))));
  }) == "");
}
