// Integer arithmetic against numbers of 128 bits.
#include <algorithm>
#include <catch2/catch.hpp>

#include "runtime/emulator/alu/int128.hpp"
#include "tests/unit/emulator/alu_text.hpp"

namespace jitc::emulator_test {
namespace {

using emulator::Signed128;

struct IntegerType {
  const char* name;
  uint32_t width;
  bool is_signed;
};

constexpr IntegerType kTypes[] = {{"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                                  {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};

Signed128 value(Bits bits, const IntegerType& type) {
  return type.is_signed ? Signed128{as_signed(bits, type.width)} : Signed128{low_bits(bits, type.width)};
}

Bits wrapped(Signed128 number, const IntegerType& type) { return low_bits(static_cast<Bits>(number), type.width); }

/// Compares op.type with `expected` on all pairs of samples, for each type of `types`.
template <class Types, class Expected>
void check_pairs(const std::string& op, const Types& types, Expected expected) {
  const std::vector<Bits> samples = integer_samples(40);
  for (const IntegerType& type : types) {
    const std::string spelling = op + "." + type.name;
    const Computation computation(spelling);
    for (Bits a : samples) {
      for (Bits b : samples) {
        if (computation({a, b}) == expected(a, b, type)) continue;
        CAPTURE(spelling, a, b);
        REQUIRE(computation({a, b}) == expected(a, b, type));
      }
    }
  }
}

template <class Types, class Expected>
void check_triples(const std::string& op, const Types& types, Expected expected) {
  const std::vector<Bits> samples = integer_samples(3);
  for (const IntegerType& type : types) {
    const std::string spelling = op + "." + type.name;
    const Computation computation(spelling);
    for (Bits a : samples) {
      for (Bits b : samples) {
        for (Bits c : samples) {
          if (computation({a, b, c}) == expected(a, b, c, type)) continue;
          CAPTURE(spelling, a, b, c);
          REQUIRE(computation({a, b, c}) == expected(a, b, c, type));
        }
      }
    }
  }
}

constexpr IntegerType kNarrow[] = {{"u16", 16, false}, {"u32", 32, false}, {"s16", 16, true}, {"s32", 32, true}};
constexpr IntegerType kSigned[] = {{"s16", 16, true}, {"s32", 32, true}, {"s64", 64, true}};
constexpr IntegerType kWords[] = {{"u32", 32, false}, {"s32", 32, true}};
constexpr IntegerType kS32[] = {{"s32", 32, true}};

Signed128 clamp_s32(Signed128 number) { return std::clamp<Signed128>(number, INT32_MIN, INT32_MAX); }

TEST_CASE("Sums and differences wrap") {
  check_pairs("add", kTypes, [](Bits a, Bits b, auto& t) { return wrapped(value(a, t) + value(b, t), t); });
  check_pairs("sub", kTypes, [](Bits a, Bits b, auto& t) { return wrapped(value(a, t) - value(b, t), t); });
}

TEST_CASE("Saturating sums and differences stay in the range of s32") {
  check_pairs("add.sat", kS32,
              [](Bits a, Bits b, auto& t) { return wrapped(clamp_s32(value(a, t) + value(b, t)), t); });
  check_pairs("sub.sat", kS32,
              [](Bits a, Bits b, auto& t) { return wrapped(clamp_s32(value(a, t) - value(b, t)), t); });
}

/// Of two 64-bit values of the same signedness; the unsigned one fits no Signed128.
Bits high_half(Bits a, Bits b, const IntegerType& t) {
  if (t.width < 64 || t.is_signed) return wrapped((value(a, t) * value(b, t)) >> t.width, t);
  return static_cast<Bits>((emulator::Unsigned128{a} * b) >> 64);
}

TEST_CASE("A product's low half, high half and whole are its bits") {
  check_pairs("mul.lo", kTypes, [](Bits a, Bits b, auto& t) { return low_bits(a * b, t.width); });
  check_pairs("mul.hi", kTypes, high_half);
  check_pairs("mul.wide", kNarrow, [](Bits a, Bits b, auto& t) {
    return low_bits(static_cast<Bits>(value(a, t) * value(b, t)), 2 * t.width);
  });
}

TEST_CASE("Multiply-add adds to the chosen half or to the whole") {
  check_triples("mad.lo", kTypes, [](Bits a, Bits b, Bits c, auto& t) { return low_bits(a * b + c, t.width); });
  check_triples("mad.hi", kTypes,
                [](Bits a, Bits b, Bits c, auto& t) { return low_bits(high_half(a, b, t) + c, t.width); });
  check_triples("mad.wide", kNarrow, [](Bits a, Bits b, Bits c, auto& t) {
    return low_bits(static_cast<Bits>(value(a, t) * value(b, t)) + c, 2 * t.width);
  });
}

TEST_CASE("mad.hi.sat clamps the sum") {
  check_triples("mad.hi.sat", kS32, [](Bits a, Bits b, Bits c, auto& t) {
    return wrapped(clamp_s32(((value(a, t) * value(b, t)) >> 32) + value(c, t)), t);
  });
}

TEST_CASE("24-bit products take bits 31 to 0 or 47 to 16") {
  const auto low24 = [](Bits a, const IntegerType& t) {
    return t.is_signed ? Signed128{as_signed(a, 24)} : Signed128{low_bits(a, 24)};
  };
  check_pairs("mul24.lo", kWords, [&](Bits a, Bits b, auto& t) { return wrapped(low24(a, t) * low24(b, t), t); });
  check_pairs("mul24.hi", kWords,
              [&](Bits a, Bits b, auto& t) { return wrapped((low24(a, t) * low24(b, t)) >> 16, t); });
  check_triples("mad24.lo", kWords,
                [&](Bits a, Bits b, Bits c, auto& t) { return wrapped(low24(a, t) * low24(b, t) + value(c, t), t); });
  check_triples("mad24.hi.sat", kS32, [&](Bits a, Bits b, Bits c, auto& t) {
    return wrapped(clamp_s32(Signed128{as_signed(Bits((low24(a, t) * low24(b, t)) >> 16), 32)} + value(c, t)), t);
  });
}

TEST_CASE("sad adds the distance") {
  check_triples("sad", kTypes, [](Bits a, Bits b, Bits c, auto& t) {
    const Signed128 distance = value(a, t) < value(b, t) ? value(b, t) - value(a, t) : value(a, t) - value(b, t);
    return wrapped(value(c, t) + distance, t);
  });
}

TEST_CASE("Quotients and remainders truncate; a zero divisor gives all ones and the dividend") {
  check_pairs("div", kTypes, [](Bits a, Bits b, auto& t) {
    return value(b, t) == 0 ? low_bits(~Bits{0}, t.width) : wrapped(value(a, t) / value(b, t), t);
  });
  check_pairs("rem", kTypes, [](Bits a, Bits b, auto& t) {
    return value(b, t) == 0 ? wrapped(value(a, t), t) : wrapped(value(a, t) % value(b, t), t);
  });
}

TEST_CASE("min and max follow the type's order") {
  check_pairs("min", kTypes, [](Bits a, Bits b, auto& t) { return wrapped(std::min(value(a, t), value(b, t)), t); });
  check_pairs("max", kTypes, [](Bits a, Bits b, auto& t) { return wrapped(std::max(value(a, t), value(b, t)), t); });
  check_pairs("max.relu", kS32, [](Bits a, Bits b, auto& t) {
    return wrapped(std::max(Signed128{0}, std::max(value(a, t), value(b, t))), t);
  });
}

TEST_CASE("abs and neg of the least value are itself") {
  check_pairs("abs", kSigned,
              [](Bits a, Bits, auto& t) { return wrapped(value(a, t) < 0 ? -value(a, t) : value(a, t), t); });
  check_pairs("neg", kSigned, [](Bits a, Bits, auto& t) { return wrapped(-value(a, t), t); });
  CHECK(compute("abs.s32", {0x80000000}) == 0x80000000);
}

TEST_CASE("A chain of additions with carry is a wide addition") {
  for (Bits a : integer_samples(20)) {
    for (Bits b : integer_samples(20)) {
      const auto low = Computation("add.cc.u32").evaluate({a, b});
      const auto high = Computation("addc.cc.u32").evaluate({a >> 32, b >> 32}, low.carry);
      CHECK((low.value | high.value << 32) == a + b);
      CHECK(high.carry == (a + b < a ? 1u : 0u));
    }
  }
}

TEST_CASE("A chain of subtractions with borrow is a wide subtraction") {
  for (Bits a : integer_samples(20)) {
    for (Bits b : integer_samples(20)) {
      const auto low = Computation("sub.cc.s32").evaluate({a, b});
      const auto high = Computation("subc.cc.s32").evaluate({a >> 32, b >> 32}, low.carry);
      CHECK((low.value | high.value << 32) == a - b);
      CHECK(high.carry == (a < b ? 1u : 0u));
    }
  }
}

TEST_CASE("An instruction without .cc leaves the carry alone") {
  CHECK(Computation("addc.u64").evaluate({~Bits{0}, 1}, 1).value == 1);
  CHECK(Computation("addc.u64").evaluate({~Bits{0}, 1}, 0).carry == 0);
  CHECK(Computation("madc.lo.u32").evaluate({3, 5, 2}, 1).value == 18);
}

TEST_CASE("A multiply-add chain is a wide multiply-add") {
  for (Bits a : integer_samples(9)) {
    for (Bits b : {Bits{0}, Bits{1}, Bits{0xffffffff}, Bits{0x80000000}, Bits{0x12345678}}) {
      const Bits c = 0xfedcba9876543210;
      const auto low = Computation("mad.lo.cc.u32").evaluate({a, b, c});
      const auto high = Computation("madc.hi.u32").evaluate({a, b, c >> 32}, low.carry);
      CHECK((low.value | high.value << 32) == low_bits(a, 32) * b + c);
    }
  }
}

TEST_CASE("dp4a sums four products of bytes of either sign") {
  CHECK(compute("dp4a.u32.u32", {0x01020304, 0x05060708, 100}) == 100 + 5 + 12 + 21 + 32);
  CHECK(compute("dp4a.s32.u32", {0xff000000, 0x02000000, 0}) == 0xfffffffe);
  CHECK(compute("dp4a.u32.s32", {0xff000000, 0xff000000, 0}) == static_cast<uint32_t>(-255));
  CHECK(compute("dp4a.s32.s32", {0xffffffff, 0xffffffff, 0xfffffffc}) == 0);
}

TEST_CASE("dp2a sums two products of a half and a byte of the low or high half") {
  CHECK(compute("dp2a.lo.u32.u32", {0x00020003, 0x09090507, 1}) == 1 + 21 + 10);
  CHECK(compute("dp2a.hi.u32.u32", {0x00020003, 0x05070909, 1}) == 1 + 21 + 10);
  CHECK(compute("dp2a.lo.s32.s32", {0xffffffff, 0x000001ff, 0}) == 0);
}

TEST_CASE("Packed sums and extremes treat halves apart") {
  CHECK(compute("add.u16x2", {0xffff0001, 0x00010002}) == 0x00000003);
  CHECK(compute("min.s16x2", {0xffff0005, 0x00010003}) == 0xffff0003);
  CHECK(compute("max.u16x2", {0xffff0005, 0x00010003}) == 0xffff0005);
  CHECK(compute("max.relu.s16x2", {0xffff0005, 0xfff00003}) == 0x00000005);
}

}  // namespace
}  // namespace jitc::emulator_test
