#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "src/sema/constant.hpp"

using namespace jitc;
using namespace jitc::sema;
using Op = syntax::BinaryOp;
using types::Strength;

namespace {

constexpr types::Scalar kInt{i8, Strength::kWeakConst};
constexpr types::Scalar kFloat{f8, Strength::kWeakConst};
constexpr types::Scalar typed(DType t) { return {t, Strength::kTyped}; }

Constant fold(Op op, Int128 a, Int128 b, types::Scalar type) {
  const auto out = fold_binary(op, Constant::of_int(a), Constant::of_int(b), type);
  REQUIRE(out);
  return *out;
}

}  // namespace

TEST_CASE("weak int constants are exact, typed ones wrap") {
  CHECK(fold(Op::kMul, Int128{1} << 62, 4, kInt) == Constant::of_int(Int128{1} << 64));
  CHECK(fold(Op::kAdd, 127, 1, typed(i1)) == Constant::of_int(-128));
  CHECK(fold(Op::kSub, 0, 1, typed(u4)) == Constant::of_int(4294967295));
  CHECK(fold(Op::kMul, Int128{1} << 63, 2, typed(u8)) == Constant::of_int(0));
}

TEST_CASE("floor division and remainder follow the divisor's sign") {
  for (int a = -7; a <= 7; ++a) {
    for (int b = -7; b <= 7; ++b) {
      if (b == 0) continue;
      const double q = std::floor(static_cast<double>(a) / b);
      CHECK(fold(Op::kFloorDiv, a, b, kInt) == Constant::of_int(static_cast<Int128>(q)));
      CHECK(fold(Op::kMod, a, b, kInt) == Constant::of_int(a - static_cast<Int128>(q) * b));
    }
    CHECK(fold(Op::kFloorDiv, a, 0, typed(i4)) == Constant::of_int(0));
    CHECK(fold(Op::kMod, a, 0, typed(i4)) == Constant::of_int(0));
  }
  CHECK(fold(Op::kFloorDiv, std::numeric_limits<int64_t>::min(), -1, typed(i8)) ==
        Constant::of_int(std::numeric_limits<int64_t>::min()));
}

TEST_CASE("constant shifts have the language's value for every count") {
  CHECK(fold(Op::kShl, 1, 31, typed(i4)) == Constant::of_int(std::numeric_limits<int32_t>::min()));
  CHECK(fold(Op::kShl, 1, 32, typed(i4)) == Constant::of_int(0));
  CHECK(fold(Op::kShr, -8, 40, typed(i4)) == Constant::of_int(-1));
  CHECK(fold(Op::kShr, 8, 40, typed(i4)) == Constant::of_int(0));
  CHECK(fold(Op::kShl, 1, 63, kInt) == Constant::of_int(Int128{1} << 63));
  CHECK_FALSE(fold_binary(Op::kShl, Constant::of_int(1), Constant::of_int(200), kInt));
  CHECK_FALSE(fold_binary(Op::kShl, Constant::of_int(1), Constant::of_int(-1), kInt));
}

TEST_CASE("constant powers are exact and refuse what is no int") {
  CHECK(fold(Op::kPow, 3, 20, kInt) == Constant::of_int(3486784401));
  CHECK(fold(Op::kPow, 2, 64, typed(u8)) == Constant::of_int(0));
  CHECK(fold(Op::kPow, 0, 0, kInt) == Constant::of_int(1));
  CHECK_FALSE(fold_binary(Op::kPow, Constant::of_int(2), Constant::of_int(-1), kInt));
  CHECK_FALSE(fold_binary(Op::kPow, Constant::of_int(10), Constant::of_int(1000000), kInt));
}

TEST_CASE("casts truncate, saturate, wrap and round once") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(cast(Constant::of_float(-1.9), i4) == Constant::of_int(-1));
  CHECK(cast(Constant::of_float(3e10), i4) == Constant::of_int(2147483647));
  CHECK(cast(Constant::of_float(-inf), u1) == Constant::of_int(0));
  CHECK(cast(Constant::of_float(300), u1) == Constant::of_int(255));
  CHECK(cast(Constant::of_float(std::nan("")), i8) == Constant::of_int(0));
  CHECK(cast(Constant::of_float(1e300), u8) == Constant::of_int(18446744073709551615u));
  CHECK(cast(Constant::of_int(300), u1) == Constant::of_int(44));
  CHECK(cast(Constant::of_float(std::nan("")), b1) == Constant::of_bool(true));
  // 2^54 + 2^29 + 1 rounds up in one step, down to even in two.
  const Int128 tricky = (Int128{1} << 54) + (Int128{1} << 30) + 1;
  CHECK(cast(Constant::of_int(tricky), f4) == Constant::of_float(static_cast<float>(static_cast<int64_t>(tricky))));
}

TEST_CASE("comparisons of int constants are exact at any size") {
  const Constant big = Constant::of_int(18446744073709551615u);
  CHECK(fold_compare(syntax::CompareOp::kGt, big, Constant::of_int(-1)));
  CHECK_FALSE(fold_compare(syntax::CompareOp::kEq, big, Constant::of_int(-1)));
}

TEST_CASE("float floor division and remainder are CPython's") {
  CHECK(python_floor_div(7.5, -2.0) == -4.0);
  CHECK(python_mod(7.5, -2.0) == -0.5);
  CHECK(python_mod(-1.0, 3.0) == 2.0);
  CHECK(std::signbit(python_mod(-0.0, 3.0)) == false);
  CHECK(std::signbit(python_mod(0.0, -3.0)) == true);
  CHECK(std::isnan(python_mod(1.0, 0.0)));
  CHECK(std::isinf(python_floor_div(1.0, 0.0)));
  CHECK(fold_binary(Op::kFloorDiv, Constant::of_float(1.0), Constant::of_float(0.1), kFloat) ==
        Constant::of_float(9.0));
}
