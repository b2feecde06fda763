// Calls of array functions: shapes, memory, aliases, control flow. Values against NumPy are tests/oracle's.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

TEST_CASE("an array function returns new arrays where its arguments lie") {
  const Program p = compile_text("@jit('f4[:](f4[:], f4)')\ndef f(x, a):\n    return x * a + 1\n");
  CHECK(p["f"].kind() == FunctionKind::array_function);
  const Array out = p["f"](array_of<float>({1, 2, 3}, {3}), 2.0F);
  CHECK(out.to_vector<float>() == std::vector<float>{3, 5, 7});
}

TEST_CASE("host memory in, host memory out") {
  const Program p = compile_text("@jit('f4[:](f4[:])')\ndef f(x):\n    return x[::-1]\n");
  const std::vector<float> x{1, 2, 3};
  const Array out = p["f"](x);
  CHECK(out.to_vector<float>() == std::vector<float>{3, 2, 1});
}

TEST_CASE("what a function stores into a host argument is there after the call") {
  const Program p = compile_text("@jit('void(f4[:])')\ndef f(x):\n    x[1:] *= 10\n");
  std::vector<float> x{1, 2, 3};
  p["f"].call_list({x});
  CHECK(x == std::vector<float>{1, 20, 30});
}

TEST_CASE("several results come as a list, numbers among them as arrays without axes") {
  const Program p =
      compile_text("@jit('(f4, f4[:], i8)(f4[:])')\ndef f(x):\n    return x.max(), x - x.min(), x.size\n");
  const auto [largest, rest, size] = p["f"].call<3>(array_of<float>({3, 1, 2}, {3}));
  CHECK(largest.to_vector<float>() == std::vector<float>{3});
  CHECK(rest.to_vector<float>() == std::vector<float>{2, 0, 1});
  CHECK(size.to_vector<int64_t>() == std::vector<int64_t>{3});
}

TEST_CASE("shapes that do not fit are said with names and the line, before anything runs") {
  const Program p = compile_text(
      "@jit('f4[:](f4[:], f4[:], f4[:])')\ndef f(x, y, out):\n    out[:] = 1\n    z = x + 1\n    return z * y\n");
  const Array out = array_of<float>({0, 0, 0}, {3});
  CHECK_ERROR(
      p["f"](array_of<float>({1, 2, 3}, {3}), array_of<float>({1, 2}, {2}), out), ErrorCode::argument,
      "array function 'f', line 5: the shapes do not broadcast: 'x + 1' is (3,), 'y' is (2,); axis -1 is 3 in 'x + 1' "
      "but 2 in 'y'");
  CHECK(out.to_vector<float>() == std::vector<float>{0, 0, 0});
}

TEST_CASE("extents of one name must agree") {
  const Program p = compile_text("@jit('f4[n,m](f4[n,k], f4[k,m])')\ndef f(a, b):\n    return a @ b\n");
  CHECK_ERROR(p["f"](array_of(counted(6), {2, 3}), array_of(counted(8), {4, 2})), ErrorCode::argument,
              "array function 'f': k is 3 in a (axis 1) but 4 in b (axis 0)");
}

TEST_CASE("an index outside is an error of the call") {
  const Program p = compile_text("@jit('f4(f4[:], i8)')\ndef f(x, i):\n    return x[i] + 1\n");
  CHECK(p["f"](array_of<float>({1, 2, 3}, {3}), -1).to_vector<float>() == std::vector<float>{4});
  CHECK_ERROR(p["f"](array_of<float>({1, 2, 3}, {3}), 3), ErrorCode::argument,
              "array function 'f', line 3: index 3 is outside axis 0, which has 3 elements");
}

TEST_CASE("an empty reduction without an identity is an error, others have theirs") {
  const Program p = compile_text(
      "@jit('f4(f4[:])')\ndef largest(x):\n    return x.max()\n"
      "@jit('(f4, f4, b1)(f4[:])')\ndef others(x):\n    return x.sum(), x.prod(), np.all(x)\n");
  const Array none = device().empty({0}, f4);
  CHECK_ERROR(
      p["largest"](none), ErrorCode::argument,
      "array function 'largest', line 3: max of an array of shape (0,), which has no elements along the axes to "
      "fold; give initial=");
  const auto [sum, product, all] = p["others"].call<3>(none);
  CHECK(sum.to_vector<float>() == std::vector<float>{0});
  CHECK(product.to_vector<float>() == std::vector<float>{1});
}

