#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "tests/unit/math/native_math.hpp"

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

uint64_t power_by_multiplication(uint64_t base, int exponent) {
  uint64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

}  // namespace

TEST_CASE("integer powers wrap") {
  for (int64_t base = -300; base <= 300; ++base) {
    for (int exponent = 0; exponent <= 200; ++exponent) {
      const uint64_t expected = power_by_multiplication(static_cast<uint64_t>(base), exponent);
      if (static_cast<uint64_t>(jitc_ipow(base, exponent)) != expected ||
          jitc_upow(static_cast<uint64_t>(base), static_cast<uint64_t>(exponent)) != expected) {
        FAIL(base << " ** " << exponent);
      }
    }
  }
}

TEST_CASE("a negative integer exponent leaves only the inverses of 1 and -1") {
  for (const int64_t exponent : {int64_t{-1}, int64_t{-2}, int64_t{-63}, kMin}) {
    CHECK(jitc_ipow(1, exponent) == 1);
    CHECK(jitc_ipow(-1, exponent) == (exponent % 2 == 0 ? 1 : -1));
    for (const int64_t base : {int64_t{0}, int64_t{2}, int64_t{-2}, int64_t{7}, kMin})
      CHECK(jitc_ipow(base, exponent) == 0);
  }
}

TEST_CASE("zero to the power of zero is one") {
  CHECK(jitc_ipow(0, 0) == 1);
  CHECK(jitc_upow(0, 0) == 1);
}
