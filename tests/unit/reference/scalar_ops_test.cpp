#include "tests/support/scalar_ops.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "tests/support/scalar_bits.hpp"

namespace jitc::reference {
namespace {

using kernel::BinaryOp;
using kernel::CompareOp;
using kernel::UnaryOp;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

int64_t on_i4(BinaryOp op, int64_t a, int64_t b) {
  return static_cast<int64_t>(
      int_of(DType::i4, binary(op, DType::i4, bits_of_int(DType::i4, a), bits_of_int(DType::i4, b))));
}
double on_f8(BinaryOp op, double a, double b) {
  return float_of<double>(binary(op, DType::f8, bits_of_float(a), bits_of_float(b)));
}
int64_t from_f8(DType to, double value) {
  return static_cast<int64_t>(int_of(to, convert(DType::f8, to, bits_of_float(value))));
}
bool is_negative_zero(double x) { return x == 0 && std::signbit(x); }

constexpr int64_t kMin = std::numeric_limits<int32_t>::min();
constexpr int64_t kMax = std::numeric_limits<int32_t>::max();

TEST_CASE("Integer sums, differences and products wrap") {
  CHECK(on_i4(BinaryOp::kAdd, kMax, 1) == kMin);
  CHECK(on_i4(BinaryOp::kSub, kMin, 1) == kMax);
  CHECK(on_i4(BinaryOp::kMul, 65536, 65536) == 0);
  CHECK(on_i4(BinaryOp::kMul, kMin, -1) == kMin);
  CHECK(binary(BinaryOp::kAdd, DType::u1, 255, 1) == 0);
  CHECK(binary(BinaryOp::kMul, DType::u8, ~uint64_t{0}, ~uint64_t{0}) == 1);
}

TEST_CASE("Integer division rounds down and the remainder has the divisor's sign") {
  CHECK(on_i4(BinaryOp::kFloorDiv, -7, 2) == -4);
  CHECK(on_i4(BinaryOp::kMod, -7, 2) == 1);
  CHECK(on_i4(BinaryOp::kFloorDiv, 7, -2) == -4);
  CHECK(on_i4(BinaryOp::kMod, 7, -2) == -1);
  CHECK(on_i4(BinaryOp::kFloorDiv, -6, 3) == -2);
  CHECK(on_i4(BinaryOp::kMod, -6, 3) == 0);
}

TEST_CASE("Division by zero and of the smallest integer have values") {
  CHECK(on_i4(BinaryOp::kFloorDiv, 5, 0) == 0);
  CHECK(on_i4(BinaryOp::kMod, 5, 0) == 0);
  CHECK(on_i4(BinaryOp::kFloorDiv, kMin, -1) == kMin);
  CHECK(on_i4(BinaryOp::kMod, kMin, -1) == 0);
}

TEST_CASE("Integer powers wrap and have values for negative exponents") {
  CHECK(on_i4(BinaryOp::kIntPow, 3, 4) == 81);
  CHECK(on_i4(BinaryOp::kIntPow, 2, 31) == kMin);
  CHECK(on_i4(BinaryOp::kIntPow, 2, 32) == 0);
  CHECK(on_i4(BinaryOp::kIntPow, 0, 0) == 1);
  CHECK(on_i4(BinaryOp::kIntPow, 0, -3) == 0);
  CHECK(on_i4(BinaryOp::kIntPow, 2, -1) == 0);
  CHECK(on_i4(BinaryOp::kIntPow, 1, -5) == 1);
  CHECK(on_i4(BinaryOp::kIntPow, -1, -5) == -1);
  CHECK(on_i4(BinaryOp::kIntPow, -1, -4) == 1);
  CHECK(on_i4(BinaryOp::kIntPow, -3, 3) == -27);
}

TEST_CASE("Shifts past the width have values") {
  CHECK(on_i4(BinaryOp::kShl, 1, 31) == kMin);
  CHECK(on_i4(BinaryOp::kShl, 1, 32) == 0);
  CHECK(on_i4(BinaryOp::kShl, 1, -1) == 0);
  CHECK(on_i4(BinaryOp::kShr, -8, 1) == -4);
  CHECK(on_i4(BinaryOp::kShr, -8, 40) == -1);
  CHECK(on_i4(BinaryOp::kShr, -8, -1) == -1);
  CHECK(on_i4(BinaryOp::kShr, 8, 40) == 0);
  CHECK(binary(BinaryOp::kShr, DType::u2, 65535, 2) == 16383);
  CHECK(binary(BinaryOp::kShl, DType::u8, 1, 63) == uint64_t{1} << 63);
}

TEST_CASE("Python's min and max compare, NumPy's propagate NaN, C's drop it") {
  CHECK(on_f8(BinaryOp::kMin, 1.0, kNan) == 1.0);
  CHECK(std::isnan(on_f8(BinaryOp::kMin, kNan, 1.0)));
  CHECK(on_f8(BinaryOp::kMax, 1.0, kNan) == 1.0);
  CHECK(std::isnan(on_f8(BinaryOp::kMinimum, 1.0, kNan)));
  CHECK(std::isnan(on_f8(BinaryOp::kMaximum, kNan, 1.0)));
  CHECK(on_f8(BinaryOp::kFmin, kNan, 1.0) == 1.0);
  CHECK(on_f8(BinaryOp::kFmax, 1.0, kNan) == 1.0);
  CHECK(on_i4(BinaryOp::kMax, -1, 3) == 3);
}

TEST_CASE("Of two zeros Python's min and max give the left one, NumPy's and C's the right one") {
  CHECK(is_negative_zero(on_f8(BinaryOp::kMin, -0.0, 0.0)));
  CHECK(is_negative_zero(on_f8(BinaryOp::kMax, -0.0, 0.0)));
  for (BinaryOp op : {BinaryOp::kMinimum, BinaryOp::kMaximum, BinaryOp::kFmin, BinaryOp::kFmax}) {
    CHECK(is_negative_zero(on_f8(op, 0.0, -0.0)));
    CHECK_FALSE(is_negative_zero(on_f8(op, -0.0, 0.0)));
  }
}

TEST_CASE("Unary operations of integers") {
  const auto on_i1 = [](UnaryOp op, int64_t x) {
    return static_cast<int64_t>(int_of(DType::i1, unary(op, DType::i1, bits_of_int(DType::i1, x))));
  };
  CHECK(on_i1(UnaryOp::kNeg, -128) == -128);
  CHECK(on_i1(UnaryOp::kAbs, -128) == -128);
  CHECK(on_i1(UnaryOp::kAbs, -5) == 5);
  CHECK(on_i1(UnaryOp::kInvert, 5) == -6);
  CHECK(unary(UnaryOp::kNeg, DType::u4, 1) == 0xffffffff);
  CHECK(unary(UnaryOp::kNot, DType::b1, 1) == 0);
}

TEST_CASE("Unary operations of floats") {
  const auto on = [](UnaryOp op, double x) { return float_of<double>(unary(op, DType::f8, bits_of_float(x))); };
  CHECK(is_negative_zero(on(UnaryOp::kNeg, 0.0)));
  CHECK(on(UnaryOp::kRint, 2.5) == 2.0);
  CHECK(on(UnaryOp::kRint, 3.5) == 4.0);
  CHECK(on(UnaryOp::kFloor, -0.5) == -1.0);
  CHECK(is_negative_zero(on(UnaryOp::kCeil, -0.5)));
  CHECK(on(UnaryOp::kTrunc, -1.9) == -1.0);
  CHECK(std::isnan(on(UnaryOp::kSqrt, -1.0)));
  CHECK(unary(UnaryOp::kSignBit, DType::f8, bits_of_float(-0.0)) == 1);
  CHECK(unary(UnaryOp::kIsNan, DType::f8, bits_of_float(kNan)) == 1);
  CHECK(unary(UnaryOp::kIsFinite, DType::f8, bits_of_float(kInf)) == 0);
  CHECK(unary(UnaryOp::kSqrt, DType::f4, bits_of_float(2.0F)) == 0x3fb504f3);
}

TEST_CASE("Only != is true for a NaN") {
  const auto holds = [](CompareOp op, double a, double b) {
    return compare(op, DType::f8, bits_of_float(a), bits_of_float(b));
  };
  CHECK(holds(CompareOp::kNe, kNan, kNan));
  for (CompareOp op : {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt, CompareOp::kGe}) {
    CHECK_FALSE(holds(op, kNan, 1.0));
  }
  CHECK(holds(CompareOp::kEq, 0.0, -0.0));
}

TEST_CASE("Comparison follows the signedness of the type") {
  CHECK(compare(CompareOp::kLt, DType::i1, 0xff, 1));
  CHECK(compare(CompareOp::kGt, DType::u1, 0xff, 1));
  CHECK(compare(CompareOp::kLt, DType::b1, 0, 1));
}

TEST_CASE("Floats become integers by truncation and saturation, NaN becomes 0") {
  CHECK(from_f8(DType::i4, kNan) == 0);
  CHECK(from_f8(DType::i4, 3e10) == kMax);
  CHECK(from_f8(DType::i4, -kInf) == kMin);
  CHECK(from_f8(DType::i4, -1.9) == -1);
  CHECK(from_f8(DType::i8, 9.3e18) == std::numeric_limits<int64_t>::max());
  CHECK(from_f8(DType::u1, -1.0) == 0);
  CHECK(from_f8(DType::u1, 300.0) == 255);
  CHECK(convert(DType::f8, DType::u8, bits_of_float(1e20)) == ~uint64_t{0});
  CHECK(convert(DType::f4, DType::u8, bits_of_float(0x1.8p63F)) == uint64_t{3} << 62);
}

TEST_CASE("Integers become floats by rounding to nearest even, once") {
  CHECK(convert(DType::i8, DType::f4, 16777217) == bits_of_float(16777216.0F));
  // 2^54 + 2^30 + 1 lies just above the middle of two f4 values; through f8 it would be exactly the middle.
  CHECK(convert(DType::i8, DType::f4, (uint64_t{1} << 54) + (uint64_t{1} << 30) + 1) == bits_of_float(0x1.000002p54F));
  CHECK(convert(DType::u8, DType::f8, ~uint64_t{0}) == bits_of_float(0x1p64));
  CHECK(convert(DType::u4, DType::f8, 3000000000) == bits_of_float(3e9));
}

TEST_CASE("Integers widen by their own signedness and narrow by wrapping") {
  CHECK(convert(DType::i1, DType::u8, 0xff) == ~uint64_t{0});
  CHECK(convert(DType::u1, DType::i8, 0xff) == 255);
  CHECK(convert(DType::i8, DType::i1, 0x180) == 0x80);
}

TEST_CASE("Everything but zero is true, and true is one") {
  CHECK(convert(DType::f8, DType::b1, bits_of_float(kNan)) == 1);
  CHECK(convert(DType::f8, DType::b1, bits_of_float(-0.0)) == 0);
  CHECK(convert(DType::i4, DType::b1, 256) == 1);
  CHECK(convert(DType::b1, DType::f4, 1) == bits_of_float(1.0F));
}

TEST_CASE("fma rounds once") {
  const float a = 1.0F + 0x1p-12F;
  const Bits fused = fma(DType::f4, bits_of_float(a), bits_of_float(a), bits_of_float(-(1.0F + 0x1p-11F)));
  CHECK(fused == bits_of_float(0x1p-24F));
}

}  // namespace
}  // namespace jitc::reference
