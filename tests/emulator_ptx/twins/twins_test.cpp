// The CUDA twins of bench/kernels and constructs.cu, as nvcc prints them, against the same in C++.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>

#include "tests/unit/emulator_driver/emulator_scene.hpp"

namespace jitc::emulator_ptx {
namespace {

namespace cuda = runtime::cuda;
using tests::EmulatorScene;

/// Where compile.sh has put the texts.
std::string text_of(const std::string& name) {
  const char* folder = std::getenv("JITC_TWINS");
  std::ostringstream text;
  text << std::ifstream((folder != nullptr ? folder : JITC_TWINS) + ("/" + name + ".ptx")).rdbuf();
  REQUIRE(!text.str().empty());
  return text.str();
}

struct Grid {
  unsigned x = 1, y = 1, z = 1;
};

template <class... Params>
void launch(const EmulatorScene& scene, cuda::CUfunction kernel, Grid grid, Grid block, unsigned shared_bytes,
            Params... params) {
  void* addresses[] = {&params..., nullptr};
  REQUIRE(scene->cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, nullptr,
                                addresses, nullptr) == cuda::CUDA_SUCCESS);
  REQUIRE(scene->cuCtxSynchronize() == cuda::CUDA_SUCCESS);
}

template <class T>
std::vector<T> numbers(size_t count, int modulus) {
  std::vector<T> made(count);
  for (size_t i = 0; i < count; ++i)
    made[i] = static_cast<T>(1 + static_cast<int>(i * 7919 % static_cast<size_t>(modulus)));
  return made;
}

TEST_CASE("The twin of axpy") {
  EmulatorScene scene;
  constexpr int kCount = 1000;
  const auto x = numbers<float>(kCount, 97), y = numbers<float>(kCount, 89);
  const auto on_x = scene.allocate(x), on_y = scene.allocate(y);
  launch(scene, scene.function(text_of("axpy"), "axpy"), {4}, {256}, 0, 2.5f, on_x, on_y, kCount);
  const auto result = scene.read<float>(on_y, kCount);
  for (size_t i = 0; i < kCount; ++i) CHECK(result[i] == 2.5f * x[i] + y[i]);
}

/// C = A * B for each of the layers, summed in the order of the kernels.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, size_t layers, size_t n, size_t k,
                           size_t m) {
  std::vector<float> c(layers * n * m);
  for (size_t layer = 0; layer < layers; ++layer) {
    for (size_t i = 0; i < n * m; ++i) {
      float total = 0;
      for (size_t inner = 0; inner < k; ++inner)
        total += a[(layer * n + i / m) * k + inner] * b[(layer * k + inner) * m + i % m];
      c[layer * n * m + i] = total;
    }
  }
  return c;
}

TEST_CASE("The twins of the products of matrices") {
  EmulatorScene scene;
  constexpr int kLayers = 3, kN = 37, kK = 29, kM = 18;
  const auto a = numbers<float>(kLayers * kN * kK, 13), b = numbers<float>(kLayers * kK * kM, 11);
  const auto on_a = scene.allocate(a), on_b = scene.allocate(b), on_c = scene.allocate(4 * kLayers * kN * kM);
  const auto expected = product(a, b, kLayers, kN, kK, kM);
  launch(scene, scene.function(text_of("batched_matmul"), "batched_matmul"), {2, 3, kLayers}, {16, 16}, 0, on_a, on_b,
         on_c, kN, kK, kM);
  CHECK(scene.read<float>(on_c, expected.size()) == expected);
  launch(scene, scene.function(text_of("tiled_matmul"), "tiled_matmul"), {2, 3}, {16, 16}, 0, on_a, on_b, on_c, kN, kK,
         kM);
  CHECK(scene.read<float>(on_c, kN * kM) == std::vector<float>(expected.begin(), expected.begin() + kN * kM));
}

TEST_CASE("The twin of the histogram") {
  EmulatorScene scene;
  const auto data = numbers<unsigned char>(5000, 251);
  const auto on_data = scene.allocate(data), on_counts = scene.allocate(std::vector<unsigned>(256));
  launch(scene, scene.function(text_of("histogram"), "histogram"), {5}, {128}, 0, on_data, on_counts, 5000);
  std::vector<unsigned> expected(256);
  for (unsigned char value : data) ++expected[value];
  CHECK(scene.read<unsigned>(on_counts, 256) == expected);
}