TEST_CASE("names are references to arrays, as in Python") {
  const Program p = compile_text(
      "@jit('(f4[:], f4[:])(f4[:])')\ndef f(x):\n    y = x + 0\n    v = y[1:]\n    w = y * 2\n    y[1] = 100\n    "
      "return v + 0, w\n");
  const auto [view, before] = p["f"].call<2>(array_of<float>({1, 2, 3}, {3}));
  CHECK(view.to_vector<float>() == std::vector<float>{100, 3});
  CHECK(before.to_vector<float>() == std::vector<float>{2, 4, 6});
}

TEST_CASE("a store that reads what it overwrites goes through other memory") {
  const Program p = compile_text("@jit('void(f4[:])')\ndef f(x):\n    x[1:] = x[:-1] + x[1:]\n");
  std::vector<float> values = counted(3000), expected = values;
  for (size_t k = 1; k < values.size(); ++k) expected[k] = values[k - 1] + values[k];
  const Array x = array_of(values, {3000});
  p["f"].call_list({x});
  CHECK(x.to_vector<float>() == expected);
}

TEST_CASE("loops on scalars that kernels compute end when they do") {
  const Program p = compile_text(
      "@jit('(f4[:], i8)(f4[:], f4)')\ndef f(x, limit):\n    n = 0\n    while np.sum(x) < limit:\n        x = x * 2\n"
      "        n += 1\n    return x, n\n");
  const auto [x, n] = p["f"].call<2>(array_of<float>({1, 2, 3}, {3}), 40.0F);
  CHECK(x.to_vector<float>() == std::vector<float>{8, 16, 24});
  CHECK(n.to_vector<int64_t>() == std::vector<int64_t>{3});
}

TEST_CASE("rows of any length give the same sums as rows of a block") {
  const Program p = compile_text(
      "@jit('f4[:,:](f4[:,:])')\ndef f(x):\n    e = np.exp(x - x.max(axis=1, keepdims=True))\n"
      "    return e / e.sum(axis=1, keepdims=True)\n");
  for (const int64_t n : {1, 7, 4096, 4097, 9000}) {
    const std::vector<float> values = counted(static_cast<size_t>(2 * n));
    const std::vector<float> out = p["f"](array_of(values, {2, n})).to_vector<float>();
    double sum = 0;
    for (int64_t k = 0; k < n; ++k) sum += std::exp(static_cast<double>(values[static_cast<size_t>(k)]) - 8.0);
    double total = 0;
    for (int64_t k = 0; k < n; ++k) total += out[static_cast<size_t>(k)];
    CAPTURE(n);
    CHECK(total == Approx(1.0).epsilon(1e-5));
    if (n >= 17) CHECK(out[0] == Approx(std::exp(values[0] - 8.0) / sum).epsilon(1e-5));
  }
}

TEST_CASE("results go to arrays that the caller gives") {
  const Program p = compile_text("@jit('f4[:](f4[:])')\ndef f(x):\n    return x + 1\n");
  const Array x = array_of<float>({1, 2, 3}, {3}), out = array_of<float>({0, 0, 0}, {3});
  CallOptions options;
  options.out = {out};
  p["f"].call_list({x}, options);
  CHECK(out.to_vector<float>() == std::vector<float>{2, 3, 4});
  options.out = {array_of<float>({0, 0}, {2})};
  CHECK_ERROR(p["f"].call_list({x}, options), ErrorCode::argument,
              "array function 'f': out has shape (2,), the result has (3,)");
}

TEST_CASE("an array function calls ufuncs, device functions and array functions with whole arrays") {
  const Program p = compile_text(
      "@vectorize(['f4(f4, f4)'])\ndef hyp(a, b):\n    return math.sqrt(a * a + b * b)\n"
      "def twice(x):\n    return x * 2\n"
      "@jit('f4[:](f4[:])')\ndef shifted(x):\n    return twice(x) - 1\n"
      "@jit('f4[:](f4[:], f4[:])')\ndef f(a, b):\n    return shifted(hyp(a, b))\n");
  CHECK(p["f"](array_of<float>({3, 6}, {2}), array_of<float>({4, 8}, {2})).to_vector<float>() ==
        std::vector<float>{9, 19});
}
