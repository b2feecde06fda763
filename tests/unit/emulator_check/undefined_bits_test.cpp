#include "runtime/emulator/memory/undefined_bits.hpp"

#include <catch2/catch.hpp>

using namespace jitc::emulator;

TEST_CASE("bytes are undefined until they are written") {
  UndefinedBits bits(8);
  bits.define(2, 3);
  for (uint64_t i = 0; i < 8; ++i) CHECK(bits.of_byte(i) == (i >= 2 && i < 5 ? 0 : 0xff));
}

TEST_CASE("a copy takes what is undefined with it, where both overlap too") {
  for (const uint64_t to : {0u, 4u}) {
    UndefinedBits bits(8);
    const uint64_t from = 2;
    for (uint64_t i = 0; i < 4; ++i) bits.set_byte(from + i, static_cast<uint8_t>(i + 1));
    bits.copy(to, bits, from, 4);
    for (uint64_t i = 0; i < 4; ++i) CHECK(bits.of_byte(to + i) == i + 1);
  }
}
