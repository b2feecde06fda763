// Bit operations against loops over the bits.
#include <catch2/catch.hpp>

#include "tests/unit/emulator/alu_text.hpp"

namespace jitc::emulator_test {
namespace {

bool bit(Bits bits, int at) { return (bits >> at & 1) != 0; }

template <class Expected>
void check_words(const std::string& op, Expected expected) {
  for (int width : {32, 64}) {
    const std::string spelling = op + std::to_string(width);
    const Computation computation(spelling);
    for (Bits a : integer_samples(200)) {
      CAPTURE(spelling, a);
      CHECK(computation({a}) == expected(low_bits(a, static_cast<uint32_t>(width)), width));
    }
  }
}

Bits count_ones(Bits a, int width) {
  Bits count = 0;
  for (int i = 0; i < width; ++i) count += bit(a, i);
  return count;
}

Bits highest(Bits a, int width) {
  for (int i = width - 1; i >= 0; --i) {
    if (bit(a, i)) return static_cast<Bits>(i);
  }
  return 0xffffffff;
}

TEST_CASE("popc counts ones, clz zeros from the top, brev turns the word round") {
  check_words("popc.b", count_ones);
  check_words("clz.b", [](Bits a, int width) {
    return a == 0 ? static_cast<Bits>(width) : static_cast<Bits>(width) - 1 - highest(a, width);
  });
  check_words("brev.b", [](Bits a, int width) {
    Bits reversed = 0;
    for (int i = 0; i < width; ++i) reversed |= Bits{bit(a, i)} << (width - 1 - i);
    return reversed;
  });
}

TEST_CASE("bfind finds the highest bit that is no sign") {
  check_words("bfind.u", highest);
  check_words("bfind.s",
              [](Bits a, int width) { return highest(bit(a, width - 1) ? low_bits(~a, uint32_t(width)) : a, width); });
  check_words("bfind.shiftamt.u", [](Bits a, int width) {
    return a == 0 ? Bits{0xffffffff} : static_cast<Bits>(width) - 1 - highest(a, width);
  });
}

TEST_CASE("fns finds the n-th set bit from a base") {
  CHECK(compute("fns.b32", {0b10110, 0, 1}) == 1);
  CHECK(compute("fns.b32", {0b10110, 0, 3}) == 4);
  CHECK(compute("fns.b32", {0b10110, 4, Bits(-2)}) == 2);
  CHECK(compute("fns.b32", {0b10110, 2, 0}) == 2);
  CHECK(compute("fns.b32", {0b10110, 3, 0}) == 0xffffffff);
  CHECK(compute("fns.b32", {0b10110, 0, 4}) == 0xffffffff);
  CHECK(compute("fns.b32", {~Bits{0}, 99, 1}) == 0xffffffff);
  CHECK(compute("fns.b32", {~Bits{0}, 31, 0x80000000}) == 0xffffffff);
}

/// PTX's own words: bit i of the result is bit pos + i where there is one, else the sign or zero.
Bits extract(Bits a, Bits b, Bits c, int width, bool is_signed) {
  const int pos = static_cast<int>(b & 255), len = static_cast<int>(c & 255), msb = width - 1;
  const bool sign = is_signed && len > 0 && bit(a, std::min(pos + len - 1, msb));
  Bits result = 0;
  for (int i = 0; i <= msb; ++i) result |= Bits{i < len && pos + i <= msb ? bit(a, pos + i) : sign} << i;
  return result;
}

TEST_CASE("bfe extracts a field and extends it") {
  for (const char* spelling : {"bfe.u32", "bfe.s32", "bfe.u64", "bfe.s64"}) {
    const Computation computation(spelling);
    const int width = std::string_view(spelling).ends_with("64") ? 64 : 32;
    for (Bits a : {Bits{0x0123456789abcdef}, Bits{0xfedcba9876543210}, ~Bits{0}, Bits{0x80000000}}) {
      for (Bits pos : {0, 1, 7, 16, 31, 32, 33, 63, 64, 200, 255, 256 + 4}) {
        for (Bits len : {0, 1, 5, 8, 31, 32, 33, 63, 64, 255}) {
          CAPTURE(spelling, a, pos, len);
          CHECK(computation({a, pos, len}) == extract(a, pos, len, width, spelling[4] == 's'));
        }
      }
    }
  }
}

TEST_CASE("bfi inserts a field") {
  for (int width : {32, 64}) {
    const std::string spelling = "bfi.b" + std::to_string(width);
    const Computation computation(spelling);
    for (Bits pos : {0, 1, 7, 31, 32, 40, 63, 64, 255}) {
      for (Bits len : {0, 1, 8, 31, 32, 33, 64, 255}) {
        const Bits a = 0xa5a5a5a5deadbeef, b = 0x0123456789abcdef;
        Bits expected = low_bits(b, static_cast<uint32_t>(width));
        for (int i = 0; i < static_cast<int>(len) && static_cast<int>(pos) + i < width; ++i) {
          const int at = static_cast<int>(pos) + i;
          expected = (expected & ~(Bits{1} << at)) | Bits{bit(i < 64 ? a : 0, i & 63)} << at;
        }
        CAPTURE(width, pos, len);
        CHECK(computation({a, b, pos, len}) == expected);
      }
    }
  }
}

TEST_CASE("szext extends from any width, bmsk makes a mask") {
  CHECK(compute("szext.clamp.s32", {0x80, 8}) == 0xffffff80);
  CHECK(compute("szext.clamp.u32", {0xfff, 8}) == 0xff);
  CHECK(compute("szext.wrap.s32", {0x80, 40}) == 0xffffff80);
  CHECK(compute("szext.clamp.u32", {0x12345678, 99}) == 0x12345678);
  CHECK(compute("szext.clamp.s32", {0x12345678, 0}) == 0);
  CHECK(compute("bmsk.clamp.b32", {4, 8}) == 0xff0);
  CHECK(compute("bmsk.clamp.b32", {40, 8}) == 0);
  CHECK(compute("bmsk.wrap.b32", {36, 8}) == 0xff0);
}

TEST_CASE("Logic works bit by bit, on predicates on their one bit") {
  CHECK(compute("and.b32", {0xff00ff00, 0x0ff00ff0}) == 0x0f000f00);
  CHECK(compute("or.b64", {Bits{1} << 63, 1}) == ((Bits{1} << 63) | 1));
  CHECK(compute("xor.b16", {0xffff, 0x0ff0}) == 0xf00f);
  CHECK(compute("not.b16", {0x00ff}) == 0xff00);
  CHECK(compute("not.pred", {1}) == 0);
  CHECK(compute("not.pred", {0}) == 1);
  CHECK(compute("cnot.b32", {0}) == 1);
  CHECK(compute("cnot.b32", {5}) == 0);
}

TEST_CASE("lop3 looks each bit up in its table") {
  const Bits a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
  for (Bits table = 0; table < 256; ++table) CHECK(compute("lop3.b32", {a, b, c, table}) == table * 0x01010101);
}

TEST_CASE("Shifts beyond the width give zero or the sign") {
  for (int width : {16, 32, 64}) {
    const std::string suffix = std::to_string(width);
    const Computation shl("shl.b" + suffix), shr("shr.u" + suffix), sar("shr.s" + suffix);
    for (Bits a : integer_samples(30)) {
      for (Bits amount :
           {Bits{0}, Bits{1}, Bits{15}, Bits{16}, Bits{31}, Bits{32}, Bits{63}, Bits{64}, Bits{0xffffffff}}) {
        const auto uwidth = static_cast<uint32_t>(width);
        const bool fits = amount < uwidth;
        const Bits word = low_bits(a, uwidth);
        CAPTURE(width, a, amount);
        CHECK(shl({a, amount}) == (fits ? low_bits(word << amount, uwidth) : 0));
        CHECK(shr({a, amount}) == (fits ? word >> amount : 0));
        CHECK(sar({a, amount}) == low_bits(Bits(as_signed(word, uwidth) >> (fits ? amount : 63)), uwidth));
      }
    }
  }
}

TEST_CASE("Funnel shifts take a word out of two") {
  CHECK(compute("shf.l.wrap.b32", {0x80000000, 1, 1}) == 3);
  CHECK(compute("shf.l.clamp.b32", {0x12345678, 1, 40}) == 0x12345678);
  CHECK(compute("shf.l.wrap.b32", {0x12345678, 1, 32}) == 1);
  CHECK(compute("shf.r.wrap.b32", {1, 3, 1}) == 0x80000000);
  CHECK(compute("shf.r.clamp.b32", {1, 3, 33}) == 3);
  CHECK(compute("shf.r.wrap.b32", {1, 3, 32}) == 1);
}

TEST_CASE("prmt picks bytes by nibble, or by mode") {
  const Bits a = 0x33221100, b = 0x77665544;
  CHECK(compute("prmt.b32", {a, b, 0x7531}) == 0x77553311);
  CHECK(compute("prmt.b32", {0x000080, 0, 0x0098}) == 0x808000ff);
  CHECK(compute("prmt.b32.f4e", {a, b, 1}) == 0x44332211);
  CHECK(compute("prmt.b32.b4e", {a, b, 1}) == 0x66770011);
  CHECK(compute("prmt.b32.rc8", {a, b, 2}) == 0x22222222);
  CHECK(compute("prmt.b32.ecl", {a, b, 2}) == 0x33222222);
  CHECK(compute("prmt.b32.ecr", {a, b, 2}) == 0x22221100);
  CHECK(compute("prmt.b32.rc16", {a, b, 1}) == 0x33223322);
}

}  // namespace
}  // namespace jitc::emulator_test
