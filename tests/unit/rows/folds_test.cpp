// Sums, extremes and their numbers over rows of all lengths and layouts: the bits of the documented tree.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include "tests/unit/rows/row_runners.hpp"
#include "tests/unit/rows/tree.hpp"

namespace {

using namespace jitc;
using namespace jitc::rows;
using kernel::Fold;
using kernel::FoldOp;
using kernel::KernelOperand;
using kernel::RowKernel;

constexpr const char* kText = R"dsl(
from numba import vectorize

@vectorize(["f4(f4)"])
def same_f4(x):
    return x

@vectorize(["f8(f8)"])
def same_f8(x):
    return x

@vectorize(["i4(i4)"])
def same_i4(x):
    return x

@vectorize(["i1(i1)"])
def same_i1(x):
    return x

@vectorize(["i8(i8)"])
def same_i8(x):
    return x

@vectorize(["u8(u8)"])
def same_u8(x):
    return x

@vectorize(["b1(b1)"])
def same_b1(x):
    return x

@vectorize(["c8(c8)"])
def same_c8(x):
    return x

@vectorize(["f2(f2)"])
def same_f2(x):
    return x
)dsl";

const Functions& functions() {
  static const Functions made(kText);
  return made;
}

/// out = op of x along the inner axes.
RowsProgram fold_of(FoldOp op, DType dtype) {
  RowKernel k;
  k.name = "fold";
  k.operands = {{"x", dtype, KernelOperand::Kind::array, false}};
  kernel::RowStage stage;
  stage.element = functions()["same_" + std::string(name(dtype))];
  stage.element_args = {0};
  stage.folds = {{op, dtype}};
  k.stages = {stage};
  k.outputs = {{"out", 1}};
  return RowsProgram(functions(), k);
}

/// NaNs are equal whatever their payloads; all else by its bits.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool same(const std::complex<T>& a, const std::complex<T>& b) {
  return same(a.real(), b.real()) && same(a.imag(), b.imag());
}
template <class T>
std::string difference(const std::vector<T>& expected, const std::vector<T>& actual) {
  if (expected.size() != actual.size()) return "another number of results";
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!same(expected[i], actual[i])) return fmt::format("result {} of {} differs", i, expected.size());
  }
  return "";
}

template <class T>
std::vector<T> random_values(size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<T> out(count);
  for (T& v : out) {
    const double unit = std::ldexp(static_cast<double>(random()), -31) - 1.0;
    if constexpr (std::is_same_v<T, std::complex<float>>) {
      v = {static_cast<float>(unit), std::ldexp(static_cast<float>(random()), -32)};
    } else if constexpr (std::is_floating_point_v<T>) {
      v = static_cast<T>(unit);
    } else {
      v = static_cast<T>(random());
    }
  }
  return out;
}

/// A matrix of rows x count, whose rows or columns are contiguous.
template <class T, class R>
Call matrix_call(const std::vector<T>& values, int64_t rows, int64_t count, bool columns) {
  Call call;
  call.outer = {rows};
  call.inner = {count};
  const auto size = static_cast<int64_t>(sizeof(T));
  std::vector<int64_t> strides =
      columns ? std::vector<int64_t>{size, rows * size} : std::vector<int64_t>{count * size, size};
  call.operands = {View{0, 0, strides}};
  call.outputs = {View{1, 0, {static_cast<int64_t>(sizeof(R))}}};
  call.buffers = {bytes_of(values), std::vector<std::byte>(static_cast<size_t>(rows) * sizeof(R))};
  return call;
}

