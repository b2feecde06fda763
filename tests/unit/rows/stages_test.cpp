// Kernels of several stages, with outputs of elements, several axes, any strides, scalars and indices among the
// operands.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "tests/unit/rows/row_runners.hpp"
#include "tests/unit/rows/tree.hpp"

namespace {

using namespace jitc;
using namespace jitc::rows;
using kernel::FoldOp;
using kernel::KernelOperand;
using kernel::RowKernel;
using kernel::RowStage;

constexpr const char* kText = R"dsl(
from numba import vectorize

@vectorize(["f4(f4)"])
def same(x):
    return x

@vectorize(["i8(i8)"])
def same_i8(x):
    return x

@vectorize(["f4(f4, f4)"], fma=False)
def weight(x, m):
    return 1.0 / (1.0 + (m - x))

@vectorize(["(f4, f4)(f4, f4)"], fma=False)
def weight_twice(x, m):
    e = 1.0 / (1.0 + (m - x))
    return e, e

@vectorize(["f4(f4, f4)"])
def divided(e, s):
    return e / s

@vectorize(["(f4, f4)(f4)"])
def and_square(x):
    return x, x * x

@vectorize(["f4(f4, i8)"])
def mean_of(s, n):
    return s / np.float32(n)

@vectorize(["(f4, f4)(f4, f4)"], fma=False)
def centred(x, mean):
    d = x - mean
    return d * d, d

@vectorize(["f4(f4, i8, f4)"], fma=False)
def scale_of(s, n, eps):
    return 1.0 / np.sqrt(s / np.float32(n) + eps)

@vectorize(["f4(f4, f4, f4, f4)"], fma=False)
def affine(d, scale, gamma, beta):
    return d * scale * gamma + beta

@vectorize(["f4(f4, f4)"], fma=False)
def squared_distance(x, y):
    d = x - y
    return d * d

@vectorize(["f4(f4)"])
def root(s):
    return np.sqrt(s)

@vectorize(["f4(f4, i8)"])
def where_small(x, i):
    return x if i < 40 else -x
)dsl";

const Functions& functions() {
  static const Functions made("import numpy as np\n" + std::string(kText).substr(1));
  return made;
}

constexpr auto kArray = KernelOperand::Kind::array;

/// x, of the shape outer x inner -> x weighted: stages max, sum, division.
RowKernel softmax() {
  RowKernel k;
  k.name = "softmax";
  k.operands = {{"x", DType::f4, kArray, false}};
  k.stages = {RowStage{functions()["same"], {0}, {{FoldOp::kMax, DType::f4}}},
              RowStage{functions()["weight_twice"], {0, 1}, {{FoldOp::kAdd, DType::f4}}},
              RowStage{functions()["divided"], {2, 3}}};
  k.outputs = {{"out", 4}};
  return k;
}

/// x, n, eps, gamma (along the elements), beta (of a row) -> normalised x, and the mean.
RowKernel layer_norm() {
  RowKernel k;
  k.name = "layer_norm";
  k.operands = {{"x", DType::f4, kArray, false},
                {"n", DType::i8, KernelOperand::Kind::scalar, false},
                {"eps", DType::f4, KernelOperand::Kind::scalar, false},
                {"gamma", DType::f4, kArray, false},
                {"beta", DType::f4, kArray, true}};
  // 5: sum, 6: mean; 7: x - mean, 8: sum of squares, 9: scale; 10: result
  k.stages = {RowStage{functions()["same"], {0}, {{FoldOp::kAdd, DType::f4}}, functions()["mean_of"], {5, 1}},
              RowStage{functions()["centred"], {0, 6}, {{FoldOp::kAdd, DType::f4}}, functions()["scale_of"], {8, 1, 2}},
              RowStage{functions()["affine"], {7, 9, 3, 4}}};
  k.outputs = {{"out", 10}, {"mean", 6}};
  return k;
}

std::vector<float> random_floats(size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<float> out(count);
  for (float& v : out) v = std::ldexp(static_cast<float>(random()), -31) - 1.0F;
  return out;
}
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
float plus(float a, float b) { return a + b; }
float sum_of(const std::vector<float>& row) { return *tree(row, plus); }

std::vector<float> softmax_row(const std::vector<float>& row) {
  float m = row[0];
  for (const float v : row) m = v > m ? v : m;
  std::vector<float> e;
  for (const float v : row) e.push_back(1.0F / (1.0F + (m - v)));
  const float s = sum_of(e);
  for (float& v : e) v /= s;
  return e;
}

