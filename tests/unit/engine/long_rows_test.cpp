// Folds and maps over rows of more than a block, which are computed a few rows at a time: the bits of each row alone.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

constexpr int64_t kRows = 150, kLength = 5000;

Array uneven() {
  std::vector<float> out(static_cast<size_t>(kRows * kLength));
  for (size_t k = 0; k < out.size(); ++k) out[k] = static_cast<float>((k * 7919) % 1009) / 1009.0F - 0.5F;
  return array_of(out, {kRows, kLength});
}

/// `axis` of the array goes along the rows; each row alone is an array of one.
void check_rows(const std::string& body, int axis) {
  const Program p = compile_text("@jit('f4[:,:](f4[:,:])')\ndef f(x):\n    " + body + "\n");
  INFO(body);
  const Array x = axis == 1 ? uneven() : uneven().transpose();
  const auto oriented = [&](const Array& a) { return axis == 1 ? a : a.transpose(); };
  const Array all = oriented(p["f"](x));
  REQUIRE(all.shape()[0] == kRows);
  for (const int64_t row : {int64_t{0}, kRows / 2, kRows - 1}) {
    const Array one = oriented(p["f"](oriented(uneven().slice(0, row, row + 1))));
    CHECK(all.slice(0, row, row + 1).copy().to_vector<float>() == one.copy().to_vector<float>());
  }
}

}  // namespace

TEST_CASE("softmax of long rows and long columns") {
  check_rows("e = np.exp(x - x.max(axis=1, keepdims=True)); return e / e.sum(axis=1, keepdims=True)", 1);
  check_rows("e = np.exp(x - x.max(axis=0)); return e / e.sum(axis=0)", 0);
}

TEST_CASE("standardised long rows, with what lies beside them") {
  check_rows(
      "w = np.arange(x.shape[1], dtype=np.float32); return (x - x.mean(axis=1)[:, None]) / x.std(axis=1)[:, None] * w",
      1);
}

TEST_CASE("several results of long rows, with three axes") {
  const Program p = compile_text(
      "@jit('(f4[:,:,:], f4[:,:], f4[:,:])(f4[:,:,:])')\n"
      "def f(x):\n"
      "    m = x.mean(axis=2)\n"
      "    c = x - m[:, :, None]\n"
      "    return c, m, np.sqrt((c * c).sum(axis=2))\n");
  const Array x = uneven().reshape({kRows / 3, 3, kLength});
  const auto [centred, mean, norm] = p["f"].call<3>(x);
  for (const int64_t k : {int64_t{0}, kRows / 6, kRows / 3 - 1}) {
    const auto [c, m, n] = p["f"].call<3>(x.slice(0, k, k + 1));
    CHECK(centred.slice(0, k, k + 1).copy().to_vector<float>() == c.to_vector<float>());
    CHECK(mean.slice(0, k, k + 1).copy().to_vector<float>() == m.to_vector<float>());
    CHECK(norm.slice(0, k, k + 1).copy().to_vector<float>() == n.to_vector<float>());
  }
}

TEST_CASE("folds of many columns have the bits of each column alone") {
  for (const std::string value :
       {"x.sum(axis=0)", "(x * x + 1).sum(axis=0)", "x.min(axis=0)", "x.argmax(axis=0)",
        "np.abs((x / 4 + 1j).prod(axis=0))", "x[:512].sum(axis=0)", "x[:1025].sum(axis=0)", "x.std(axis=0)",
        "np.sin(x).sum(axis=0)", "x.reshape(50, 100, -1).sum(axis=(0, 1))"}) {
    check_rows("return (" + value + ").astype(np.float32)[None, :]", 0);
  }
}