TEST_CASE("The twin of pairwise distances") {
  EmulatorScene scene;
  constexpr int kCount = 21, kDims = 3;
  const auto x = numbers<double>(kCount * kDims, 17);
  const auto on_x = scene.allocate(x), on_d = scene.allocate(8 * kCount * kCount);
  launch(scene, scene.function(text_of("pairwise"), "pairwise"), {2, 2}, {16, 16}, 0, on_x, on_d, kCount, kDims);
  const auto result = scene.read<double>(on_d, kCount * kCount);
  for (size_t i = 0; i < result.size(); ++i) {
    double total = 0;
    for (size_t k = 0; k < kDims; ++k) {
      const double t = x[i / kCount * kDims + k] - x[i % kCount * kDims + k];
      total += t * t;
    }
    CHECK(result[i] == std::sqrt(total));
  }
}

/// CUDA C++ Programming Guide, "Mathematical Functions": expf, logf, sinf are wrong by 2 units in the last place at
/// most.
constexpr double kSingleError = 4 * 0x1p-23;

TEST_CASE("The twin of fused arithmetic") {
  EmulatorScene scene;
  constexpr int kCount = 300;
  auto x = numbers<float>(kCount, 101), y = numbers<float>(kCount, 83);
  for (float& value : x) value /= 32;
  const auto on_x = scene.allocate(x), on_y = scene.allocate(y), on_out = scene.allocate(4 * kCount);
  launch(scene, scene.function(text_of("fused"), "fused"), {3}, {128}, 0, on_x, on_y, on_out, kCount);
  const auto result = scene.read<float>(on_out, kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const double decay = std::exp(-double{x[i]}) * std::sqrt(double{y[i]});
    const double wave = std::log(double{y[i]}) * std::sin(double{x[i]});
    CHECK(std::abs(result[i] - (decay + wave)) <= kSingleError * (std::abs(decay) + std::abs(wave)));
  }
}

TEST_CASE("The twin of softmax") {
  EmulatorScene scene;
  constexpr size_t kRows = 3, kColumns = 700;
  auto x = numbers<float>(kRows * kColumns, 103);
  for (float& value : x) value /= 16;
  const auto on_x = scene.allocate(x), on_out = scene.allocate(4 * x.size());
  launch(scene, scene.function(text_of("softmax"), "softmax"), {kRows}, {256}, 0, on_x, on_out,
         static_cast<int>(kColumns));
  const auto result = scene.read<float>(on_out, x.size());
  for (size_t row = 0; row < kRows; ++row) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row * kColumns);
    const float largest = *std::max_element(begin, begin + kColumns);
    const double total = std::accumulate(begin, begin + kColumns, 0.0, [&](double sum, float value) {
      return sum + std::exp(double{value} - double{largest});
    });
    for (size_t i = row * kColumns; i < (row + 1) * kColumns; ++i) {
      const double expected = std::exp(double{x[i]} - double{largest}) / total;
      // 700 summands in a tree of eleven levels
      CHECK(std::abs(result[i] - expected) <= 11 * kSingleError * expected);
    }
  }
}

/// Compiled with and without -G.
const std::string kConstructs[] = {"constructs", "constructs_debug"};

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

TEST_CASE("Recursion, functions by address and structures by value") {
  for (const std::string& name : kConstructs) {
    EmulatorScene scene;
    constexpr int kCount = 10;
    const auto on_out = scene.allocate(4 * 3 * kCount);
    REQUIRE(scene->cuCtxSetLimit(cuda::CU_LIMIT_STACK_SIZE, 8192) == cuda::CUDA_SUCCESS);
    launch(scene, scene.function(text_of(name), "functions"), {1}, {kCount}, 0, on_out);
    const auto result = scene.read<int>(on_out, 3 * kCount);
    for (int i = 0; i < kCount; ++i) {
      CAPTURE(name, i);
      const int weights[] = {i, 2, 3};
      const auto at = static_cast<size_t>(3 * i);
      CHECK(result[at] == fibonacci(i));
      CHECK(result[at + 1] == ((i & 1) != 0 ? i * i : i + 1));
      CHECK(result[at + 2] == static_cast<int>(1.5 * i * weights[i % 3] + (2.0 + weights[(i + 1) % 3])));
    }
  }
}

int total_of_local_array(int n, int thread) {
  uint32_t total = 0;
  for (int k = 0; k < n; ++k) total = total * 3 + static_cast<uint32_t>(((k * 7 + thread) & 31) * n);
  const auto u = static_cast<uint32_t>(n);
  switch (n & 7) {
    case 0: total += 1; break;
    case 1: total *= 5; break;
    case 2: total ^= 0x55; break;
    case 3: total -= u; break;
    case 5: total = 0 - total; break;
    default: break;
  }
  return static_cast<int>(total);
}

