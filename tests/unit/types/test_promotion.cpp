#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "src/types/promotion.hpp"

namespace {

using namespace jitc;
using types::Scalar;
using types::Strength;

constexpr Scalar typed(DType t) { return {t, Strength::kTyped}; }
constexpr Scalar constant(DType t) { return {t, Strength::kWeakConst}; }
constexpr Scalar runtime(DType t) { return {t, Strength::kWeakRuntime}; }

const std::vector<DType> kAll = {b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, bf16, f4, f8, c8, c16};

struct Row {
  Scalar a, b, result;
  std::string why;
};

}  // namespace

TEST_CASE("promotion is symmetric and never loses an operand's kind") {
  for (DType a : kAll) {
    CHECK(types::promote(a, a) == a);
    for (DType b : kAll) {
      INFO(name(a) << " with " << name(b));
      const DType r = types::promote(a, b);
      CHECK(r == types::promote(b, a));
      CHECK(types::kind_rank(r) >= types::kind_rank(a));
      CHECK(types::kind_rank(r) >= types::kind_rank(b));
      CHECK(types::promote(r, a) == r);  // the result holds both
      CHECK(types::promote(r, b) == r);
    }
  }
}

TEST_CASE("two ints of one signedness meet in the wider, mixed ones in a signed type that holds both") {
  for (DType a : kAll) {
    for (DType b : kAll) {
      if (!is_int(a) || !is_int(b)) continue;
      INFO(name(a) << " with " << name(b));
      const DType r = types::promote(a, b);
      if (is_signed_int(a) == is_signed_int(b)) {
        CHECK(size_bytes(r) == std::max(size_bytes(a), size_bytes(b)));
        CHECK(is_signed_int(r) == is_signed_int(a));
      } else {
        const DType u = is_signed_int(a) ? b : a, s = is_signed_int(a) ? a : b;
        const size_t wanted = std::max(size_bytes(s), 2 * size_bytes(u));
        if (wanted > 8) {
          CHECK(r == f8);
        } else {
          CHECK(is_signed_int(r));
          CHECK(size_bytes(r) == wanted);
        }
      }
    }
  }
}

TEST_CASE("f4 survives ints of at most 16 bits and meets wider ones in f8") {
  for (DType a : kAll) {
    if (!is_int(a)) continue;
    INFO(name(a));
    CHECK(types::promote(a, f4) == (size_bytes(a) <= 2 ? f4 : f8));
  }
}

TEST_CASE("weak scalars join by the rules of the language") {
  const Row rows[] = {
      {typed(f4), constant(f8), typed(f4), "f4 * 0.5 is f4"},
      {typed(i4), constant(i8), typed(i4), "i4 * 2 is i4"},
      {typed(i4), constant(f8), typed(f8), "i4 * 0.5 is f8"},
      {typed(u8), constant(i8), typed(u8), "u8 + 5000 is u8"},
      {typed(f4), runtime(i8), typed(f4), "f4 * k is f4"},
      {typed(f4), runtime(f8), typed(f4), "f4 * ((i + 0.5) * dx) is f4"},
      {typed(u1), runtime(i8), typed(i8), "u1 * x.shape[1] is i8"},
      {typed(i4), runtime(i8), typed(i8), "a narrow int does not wrap behind a loop variable"},
      {typed(i4), runtime(f8), typed(f8), "a weak float meets an int in f8"},
      {typed(b1), constant(b1), typed(b1), "b1 with True is b1"},
      {constant(i8), constant(f8), constant(f8), "1 + 2.0 is a weak float constant"},
      {constant(i8), runtime(i8), runtime(i8), "known only at run time when one side is"},
      {runtime(i8), runtime(f8), runtime(f8), "weak with weak stays weak"},
  };
  for (const Row& row : rows) {
    INFO(row.why);
    CHECK(types::join(row.a, row.b) == row.result);
    CHECK(types::join(row.b, row.a) == row.result);
  }
}

TEST_CASE("b1 counts as an int that is known at run time in arithmetic") {
  CHECK(types::as_arithmetic_operand(typed(b1)) == runtime(i8));
  CHECK(types::as_arithmetic_operand(constant(b1)) == constant(i8));
  CHECK(types::as_arithmetic_operand(typed(u1)) == typed(u1));
}

TEST_CASE("widening to f8 is noticed only where no operand was f8") {
  CHECK(types::widens_to_f64(typed(i4), typed(f4), typed(f8)));
  CHECK(types::widens_to_f64(typed(i8), typed(u8), typed(f8)));
  CHECK(types::widens_to_f64(typed(i4), constant(f8), typed(f8)));
  CHECK_FALSE(types::widens_to_f64(typed(f8), typed(f4), typed(f8)));
  CHECK_FALSE(types::widens_to_f64(typed(f4), runtime(i8), typed(f4)));
}
