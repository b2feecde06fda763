#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "tests/unit/emulator/alu_text.hpp"

namespace jitc::emulator_test {
namespace {

Bits single(float value) { return std::bit_cast<uint32_t>(value); }
Bits twice(double value) { return std::bit_cast<uint64_t>(value); }

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();
const float kFloats[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-45f, -1e-45f, kInfinity, -kInfinity, kNan, 3.5f};

struct FloatComparison {
  std::function<bool(double, double)> ordered;
  bool if_unordered;
};

const std::map<std::string, FloatComparison> kFloatComparisons = {
    {"eq", {std::equal_to<>(), false}},
    {"ne", {std::not_equal_to<>(), false}},
    {"lt", {std::less<>(), false}},
    {"le", {std::less_equal<>(), false}},
    {"gt", {std::greater<>(), false}},
    {"ge", {std::greater_equal<>(), false}},
    {"equ", {std::equal_to<>(), true}},
    {"neu", {std::not_equal_to<>(), true}},
    {"ltu", {std::less<>(), true}},
    {"leu", {std::less_equal<>(), true}},
    {"gtu", {std::greater<>(), true}},
    {"geu", {std::greater_equal<>(), true}},
    {"num", {[](double, double) { return true; }, false}},
    {"nan", {[](double, double) { return false; }, true}}};

TEST_CASE("Floating-point comparisons are ordered, or true for a NaN where their name ends in u") {
  for (const auto& [name, comparison] : kFloatComparisons) {
    const Computation f32("setp." + name + ".f32"), f64("setp." + name + ".f64");
    for (float a : kFloats) {
      for (float b : kFloats) {
        const bool is_unordered = std::isnan(a) || std::isnan(b);
        const Bits expected = is_unordered ? comparison.if_unordered : comparison.ordered(a, b);
        CAPTURE(name, a, b);
        CHECK(f32({single(a), single(b)}) == expected);
        CHECK(f64({twice(a), twice(b)}) == expected);
      }
    }
  }
}

TEST_CASE("With .ftz subnormals compare as zero") {
  CHECK(compute("setp.eq.f32", {single(1e-45f), 0}) == 0);
  CHECK(compute("setp.eq.ftz.f32", {single(1e-45f), single(-1e-45f)}) == 1);
}

template <class T>
void check_integers(const std::string& type, std::map<std::string, std::function<bool(T, T)>> comparisons) {
  for (const auto& [name, expected] : comparisons) {
    const Computation computation("setp." + name + "." + type);
    for (Bits a : integer_samples(10)) {
      for (Bits b : integer_samples(10)) {
        CAPTURE(name, type, a, b);
        CHECK(computation({a, b}) == expected(static_cast<T>(a), static_cast<T>(b)));
        CHECK(computation.evaluate({a, b}).second == !expected(static_cast<T>(a), static_cast<T>(b)));
      }
    }
  }
}

TEST_CASE("Integers compare by their type") {
  check_integers<uint16_t>("u16", {{"eq", std::equal_to<>()}, {"lo", std::less<>()}, {"hs", std::greater_equal<>()}});
  check_integers<int16_t>("s16",
                          {{"ne", std::not_equal_to<>()}, {"lt", std::less<>()}, {"ge", std::greater_equal<>()}});
  check_integers<uint32_t>("u32", {{"lt", std::less<>()}, {"hi", std::greater<>()}, {"ls", std::less_equal<>()}});
  check_integers<int32_t>("s32", {{"lt", std::less<>()}, {"gt", std::greater<>()}, {"le", std::less_equal<>()}});
  check_integers<uint64_t>("u64", {{"lt", std::less<>()}, {"ge", std::greater_equal<>()}, {"eq", std::equal_to<>()}});
  check_integers<int64_t>("s64", {{"lt", std::less<>()}, {"gt", std::greater<>()}, {"ne", std::not_equal_to<>()}});
  check_integers<uint32_t>("b32", {{"eq", std::equal_to<>()}, {"ne", std::not_equal_to<>()}});
}

TEST_CASE("Without a second predicate the comparison of a whole warp is the same") {
  const Computation computation("setp.lt.s32");
  Bits a[32], b[32], p[32] = {}, carry[32] = {};
  for (int lane = 0; lane < 32; ++lane) a[lane] = static_cast<Bits>(lane - 16), b[lane] = 3;
  const emulator::AluRows rows = {p, nullptr, carry, {a, b, a, a, a}, &computation.alu().rules};
  computation.alu().run(rows, ~0u);
  for (int lane = 0; lane < 32; ++lane) CHECK(p[lane] == Bits{lane - 16 < 3});
}

TEST_CASE("Lanes that are not asked for keep their values") {
  const Computation computation("add.u32");
  Bits a[32], sum[32], carry[32] = {};
  for (Bits lane = 0; lane < 32; ++lane) a[lane] = lane, sum[lane] = 999;
  computation.alu().run({sum, nullptr, carry, {a, a, a, a, a}, &computation.alu().rules}, 0x80000005);
  CHECK(sum[0] == 0);
  CHECK(sum[1] == 999);
  CHECK(sum[2] == 4);
  CHECK(sum[31] == 62);
}

TEST_CASE("The comparison and its opposite are combined with a predicate") {
  const auto both = [](const char* spelling, Bits a, Bits b, Bits c) {
    const auto result = Computation(spelling).evaluate({a, b, c});
    return std::pair(result.value, result.second);
  };
  CHECK(both("setp.lt.and.s32", 1, 2, 1) == std::pair<Bits, Bits>(1, 0));
  CHECK(both("setp.lt.and.s32", 1, 2, 0) == std::pair<Bits, Bits>(0, 0));
  CHECK(both("setp.lt.or.s32", 2, 1, 0) == std::pair<Bits, Bits>(0, 1));
  CHECK(both("setp.lt.or.s32", 2, 1, 1) == std::pair<Bits, Bits>(1, 1));
  CHECK(both("setp.lt.xor.f32", single(1), single(2), 1) == std::pair<Bits, Bits>(0, 1));
}

TEST_CASE("set gives all ones or 1.0") {
  CHECK(compute("set.lt.u32.s32", {Bits(-1), 0}) == 0xffffffff);
  CHECK(compute("set.lt.u32.u32", {0xffffffff, 0}) == 0);
  CHECK(compute("set.gt.f32.f64", {twice(2), twice(1)}) == single(1));
  CHECK(compute("set.eq.and.s32.b16", {0x10005, 5, 1}) == 0xffffffff);
  CHECK(compute("set.eq.f16.f16", {0x3c00, 0x3c00}) == 0x3c00);
  CHECK(compute("set.neu.f16x2.f16x2", {0x3c007e00, 0x3c003c00}) == 0x00003c00);
  CHECK(compute("set.lt.u32.bf16x2", {0x3f803f80, 0x40003f80}) == 0xffff0000);
}

TEST_CASE("setp of packed halves gives a predicate for each") {
  const auto result = Computation("setp.lt.f16x2").evaluate({0x3c004000, 0x40003c00});
  CHECK(result.value == 0);
  CHECK(result.second == 1);
}

TEST_CASE("selp and slct choose") {
  CHECK(compute("selp.b32", {1, 2, 1}) == 1);
  CHECK(compute("selp.f64", {1, 2, 0}) == 2);
  CHECK(compute("slct.u64.s32", {1, 2, 0}) == 1);
  CHECK(compute("slct.u64.s32", {1, 2, 0x80000000}) == 2);
  CHECK(compute("slct.f32.f32", {1, 2, single(-0.0f)}) == 1);
  CHECK(compute("slct.f32.f32", {1, 2, single(kNan)}) == 2);
  CHECK(compute("slct.f32.f32", {1, 2, single(-1e-45f)}) == 2);
  CHECK(compute("slct.ftz.f32.f32", {1, 2, single(-1e-45f)}) == 1);
}

}  // namespace
}  // namespace jitc::emulator_test