/// What the tree gives for each row, `fold(values of the row)`, against all who run it.
template <class T, class R, class FoldRow>
void check_rows(RowsProgram& program, int64_t rows, int64_t count, const std::vector<T>& values, const FoldRow& fold,
                size_t most_steps = 50'000) {
  for (const bool columns : {false, true}) {
    std::vector<R> expected;
    for (int64_t r = 0; r < rows; ++r) {
      std::vector<T> row;
      for (int64_t e = 0; e < count; ++e)
        row.push_back(values[static_cast<size_t>(columns ? e * rows + r : r * count + e)]);
      expected.push_back(fold(row));
    }
    for (const Runner& runner : runners()) {
      if (runner.where != Where::cpu && values.size() > most_steps) continue;
      Call call = matrix_call<T, R>(values, rows, count, columns);
      INFO(runner.name << ": " << rows << " rows of " << count << (columns ? ", side by side" : ""));
      program.run(call, runner.where, runner.gpu_plan);
      CHECK(difference(expected, values_of<R>(call.buffers[1])) == "");
    }
  }
}

template <class T>
T plus(T a, T b) {
  return a + b;
}

TEST_CASE("sums of f4 are the bits of the tree") {
  RowsProgram program = fold_of(FoldOp::kAdd, DType::f4);
  for (const int64_t rows : {1, 2, 37, 300}) {
    for (const int64_t count : {1, 2, 3, 15, 16, 17, 31, 32, 33, 511, 512, 513, 4095, 4096, 4097, 10000}) {
      if (rows * count > 1'300'000 || (rows > 2 && count == 15)) continue;
      check_rows<float, float>(program, rows, count, random_values<float>(static_cast<size_t>(rows * count)),
                               [](const std::vector<float>& row) { return *tree(row, plus<float>); });
    }
  }
}

TEST_CASE("sums of f4 over a long row are the bits of the tree") {
  RowsProgram program = fold_of(FoldOp::kAdd, DType::f4);
  const int64_t count = (1 << 20) + 3;
  check_rows<float, float>(program, 1, count, random_values<float>(static_cast<size_t>(count)),
                           [](const std::vector<float>& row) { return *tree(row, plus<float>); });
}

TEST_CASE("many neighbouring results are a thread each on a GPU") {
  RowsProgram program = fold_of(FoldOp::kAdd, DType::f4);
  const int64_t rows = 16'400;
  for (const int64_t count : {20, 50, 512}) {
    check_rows<float, float>(program, rows, count, random_values<float>(static_cast<size_t>(rows * count)),
                             [](const std::vector<float>& row) { return *tree(row, plus<float>); });
  }
}

TEST_CASE("a sum of more than 4096 blocks takes three passes") {
  RowsProgram program = fold_of(FoldOp::kAdd, DType::i1);
  const int64_t count = 4096 * 4096 + 5;
  const std::vector<int8_t> values = random_values<int8_t>(static_cast<size_t>(count));
  uint8_t sum = 0;
  for (const int8_t v : values) sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(v));
  for (const bool gpu_plan : {false, true}) {
    Call call = matrix_call<int8_t, int8_t>(values, 1, count, false);
    program.run(call, Where::cpu, gpu_plan);
    CHECK(program.plan().passes.size() == 3);
    CHECK(static_cast<uint8_t>(call.buffers[1][0]) == sum);
  }
}

TEST_CASE("the sum of no elements is 0.0, another fold of none its identity, and no rows give nothing") {
  for (const Runner& runner : runners()) {
    INFO(runner.name);
    RowsProgram add = fold_of(FoldOp::kAdd, DType::f4), least = fold_of(FoldOp::kMin, DType::i4);
    Call call = matrix_call<float, float>({}, 3, 0, false);
    add.run(call, runner.where, runner.gpu_plan);
    CHECK(difference(std::vector<float>(3, 0.0F), values_of<float>(call.buffers[1])) == "");
    Call other = matrix_call<int32_t, int32_t>({}, 3, 0, false);
    least.run(other, runner.where, runner.gpu_plan);
    CHECK(difference(std::vector<int32_t>(3, INT32_MAX), values_of<int32_t>(other.buffers[1])) == "");
    Call none = matrix_call<float, float>({}, 0, 5, false);
    add.run(none, runner.where, runner.gpu_plan);
    CHECK(add.plan().passes.empty());
  }
}