/// The place of element e of row r, in elements.
struct Matrix {
  int64_t rows, count;
  bool columns;
  size_t at(int64_t r, int64_t e) const { return static_cast<size_t>(columns ? e * rows + r : r * count + e); }
  std::vector<int64_t> strides() const {
    return columns ? std::vector<int64_t>{4, rows * 4} : std::vector<int64_t>{count * 4, 4};
  }
  size_t size() const { return static_cast<size_t>(rows * count); }
};

void for_matrices(const std::function<void(const Matrix&)>& body) {
  for (const bool columns : {false, true}) {
    for (const int64_t count : {1, 3, 16, 17, 40, 512, 600, 4096}) {
      for (const int64_t rows : {1, 5, 30}) {
        if (rows * count <= 20'000) body({rows, count, columns});
      }
    }
  }
}

TEST_CASE("softmax is the same bits along either axis") {
  RowsProgram program(functions(), softmax());
  for_matrices([&](const Matrix& m) {
    const std::vector<float> x = random_floats(m.size());
    std::vector<float> expected(m.size());
    for (int64_t r = 0; r < m.rows; ++r) {
      std::vector<float> row;
      for (int64_t e = 0; e < m.count; ++e) row.push_back(x[m.at(r, e)]);
      row = softmax_row(row);
      for (int64_t e = 0; e < m.count; ++e) expected[m.at(r, e)] = row[static_cast<size_t>(e)];
    }
    for (const Runner& runner : runners()) {
      for (const bool in_place : {false, true}) {
        INFO(runner.name << ": " << m.rows << " rows of " << m.count << (m.columns ? ", side by side" : ""));
        Call call{{m.rows}, {m.count}, {View{0, 0, m.strides()}}, {View{in_place ? 0U : 1U, 0, m.strides()}}, {}};
        call.buffers = {bytes_of(x), std::vector<std::byte>(m.size() * 4)};
        program.run(call, runner.where, runner.gpu_plan);
        CHECK(same_bits(values_of<float>(call.buffers[in_place ? 0 : 1]), expected));
      }
    }
  });
}

TEST_CASE("layer norm takes scalars, one operand of the elements and one of the rows") {
  RowsProgram program(functions(), layer_norm());
  const float eps = 1e-3F;
  for_matrices([&](const Matrix& m) {
    const std::vector<float> x = random_floats(m.size()), gamma = random_floats(static_cast<size_t>(m.count) + 7),
                             beta = random_floats(static_cast<size_t>(m.rows) + 3);
    std::vector<float> expected(m.size()), means;
    for (int64_t r = 0; r < m.rows; ++r) {
      std::vector<float> row, squares;
      for (int64_t e = 0; e < m.count; ++e) row.push_back(x[m.at(r, e)]);
      const float n = static_cast<float>(m.count), mean = sum_of(row) / n;
      for (float& v : row) v -= mean, squares.push_back(v * v);
      const float scale = 1.0F / std::sqrt(sum_of(squares) / n + eps);
      for (int64_t e = 0; e < m.count; ++e) {
        expected[m.at(r, e)] =
            row[static_cast<size_t>(e)] * scale * gamma[static_cast<size_t>(e)] + beta[static_cast<size_t>(r)];
      }
      means.push_back(mean);
    }
    for (const Runner& runner : runners()) {
      INFO(runner.name << ": " << m.rows << " rows of " << m.count << (m.columns ? ", side by side" : ""));
      Call call{{m.rows}, {m.count}, {}, {View{3, 0, m.strides()}, View{4, 0, {4}}}, {}};
      call.operands = {View{0, 0, m.strides()}, Scalar::of(m.count), Scalar::of(eps), View{1, 0, {0, 4}},
                       View{2, 0, {4, 0}}};
      call.buffers = {bytes_of(x), bytes_of(gamma), bytes_of(beta), std::vector<std::byte>(m.size() * 4),
                      std::vector<std::byte>(static_cast<size_t>(m.rows) * 4)};
      program.run(call, runner.where, runner.gpu_plan);
      CHECK(same_bits(values_of<float>(call.buffers[3]), expected));
      CHECK(same_bits(values_of<float>(call.buffers[4]), means));
    }
  });
}

TEST_CASE("several folds of one stage, and a value of long rows") {
  RowKernel k;
  k.name = "mean_and_square";
  k.operands = {{"x", DType::f4, kArray, false}, {"n", DType::i8, KernelOperand::Kind::scalar, false}};
  k.stages = {RowStage{functions()["and_square"],
                       {0},
                       {{FoldOp::kAdd, DType::f4}, {FoldOp::kMax, DType::f4}},
                       functions()["mean_of"],
                       {2, 1}}};
  k.outputs = {{"largest", 3}, {"mean", 4}};
  RowsProgram program(functions(), k);
  for (const bool columns : {false, true}) {
    for (const int64_t count : {3, 100, 5000, 70000}) {
      const Matrix m{2, count, columns};
      const std::vector<float> x = random_floats(m.size());
      std::vector<float> largest, means;
      for (int64_t r = 0; r < 2; ++r) {
        std::vector<float> row;
        float most = 0;
        for (int64_t e = 0; e < count; ++e)
          row.push_back(x[m.at(r, e)]), most = std::max(most, row.back() * row.back());
        largest.push_back(most);
        means.push_back(sum_of(row) / static_cast<float>(count));
      }
      for (const Runner& runner : runners()) {
        if (runner.where != Where::cpu && count > 5000) continue;
        INFO(runner.name << ": 2 rows of " << count << (columns ? ", side by side" : ""));
        Call call{{2}, {count}, {View{0, 0, m.strides()}, Scalar::of(count)}, {View{1, 0, {4}}, View{2, 0, {4}}}, {}};
        call.buffers = {bytes_of(x), std::vector<std::byte>(8), std::vector<std::byte>(8)};
        program.run(call, runner.where, runner.gpu_plan);
        CHECK(same_bits(values_of<float>(call.buffers[1]), largest));
        CHECK(same_bits(values_of<float>(call.buffers[2]), means));
      }
    }
  }
}

TEST_CASE("several inner axes, backwards, repeated and strided") {
  RowKernel k;
  k.name = "sum";
  k.operands = {{"x", DType::f4, kArray, false}};
  k.stages = {RowStage{functions()["same"], {0}, {{FoldOp::kAdd, DType::f4}}}};
  k.outputs = {{"out", 1}};
  RowsProgram program(functions(), k);
  const std::vector<float> x = random_floats(70'000);
  struct Case {
    std::vector<int64_t> outer, inner, strides;  ///< strides in elements
    int64_t first;
    std::vector<int64_t> out;  ///< steps of the result
  };
  const std::vector<Case> cases = {
      {{4}, {5, 6}, {30, 6, 1}, 0, {1}},             // joined
      {{6}, {4, 5}, {1, 30, 6}, 0, {3}},             // not the last axis
      {{3}, {7, 2, 3}, {1, -9, 100, 10}, 200, {1}},  // backwards
      {{20}, {9, 4}, {0, 1, 9}, 0, {-2}},            // all rows the same
      {{3, 5}, {8, 20}, {1600, 320, 0, 1}, 0, {5, 1}},
      {{20, 20}, {3}, {3, 60, 1}, 0, {1, 20}},
      {{}, {50, 30, 2}, {1, 60, 3000}, 0, {}},
      {{40}, {100, 6}, {1, 240, 40}, 0, {2}},
      {{2}, {70, 70}, {1, 2, 280}, 0, {1}},
      {{2}, {30}, {1, -2}, 100, {1}},
  };
  for (const Case& c : cases) {
    int64_t rows = 1, count = 1;
    for (const int64_t extent : c.outer) rows *= extent;
    for (const int64_t extent : c.inner) count *= extent;
    std::vector<float> expected(2000, -7.0F);
    for (int64_t r = 0; r < rows; ++r) {
      int64_t row_place = c.first, out = 1000, rest = r;
      for (size_t axis = c.outer.size(); axis-- > 0; rest /= c.outer[axis]) {
        row_place += rest % c.outer[axis] * c.strides[axis];
        out += rest % c.outer[axis] * c.out[axis];
      }
      std::vector<float> row;
      for (int64_t e = 0; e < count; ++e) {
        int64_t place = row_place, number = e;
        for (size_t axis = c.inner.size(); axis-- > 0; number /= c.inner[axis]) {
          place += number % c.inner[axis] * c.strides[c.outer.size() + axis];
        }
        row.push_back(x.at(static_cast<size_t>(place)));
      }
      expected[static_cast<size_t>(out)] = sum_of(row);
    }
    std::vector<int64_t> strides = c.strides, out_strides = c.out;
    for (int64_t& s : strides) s *= 4;
    for (int64_t& s : out_strides) s *= 4;
    for (const Runner& runner : runners()) {
      INFO(runner.name << ": case " << &c - cases.data());
      Call call{c.outer, c.inner, {View{0, c.first * 4, strides}}, {View{1, 4000, out_strides}}, {}};
      call.buffers = {bytes_of(x), bytes_of(std::vector<float>(2000, -7.0F))};
      program.run(call, runner.where, runner.gpu_plan);
      CHECK(same_bits(values_of<float>(call.buffers[1]), expected));
    }
  }
}

TEST_CASE("distances of all pairs") {
  RowKernel k;
  k.name = "distances";
  k.operands = {{"x", DType::f4, kArray, false}, {"y", DType::f4, kArray, false}};
  k.stages = {RowStage{functions()["squared_distance"], {0, 1}, {{FoldOp::kAdd, DType::f4}}, functions()["root"], {2}}};
  k.outputs = {{"out", 3}};
  RowsProgram program(functions(), k);
  struct Sizes {
    int64_t batch, n, m, dims;
    bool is_packed;  ///< by a host
  };
  const std::vector<Sizes> all = {{1, 9, 21, 1, false},    {1, 9, 21, 16, false},  {1, 9, 21, 20, false},
                                  {1, 37, 50, 20, true},   {1, 16, 16, 128, true}, {1, 70, 33, 512, true},
                                  {1, 20, 40, 513, false}, {3, 17, 34, 40, true}};
  for (const auto& [batch, n, m, dims, is_packed] : all) {
    const std::vector<float> x = random_floats(static_cast<size_t>(batch * n * dims)),
                             y = random_floats(static_cast<size_t>(batch * m * dims));
    std::vector<float> expected;
    for (int64_t i = 0; i < batch * n; ++i) {
      for (int64_t j = 0; j < m; ++j) {
        std::vector<float> row;
        for (int64_t d = 0; d < dims; ++d) {
          const float diff = x[static_cast<size_t>(i * dims + d)] - y[static_cast<size_t>((i / n * m + j) * dims + d)];
          row.push_back(diff * diff);
        }
        expected.push_back(std::sqrt(sum_of(row)));
      }
    }
    for (const Runner& runner : runners()) {
      INFO(runner.name << ": " << batch << " times " << n << " x " << m << " points of " << dims << " dimensions");
      Call call{{batch, n, m},
                {dims},
                {View{0, 0, {n * dims * 4, dims * 4, 0, 4}}, View{1, 0, {m * dims * 4, 0, dims * 4, 4}}},
                {View{2, 0, {n * m * 4, m * 4, 4}}},
                {}};
      call.buffers = {bytes_of(x), bytes_of(y), std::vector<std::byte>(expected.size() * 4)};
      program.run(call, runner.where, runner.gpu_plan);
      CHECK((program.plan().passes[0].shape == runtime::RowShape::packed) == (is_packed && !runner.gpu_plan));
      CHECK(same_bits(values_of<float>(call.buffers[2]), expected));
    }
  }
}

TEST_CASE("an index counts along the axes") {
  RowKernel k;
  k.name = "indexed";
  k.operands = {{"x", DType::f4, kArray, false}, {"i", DType::i8, KernelOperand::Kind::index, false}};
  k.stages = {RowStage{functions()["where_small"], {0, 1}, {{FoldOp::kAdd, DType::f4}}}};
  k.outputs = {{"out", 2}};
  RowsProgram program(functions(), k);
  for_matrices([&](const Matrix& m) {
    const std::vector<float> x = random_floats(m.size());
    std::vector<float> expected;
    for (int64_t r = 0; r < m.rows; ++r) {
      std::vector<float> row;
      for (int64_t e = 0; e < m.count; ++e) row.push_back(7 + 3 * r + e < 40 ? x[m.at(r, e)] : -x[m.at(r, e)]);
      expected.push_back(sum_of(row));
    }
    for (const Runner& runner : runners()) {
      INFO(runner.name << ": " << m.rows << " rows of " << m.count << (m.columns ? ", side by side" : ""));
      Call call{{m.rows}, {m.count}, {View{0, 0, m.strides()}, Index{7, {3, 1}}}, {View{1, 0, {4}}}, {}};
      call.buffers = {bytes_of(x), std::vector<std::byte>(expected.size() * 4)};
      program.run(call, runner.where, runner.gpu_plan);
      CHECK(same_bits(values_of<float>(call.buffers[1]), expected));
    }
  });
}

}  // namespace
