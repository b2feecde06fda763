// Sizes around the edges of tiles, vectors and blocks of the sum.
#include <catch2/catch.hpp>

#include "tests/unit/contract/contraction.hpp"

using namespace jitc;
using namespace jitc::contract;

namespace {

std::string difference_of(const Sizes& sizes, const kernel::ContractTile& device = {32, 32, 8, 2, 2}) {
  Contraction c = product_of(f4, f4, f4, f4, sizes);
  c.device = device;
  return plain_difference<float, float, float>(Trial(c), sizes.k);
}

}  // namespace

TEST_CASE("any number of rows and columns") {
  for (const int64_t m : {1, 5, 6, 7, 12, 13, 31}) {
    for (const int64_t n : {1, 15, 16, 17, 32, 33, 67}) {
      INFO(m << " rows, " << n << " columns");
      CHECK(difference_of({1, m, n, 3}) == "");
    }
  }
}

TEST_CASE("slivers are packed several at a time, and those left over one by one") {
  Contraction c = product_of(f4, f4, f4, f4, {1, 61, 155, 5});
  c.host = {36, 160, 256, 6, 16};
  for (const Lie lie : {Lie::c, Lie::fortran}) {
    c.a = {lie};
    c.b = {lie};
    CHECK(plain_difference<float, float, float>(Trial(c), 5) == "");
  }
}

TEST_CASE("any number of products in a sum, and none") {
  for (const int64_t k : {0, 1, 7, 8, 9, 255, 256, 257, 511, 512, 515, 769}) {
    INFO(k << " products");
    CHECK(difference_of({1, 3, 17, k}) == "");
  }
}

TEST_CASE("no rows, no columns, no batches: nothing to do") {
  CHECK(difference_of({1, 0, 5, 3}) == "");
  CHECK(difference_of({1, 5, 0, 3}) == "");
  CHECK(difference_of({0, 5, 5, 3}) == "");
}

TEST_CASE("batches have their own tiles") { CHECK(difference_of({5, 14, 33, 9}) == ""); }

TEST_CASE("device tiles of all shapes") {
  const kernel::ContractTile tiles[] = {{128, 128, 8, 8, 8}, {64, 64, 16, 4, 4},  {128, 64, 8, 8, 4},
                                        {16, 128, 16, 2, 4}, {128, 16, 16, 4, 2}, {16, 16, 16, 1, 1},
                                        {32, 32, 64, 4, 4}};
  for (const kernel::ContractTile& tile : tiles) {
    INFO("a tile of " << tile.block_m << " x " << tile.block_n << " x " << tile.block_k);
    CHECK(difference_of({1, 131, 133, 19}, tile) == "");
  }
}
