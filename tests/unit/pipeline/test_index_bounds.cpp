// Where the test for a negative index is dropped, and where it must stay.
#include <catch2/catch.hpp>

#include "src/kernel/kernel.hpp"
#include "src/pipeline/pipeline.hpp"

using namespace jitc;

namespace {

/// True when some index of the kernel is tested for being negative.
bool tests_indices(const std::string& body) {
  const std::string text =
      "@cuda.jit(\"void(f4[:], i4[:], u1)\")\ndef k(x, n, u):\n    i = cuda.grid(1)\n    s = cuda.gridsize(1)\n" + body;
  const auto m = pipeline::check(text, {});
  INFO(source::render_all(m->file, m->diagnostics));
  REQUIRE(m->ok);
  return kernel::print(m->kernels[0].variants[0].strided).find("< 0 else") != std::string::npos;
}

}  // namespace

TEST_CASE("thread indices, counters and what is made of them are never negative") {
  CHECK_FALSE(tests_indices("    x[i] = x[i + 1] * x[2 * i]\n"));
  CHECK_FALSE(tests_indices("    x[cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x] = 1\n"));
  CHECK_FALSE(tests_indices("    for j in range(x.size):\n        x[j] = x[j // 2] + x[j % 7]\n"));
  CHECK_FALSE(tests_indices("    for j in range(x.size - 1, -1, -1):\n        x[j] = 1\n"));
  CHECK_FALSE(tests_indices("    for j in range(i, x.size, s):\n        x[j] = 1\n"));
  CHECK_FALSE(tests_indices("    j = i\n    while j < x.size:\n        x[j] = 1\n        j += s\n"));
  CHECK_FALSE(tests_indices("    x[u] = x[u + 1]\n"));
  CHECK_FALSE(tests_indices("    x[n[i] & 255] = 1\n"));
}

TEST_CASE("the number of tiles that cover an extent is not negative") {
  CHECK_FALSE(tests_indices("    for t in range((x.size + 15) // 16):\n        x[t * 16 + i] = 1\n"));
  CHECK_FALSE(tests_indices("    for t in range((x.size + 16 - 1) // 16):\n        x[t * 16 + i] = 1\n"));
  CHECK_FALSE(tests_indices("    x[i + 3 - 3] = 1\n"));
  CHECK(tests_indices("    x[i + 3 - 4] = 1\n"));
  CHECK(tests_indices("    x[n[i] + 4 - 3] = 1\n"));
  CHECK(tests_indices("    x[i + 3 - n[i]] = 1\n"));
}

TEST_CASE("an index that may be negative is tested") {
  CHECK(tests_indices("    x[n[i]] = 1\n"));
  CHECK(tests_indices("    x[i - 1] = 1\n"));
  CHECK(tests_indices("    for j in range(n[0], 5):\n        x[j] = 1\n"));
  CHECK(tests_indices("    for j in range(5, -3, -1):\n        x[j] = 1\n"));
  CHECK(tests_indices("    for j in range(x.size, n[0], -1):\n        x[j] = 1\n"));
}

TEST_CASE("sums that may wrap around are not trusted") {
  CHECK(tests_indices("    h = 1\n    for j in range(x.size):\n        h = h * 31 + j\n    x[h] = 1\n"));
  CHECK(tests_indices("    j = i\n    while x[0] > 0:\n        j += s\n    x[j] = 1\n"));
  CHECK(tests_indices("    j = i\n    while j < x.size:\n        while x[0] > 0:\n            j += s\n    x[j] = 1\n"));
  CHECK(tests_indices("    j = i8(n[0])\n    while j < x.size:\n        x[j] = 1\n        j += s\n"));
}
