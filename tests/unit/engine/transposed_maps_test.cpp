// Maps of arrays whose neighbours lie along different axes, which are copied in tiles: on the CPU a tile for each
// thread, on a GPU one for each block.
#include <catch2/catch.hpp>
#include <complex>
#include <vector>

#include "src/engine/engine.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

template <class T>
std::vector<T> numbers(int64_t count) {
  std::vector<T> out(static_cast<size_t>(count));
  for (size_t k = 0; k < out.size(); ++k) out[k] = static_cast<T>(static_cast<int>(k % 251) - 100);
  return out;
}

}  // namespace

TEST_CASE("a transpose, of tiles that are whole and of cut ones") {
  const Program p = compile_text("@jit('f4[:,:](f4[:,:])')\ndef k(x):\n    return x.T.copy()\n");
  for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{
           {128, 128}, {128, 160}, {257, 95}, {17, 1000}, {1000, 33}, {16, 1024}, {15, 2000}, {129, 127}}) {
    CAPTURE(rows, columns);
    const std::vector<float> x = numbers<float>(rows * columns);
    std::vector<float> wanted(x.size());
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        wanted[static_cast<size_t>(c * rows + r)] = x[static_cast<size_t>(r * columns + c)];
      }
    }
    CHECK(p["k"](array_of(x, {rows, columns})).to_vector<float>() == wanted);
  }
}

TEST_CASE("elements of every size are read across, alone and together, beside those that lie along") {
  const Program p = compile_text(
      "@jit('(c16[:,:], f8[:,:])(u1[:,:], i2[:,:], c16[:,:], f8[:,:], c16[:,:], i8)')\n"
      "def k(a, b, c, along, d, s):\n"
      "    return c.T + along + d.T * s + np.arange(90), a.T * along + b.T\n");
  constexpr int64_t kRows = 200, kColumns = 90;
  const auto u = numbers<uint8_t>(kRows * kColumns);
  const auto i = numbers<int16_t>(kRows * kColumns);
  const auto f = numbers<double>(kRows * kColumns);
  std::vector<std::complex<double>> c;
  for (const double value : f) c.emplace_back(value, 3 - value);
  const std::vector<int64_t> shape = {kColumns, kRows};
  const auto [x, y] = p["k"].call<2>(array_of(u, shape), array_of(i, shape), array_of(c, shape),
                                     array_of(f, {kRows, kColumns}), array_of(c, shape), int64_t{3});
  const auto xs = x.to_vector<std::complex<double>>();
  const auto ys = y.to_vector<double>();
  size_t wrong = 0;
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < kColumns; ++column) {
      const auto at = static_cast<size_t>(row * kColumns + column), from = static_cast<size_t>(column * kRows + row);
      wrong += xs[at] != c[from] + f[at] + c[from] * 3.0 + static_cast<double>(column);
      wrong += ys[at] != u[from] * f[at] + i[from];
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("axes of every order, beside one that stays") {
  const Program p = compile_text(
      "@jit('(i4[:,:,:], i4[:,:,:], i4[:,:,:])(i4[:,:,:])')\ndef k(x):\n"
      "    return np.transpose(x, (2, 1, 0)) + 1, np.transpose(x, (0, 2, 1)) * 2, np.transpose(x, (2, 0, 1)) - 3\n");
  constexpr int64_t kI = 21, kJ = 34, kK = 45;
  const auto x = numbers<int32_t>(kI * kJ * kK);
  const auto [a, b, c] = p["k"].call<3>(array_of(x, {kI, kJ, kK}));
  const auto as = a.to_vector<int32_t>(), bs = b.to_vector<int32_t>(), cs = c.to_vector<int32_t>();
  size_t wrong = 0;
  for (int64_t i = 0; i < kI; ++i) {
    for (int64_t j = 0; j < kJ; ++j) {
      for (int64_t k = 0; k < kK; ++k) {
        const int32_t from = x[static_cast<size_t>((i * kJ + j) * kK + k)];
        wrong += as[static_cast<size_t>((k * kJ + j) * kI + i)] != from + 1;
        wrong += bs[static_cast<size_t>((i * kK + k) * kJ + j)] != from * 2;
        wrong += cs[static_cast<size_t>((k * kI + i) * kJ + j)] != from - 3;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("an array becomes its own transpose") {
  const Program p = compile_text("@jit('void(f8[:,:])')\ndef k(x):\n    x[:] = x.T\n");
  constexpr int64_t kSide = 150;
  const auto x = numbers<double>(kSide * kSide);
  const Array array = array_of(x, {kSide, kSide});
  p["k"].call<0>(array);
  const auto out = array.to_vector<double>();
  size_t wrong = 0;
  for (int64_t r = 0; r < kSide; ++r) {
    for (int64_t c = 0; c < kSide; ++c) {
      wrong += out[static_cast<size_t>(r * kSide + c)] != x[static_cast<size_t>(c * kSide + r)];
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("ascontiguousarray copies what may have gaps, and leaves what the signature says has none") {
  const Program p = compile_text(
      "@jit('(f4[:,:], f4[:,:], f4[:])(f4[:,:], f4[:,::1])')\ndef k(x, y):\n"
      "    return np.ascontiguousarray(x.T), np.ascontiguousarray(y), np.ascontiguousarray(2.5)\n");
  const Array x = array_of(numbers<float>(6), {2, 3});
  const auto [a, b, c] = p["k"].call<3>(x, x);
  CHECK(a.strides() == std::vector<int64_t>{8, 4});
  CHECK(a.to_vector<float>() == std::vector<float>{-100, -97, -99, -96, -98, -95});
  CHECK(b.buffer() == x.buffer());
  CHECK(c.shape() == std::vector<int64_t>{1});
}
