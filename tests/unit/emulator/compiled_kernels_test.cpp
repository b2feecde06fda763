// Kernels as compilers print them, on one block.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/emulator/one_block.hpp"
#include "tests/unit/emulator/samples.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

const std::string& sample_text(const std::string& name) {
  const auto found = std::find_if(samples().begin(), samples().end(), [&](const Sample& s) { return s.name == name; });
  return found->text;
}

TEST_CASE("nvcc's tiled product multiplies matrices") {
  constexpr size_t kSide = 16, kElems = kSide * kSide;
  OneBlock block(sample_text("nvcc_tiled_matmul"), {kSide, kSide});
  for (size_t i = 0; i < kElems; ++i) {
    block.set_global(i, static_cast<float>(i % 7) - 3);
    block.set_global(kElems + i, static_cast<float>(i % 5) - 2);
  }
  for (size_t i = 0; i < 3; ++i) block.set_param(8 * i, block.address_of_global(i * kElems * sizeof(float)));
  for (size_t i = 0; i < 3; ++i) block.set_param(24 + 4 * i, uint32_t{kSide});
  REQUIRE(block.run() == BlockState::ended);
  for (size_t row = 0; row < kSide; ++row) {
    for (size_t column = 0; column < kSide; ++column) {
      float total = 0;
      for (size_t i = 0; i < kSide; ++i) {
        total = std::fma(block.global<float>(row * kSide + i), block.global<float>(kElems + i * kSide + column), total);
      }
      CAPTURE(row, column);
      CHECK(block.global<float>(2 * kElems + row * kSide + column) == total);
    }
  }
}

TEST_CASE("LLVM's warp reduction sums rows by shuffles") {
  constexpr uint64_t kRows = 4, kColumns = 50, kElemBytes = sizeof(float);
  OneBlock block(sample_text("warp_reduction"), {kRows * 32});
  for (size_t i = 0; i < kRows * kColumns; ++i) block.set_global(i, static_cast<float>(i));
  // the matrix: address, extents, strides; the sums: address, stride
  const uint64_t params[] = {block.address_of_global(0),    kRows,     kColumns, kColumns * kElemBytes, kElemBytes,
                             block.address_of_global(2048), kElemBytes};
  for (size_t i = 0; i < std::size(params); ++i) block.set_param(8 * i, params[i]);
  REQUIRE(block.run() == BlockState::ended);
  for (size_t row = 0; row < kRows; ++row) {
    const auto first = static_cast<float>(row * kColumns);
    CHECK(block.global<float>(512 + row) == kColumns * first + kColumns * (kColumns - 1) / 2);
  }
}

}  // namespace
}  // namespace jitc::emulator_test
