// However the arrays lie in memory, the bits are the same.
#include <catch2/catch.hpp>

#include "tests/unit/contract/contraction.hpp"

using namespace jitc;
using namespace jitc::contract;

namespace {

constexpr Lie kLies[] = {Lie::c, Lie::fortran, Lie::gaps, Lie::backwards, Lie::row, Lie::column, Lie::shared};

}  // namespace

TEST_CASE("factors lie anyhow") {
  const Sizes sizes{2, 7, 18, 10};
  for (const Lie a : kLies) {
    for (const Lie b : kLies) {
      Contraction c = product_of(f4, f4, f4, f4, sizes);
      c.device = {16, 16, 8, 1, 1};
      c.a = {a};
      c.b = {b};
      INFO("a lies as " << int(a) << ", b as " << int(b));
      CHECK(plain_difference<float, float, float>(Trial(c), sizes.k) == "");
    }
  }
}

TEST_CASE("outputs lie anyhow") {
  const Sizes sizes{2, 7, 37, 10};
  for (const Lie out : {Lie::c, Lie::fortran, Lie::gaps, Lie::backwards}) {
    Contraction c = product_of(f8, f8, f8, f8, sizes);
    c.host = {12, 32, 256, 6, 8};
    c.outputs = {out};
    INFO("the output lies as " << int(out));
    CHECK(plain_difference<double, double, double>(Trial(c), sizes.k) == "");
  }
}

TEST_CASE("complex factors lie anyhow") {
  using C8 = std::complex<float>;
  const Sizes sizes{1, 7, 18, 10};
  for (size_t i = 0; i < std::size(kLies); ++i) {
    Contraction c = product_of(c8, c8, c8, c8, sizes);
    c.host = {12, 32, 256, 6, 8};
    c.device = {16, 16, 8, 1, 1};
    c.a = {kLies[i]};
    c.b = {kLies[(i + 3) % std::size(kLies)]};
    INFO("a lies as " << int(c.a[0]) << ", b as " << int(c.b[0]));
    CHECK(plain_difference<C8, C8, C8>(Trial(c), sizes.k) == "");
  }
}