// --- all folds

template <class T>
bool is_nan(T v) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(v);
  } else {
    return false;
  }
}

template <class T>
T fold_two(FoldOp op, T a, T b) {
  switch (op) {
    case FoldOp::kAdd: return static_cast<T>(a + b);
    case FoldOp::kMul: return static_cast<T>(a * b);
    case FoldOp::kMin: return is_nan(a) || a < b ? a : b;
    case FoldOp::kMax: return is_nan(a) || a > b ? a : b;
    case FoldOp::kFmin: return is_nan(b) || a < b ? a : b;
    case FoldOp::kFmax: return is_nan(b) || a > b ? a : b;
    default: return a;
  }
}

constexpr FoldOp kPlain[] = {FoldOp::kAdd, FoldOp::kMul, FoldOp::kMin, FoldOp::kMax, FoldOp::kFmin, FoldOp::kFmax};
constexpr int64_t kCounts[] = {1, 3, 16, 33, 600, 5000};

/// Integers wrap.
template <class T>
T wrapped(FoldOp op, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Word = std::make_unsigned_t<T>;
    const Word x = static_cast<Word>(a), y = static_cast<Word>(b);
    if (op == FoldOp::kAdd) return static_cast<T>(x + y);
    if (op == FoldOp::kMul) return static_cast<T>(x * y);
  }
  return fold_two(op, a, b);
}

template <class T>
void check_plain_folds() {
  for (const FoldOp op : kPlain) {
    RowsProgram program = fold_of(op, dtype_of<T>());
    const auto f = [&](T a, T b) { return wrapped(op, a, b); };
    for (const int64_t count : kCounts) {
      INFO("fold " << static_cast<int>(op) << " of " << name(dtype_of<T>()));
      check_rows<T, T>(program, 3, count, random_values<T>(static_cast<size_t>(3 * count)),
                       [&](const std::vector<T>& row) { return *tree(row, f); });
    }
  }
}

TEST_CASE("all folds of i4") { check_plain_folds<int32_t>(); }
TEST_CASE("all folds of u8") { check_plain_folds<uint64_t>(); }
TEST_CASE("all folds of i8") { check_plain_folds<int64_t>(); }
TEST_CASE("all folds of f8") { check_plain_folds<double>(); }

TEST_CASE("folds of b1 are and, or") {
  for (const FoldOp op : kPlain) {
    const bool is_or = op == FoldOp::kAdd || op == FoldOp::kMax || op == FoldOp::kFmax;
    RowsProgram program = fold_of(op, DType::b1);
    for (const int64_t count : {2, 33, 5000}) {
      std::vector<uint8_t> values(static_cast<size_t>(3 * count), is_or ? 0 : 1);
      values[static_cast<size_t>(2 * count) - 1] = is_or ? 1 : 0;
      check_rows<uint8_t, uint8_t>(program, 3, count, values, [&](const std::vector<uint8_t>& row) {
        bool out = row[0] != 0;
        for (const uint8_t v : row) out = is_or ? out || v != 0 : out && v != 0;
        return static_cast<uint8_t>(out);
      });
    }
  }
}

