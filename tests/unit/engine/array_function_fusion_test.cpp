// Array functions in which the choice of what is computed together, and when, once was wrong.
#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

Program function(const std::string& body) { return compile_text("import numpy as np\n\n" + body); }

using Ints = std::vector<int64_t>;
using Doubles = std::vector<double>;

}  // namespace

TEST_CASE("values of rows along two axes of their own are no values of the rows") {
  const Program p = function(
      "@jit('(f8[:,:])')\ndef k(x):\n    first = np.argmin(x, axis=-1)\n    return np.einsum('i,j->ij', first, "
      "first)\n");
  const Array x = array_of<double>({5, 4, 3, 7, 2, 8}, {2, 3});
  CHECK(p["k"](x).to_vector<int64_t>() == Ints{4, 2, 2, 1});
}

TEST_CASE("a map of rows waits for what it takes beside them") {
  const Program p = function(R"(@jit
def scaled(a, s):
    t = a * s
    return t + np.sum(t)

@jit('(f8[:], f8[:,:])')
def k(x, y):
    return y + scaled(np.count_nonzero(x, axis=0, keepdims=True), np.sum(y))

@jit('(f8[:,:])')
def m(x):
    a = np.std(x, keepdims=True)
    return a - np.max(a, axis=-1, keepdims=True) >= x
)");
  const Array x = array_of<double>({1, 0, 3}, {3}), y = array_of<double>({1, 2, 3, 4}, {2, 2});
  CHECK(p["k"](x, y).to_vector<double>() == Doubles{41, 42, 43, 44});
  const Array below = p["m"](array_of<double>({-1, 1}, {1, 2}));
  std::vector<uint8_t> bytes(2);
  below.copy_to_host(bytes.data(), bytes.size());
  CHECK(bytes == std::vector<uint8_t>{1, 0});
}

TEST_CASE("kernels of rows do not wait for each other") {
  const Program p = function(R"(@jit
def scaled(a, s):
    t = a * s
    return t + np.sum(t)

@jit('(f8[:,:], f8[:,:])')
def k(x, y):
    return scaled(y, np.sum(x)) + scaled(x, np.sum(y))
)");
  const Array x = array_of<double>({1, 2}, {1, 2}), y = array_of<double>({3, 4}, {1, 2});
  CHECK(p["k"](x, y).to_vector<double>() == Doubles{58, 68});
}

TEST_CASE("results beside rows that turn out to have another shape do not change the others'") {
  const Program p = function(R"(@jit('(f8[:,:])')
def k(x):
    total = np.sum(x)
    return np.where(x[1::3, 1:-5:3], x, total), x * x + total
)");
  const auto [none, all] = p["k"].call<2>(array_of<double>({2}, {1, 1}));
  CHECK(none.shape() == std::vector<int64_t>{0, 0});
  CHECK(all.shape() == std::vector<int64_t>{1, 1});
  CHECK(all.to_vector<double>() == Doubles{6});
}

TEST_CASE("what stands beside rows may have more axes than their arrays") {
  const Program p = function(
      "@jit('(f8[:,:], f8[:,:,:])')\ndef k(x, y):\n    return np.sum(x, axis=0) + np.prod(y, keepdims=True)\n");
  const Array out = p["k"](array_of<double>({1, 2, 3, 4}, {2, 2}), array_of<double>({2, 5}, {1, 1, 2}));
  CHECK(out.shape() == std::vector<int64_t>{1, 1, 2});
  CHECK(out.to_vector<double>() == Doubles{14, 16});
}

TEST_CASE("rows without elements have values beside them") {
  const Program p = function(R"(@jit('(f8[n], f8[n,m])')
def k(x, y):
    return x + np.sum(y * y, axis=1)
)");
  const Array y = device().empty({3, 0}, f8);
  CHECK(p["k"](array_of<double>({1, 2, 3}, {3}), y).to_vector<double>() == Doubles{1, 2, 3});
}

TEST_CASE("a range that is made before a loop has memory inside of it") {
  const Program p = function(R"(@jit('(f8[:,:])')
def k(x):
    columns = np.arange(3)
    total = np.zeros((1,))
    i = 0
    while i < 2 and np.sum(np.where(x > 0, x, columns)) < 100:
        total = total + np.sum(x * columns[::-1])
        i += 1
    return total
)");
  const Array x = array_of<double>({1, 2, 3, 4, 5, 6}, {2, 3});
  CHECK(p["k"](x).to_vector<double>() == Doubles{34});
}

TEST_CASE("a variable that a loop has changed is read behind the loop") {
  const Program p = function(R"(@jit('(f8[:])')
def k(x):
    at = np.argmin(x, axis=-1)
    while at < 5:
        at = at + 3
    return x - np.max(x, axis=-1, keepdims=True) + at
)");
  CHECK(p["k"](array_of<double>({4, 1, 3}, {3})).to_vector<double>() == Doubles{7, 4, 6});
}

TEST_CASE("a view of a value of rows stands for it in a map of rows") {
  const Program p = function(R"(@jit('(f8[:,:,:])')
def k(x):
    deviation = np.var(x, axis=(0, 1), keepdims=True)
    return (deviation + deviation).T
)");
  const Array out = p["k"](array_of<double>({1, 5, 3, 5}, {2, 1, 2}));
  CHECK(out.shape() == std::vector<int64_t>{2, 1, 1});
  CHECK(out.to_vector<double>() == Doubles{2, 0});
}

TEST_CASE("an axis that a call alone knows to be one element is no axis of a row") {
  const Program p = function(R"(@jit('(f8[:,:])')
def k(x):
    a = np.broadcast_to(x[1:] - x[:-1], (2, 3, 1))
    return a - np.max(a, axis=-1, keepdims=True)
)");
  CHECK(p["k"](array_of<double>({1, 2, 4, 7}, {4, 1})).to_vector<double>() == Doubles(6, 0.0));
}

TEST_CASE("a slice up to 0 has no elements") {
  const Program p = function(R"(@jit('(f8[:,:], f8[:])')
def k(x, y):
    z = (x * y)[::-1, :0]
    return z + 1, np.sum(z)
)");
  const auto [z, sum] = p["k"].call<2>(array_of<double>({1, 2, 3, 4}, {2, 2}), array_of<double>({1}, {1}));
  CHECK(z.shape() == std::vector<int64_t>{2, 0});
  CHECK(sum.to_vector<double>() == Doubles{0});
}

TEST_CASE("what one branch of an expression reads is read again elsewhere") {
  const Program p = function(R"(@jit('(f8[:], f8)')
def k(x, s):
    y = x
    if s > 2:
        y = x + 1
    return y if s > 1 else y * 2

@jit('(f8[:], f8)')
def m(x, s):
    y = x
    if s > 2:
        y = x + 1
    if s > 1 and np.sum(y) > 0:
        y = y + 1
    return y
)");
  const Array x = array_of<double>({1, 2}, {2});
  CHECK(p["k"](x, 1.0).to_vector<double>() == Doubles{2, 4});
  CHECK(p["k"](x, 3.0).to_vector<double>() == Doubles{2, 3});
  CHECK(p["m"](x, 3.0).to_vector<double>() == Doubles{3, 4});
  CHECK(p["m"](x, 0.0).to_vector<double>() == Doubles{1, 2});
}