TEST_CASE("Local arrays and jumps by a table") {
  for (const std::string& name : kConstructs) {
    EmulatorScene scene;
    const auto kernel = scene.function(text_of(name), "local_array");
    const auto on_out = scene.allocate(4 * 40);
    for (int n = 0; n < 9; ++n) {
      launch(scene, kernel, {1}, {40}, 0, on_out, n);
      const auto result = scene.read<int>(on_out, 40);
      for (int i = 0; i < 40; ++i) CHECK(result[static_cast<size_t>(i)] == total_of_local_array(n, i));
    }
  }
}

TEST_CASE("Dynamic shared memory, constants and sums of warps") {
  for (const std::string& name : kConstructs) {
    EmulatorScene scene;
    const cuda::CUmodule module = scene.load(text_of(name));
    constexpr int kCount = 64, kBlocks = 2;
    const auto in = numbers<int>(kCount * kBlocks, 91);
    const auto on_in = scene.allocate(in), on_out = scene.allocate(4 * (kCount * kBlocks + 8));
    launch(scene, scene.function(module, "reverse_in_shared"), {kBlocks}, {kCount}, 4 * kCount, on_in, on_out, kCount);
    const auto reversed = scene.read<int>(on_out, in.size());
    const int coefficients[] = {1, -2, 0, 8};
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t block = i / kCount * kCount;
      CHECK(reversed[i] == in[block + kCount - 1 - i % kCount] + coefficients[i & 3]);
    }
    launch(scene, scene.function(module, "warp_sums"), {1}, {kCount}, 0, on_in, on_out);
    const auto sums = scene.read<int>(on_out, 2 + kCount);
    CHECK(sums[0] == std::accumulate(in.begin(), in.begin() + 32, 0));
    CHECK(sums[1] == std::accumulate(in.begin() + 32, in.begin() + 64, 0));
    for (size_t i = 0; i < kCount; ++i) {
      const auto warp = in.begin() + static_cast<std::ptrdiff_t>(i / 32 * 32);
      const auto odd = std::count_if(warp, in.begin() + static_cast<std::ptrdiff_t>(i), [](int v) { return v & 1; });
      CHECK(sums[2 + i] == odd + kCount);
    }
  }
}

TEST_CASE("Atomic operations") {
  for (const std::string& name : kConstructs) {
    EmulatorScene scene;
    constexpr int kCount = 500;
    const auto on_counts = scene.allocate(std::vector<int>(8)), on_sum = scene.allocate(std::vector<uint64_t>(1));
    const auto on_largest = scene.allocate(std::vector<float>(1));
    launch(scene, scene.function(text_of(name), "atomics"), {4}, {128}, 0, on_counts, on_sum, on_largest, kCount);
    std::vector<int> expected(8);
    for (int i = 0; i < kCount; ++i) ++expected[static_cast<size_t>(i % 7)];
    expected[7] = 2 * kCount;
    CHECK(scene.read<int>(on_counts, 8) == expected);
    CHECK(scene.read<uint64_t>(on_sum, 1)[0] == kCount * (kCount - 1) / 2);
    CHECK(scene.read<float>(on_largest, 1)[0] == kCount - 1);
  }
}

TEST_CASE("Double precision from the device library") {
  for (const std::string& name : kConstructs) {
    EmulatorScene scene;
    const std::vector<double> in = {0.25, 0.5, 1, 1.75, 2, 3.14159, 10, 42.5};
    const auto on_in = scene.allocate(in), on_out = scene.allocate(8 * 6 * in.size());
    launch(scene, scene.function(text_of(name), "double_math"), {1}, {static_cast<unsigned>(in.size())}, 0, on_in,
           on_out);
    const auto result = scene.read<double>(on_out, 6 * in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      const double x = in[i];
      const double expected[] = {std::exp(x), std::log(x), std::sin(x), std::pow(x, 1.25), std::sqrt(x) / (1 + x),
                                 std::tanh(x)};
      CAPTURE(name, x);
      // CUDA C++ Programming Guide, "Mathematical Functions": at most 2 units in the last place
      for (size_t k = 0; k < 6; ++k)
        CHECK(std::abs(result[6 * i + k] - expected[k]) <= 0x1p-51 * std::abs(expected[k]));
    }
  }
}

}  // namespace
}  // namespace jitc::emulator_ptx