TEST_CASE("sums and products of complex numbers") {
  using C = std::complex<float>;
  RowsProgram sums = fold_of(FoldOp::kAdd, DType::c8), products = fold_of(FoldOp::kMul, DType::c8);
  const auto multiply = [](C a, C b) {
    return C(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  };
  for (const int64_t count : kCounts) {
    const std::vector<C> values = random_values<C>(static_cast<size_t>(3 * count));
    check_rows<C, C>(sums, 3, count, values, [&](const std::vector<C>& row) { return *tree(row, plus<C>); });
    check_rows<C, C>(products, 3, count, values, [&](const std::vector<C>& row) { return *tree(row, multiply); });
  }
}

TEST_CASE("a product of one complex number is that number") {
  using C = std::complex<float>;
  RowsProgram products = fold_of(FoldOp::kMul, DType::c8);
  const float inf = std::numeric_limits<float>::infinity();
  for (const C value : {C(1, -0.0F), C(inf, 2), C(-0.0F, 0)}) {
    check_rows<C, C>(products, 1, 1, {value}, [](const std::vector<C>& row) { return row[0]; });
  }
}

// --- values that compare in their own way

std::vector<float> with_specials(size_t count) {
  std::vector<float> out = random_values<float>(count);
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (size_t i = 0; i < count; i += 7) out[i] = i % 3 == 0 ? 0.0F : -0.0F;
  if (count > 20) out[count / 2] = nan, out[count / 3] = inf, out[count / 5] = -inf;
  return out;
}

TEST_CASE("NaNs, infinities and zeros of f4") {
  for (const FoldOp op : kPlain) {
    RowsProgram program = fold_of(op, DType::f4);
    for (const int64_t count : {8, 33, 600, 5000}) {
      check_rows<float, float>(program, 2, count, with_specials(static_cast<size_t>(2 * count)),
                               [&](const std::vector<float>& row) {
                                 return *tree(row, [&](float a, float b) { return fold_two(op, a, b); });
                               });
    }
  }
}

TEST_CASE("a row of negative zeros sums to a negative zero") {
  RowsProgram program = fold_of(FoldOp::kAdd, DType::f4);
  for (const int64_t count : {1, 17, 700}) {
    check_rows<float, float>(program, 2, count, std::vector<float>(static_cast<size_t>(2 * count), -0.0F),
                             [](const std::vector<float>&) { return -0.0F; });
  }
}

/// NumPy's: the first NaN, or the first of the least values.
template <class T>
int64_t first_of(const std::vector<T>& row, bool greatest) {
  size_t best = 0;
  for (size_t i = 1; i < row.size(); ++i) {
    if (is_nan(row[best])) break;
    if (is_nan(row[i]) || (greatest ? row[i] > row[best] : row[i] < row[best])) best = i;
  }
  return static_cast<int64_t>(best);
}

TEST_CASE("argmin and argmax give the number of the first one") {
  for (const FoldOp op : {FoldOp::kArgMin, FoldOp::kArgMax}) {
    RowsProgram floats = fold_of(op, DType::f4), ints = fold_of(op, DType::i4), bools = fold_of(op, DType::b1);
    const auto first = [&](const auto& row) { return first_of(row, op == FoldOp::kArgMax); };
    for (const int64_t count : {3, 33, 600, 9000}) {
      const auto all = static_cast<size_t>(3 * count);
      check_rows<float, int64_t>(floats, 3, count, with_specials(all), first);
      check_rows<float, int64_t>(floats, 3, count, std::vector<float>(all, INFINITY), first);
      std::vector<int32_t> few = random_values<int32_t>(all);
      for (int32_t& v : few) v %= 5;
      check_rows<int32_t, int64_t>(ints, 3, count, few, first);
      check_rows<uint8_t, int64_t>(bools, 3, count, std::vector<uint8_t>(all, 1), first);
    }
  }
}

TEST_CASE("f2 is folded in f2") {
  RowsProgram program = fold_of(FoldOp::kAdd, DType::f2);
  for (const int64_t count : {3, 40, 600}) {
    std::vector<uint16_t> values;
    for (const float v : random_values<float>(static_cast<size_t>(2 * count))) values.push_back(float16(v).bits());
    check_rows<uint16_t, uint16_t>(program, 2, count, values, [](const std::vector<uint16_t>& row) {
      return *tree(row, [](uint16_t a, uint16_t b) {
        return float16(float(float16::from_bits(a)) + float(float16::from_bits(b))).bits();
      });
    });
  }
}

}  // namespace
