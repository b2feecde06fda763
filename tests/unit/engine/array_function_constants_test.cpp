// Arrays of constants in array functions, written in them or at the top of the file; and methods of ufuncs.
#include <catch2/catch.hpp>
#include <vector>

#include "src/engine/engine.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

/// The result of `f` of that file for 1, 2, 3 and 10.
Array result_of(const std::string& text, const std::string& signature = "f8[:](f8[:], f8)") {
  const Program p = compile_text("import numpy as np\nfrom numba import jit, vectorize, guvectorize\n" + text + "\n");
  REQUIRE(p["f"].signatures().at(0) == signature);
  return p["f"](array_of<double>({1, 2, 3}, {3}), 10.0);
}

std::vector<double> values_of(const std::string& expression) {
  return result_of("@jit('f8[:](f8[:], f8)')\ndef f(x, a):\n    return " + expression).to_vector<double>();
}

/// The element type that `np.array` has without dtype=, by what is stored of it.
DType type_of(const std::string& items) {
  const Program p = compile_text("@jit('(f4, i4, b1)')\ndef f(s, i, b):\n    return np.array(" + items + ")\n");
  return p["f"](1.0F, 2, true).dtype();
}

std::string errors_of(const std::string& text) {
  try {
    compile_text("import numpy as np\nfrom numba import jit, vectorize, guvectorize, float32\n" + text);
  } catch (const CompileError& error) {
    std::string out;
    for (const DiagnosticMessage& d : error.diagnostics()) out += d.code + " " + d.message + "; ";
    return out;
  }
  return "none";
}

std::string errors_of_return(const std::string& expression) {
  return errors_of("@jit('(f8[:], f8)')\ndef f(x, a):\n    return " + expression + "\n");
}

}  // namespace

TEST_CASE("np.array of numbers in an array function") {
  CHECK(values_of("x * np.array([1.0, 10.0, 100.0])") == std::vector<double>{1, 20, 300});
  CHECK(values_of("x + np.array((1, 2, 3))") == std::vector<double>{2, 4, 6});
  CHECK(values_of("np.array([x[0], a, a * x[2], 0.5, x.sum()])") == std::vector<double>{1, 10, 30, 0.5, 6});
  CHECK(values_of("np.array([[1, 2, 3], [a, 5, x[1]]], dtype=np.float64) @ x") == std::vector<double>{14, 26});
  CHECK(values_of("np.array([[1, a], [x[0], 4.0]]).T.ravel()") == std::vector<double>{1, 1, 10, 4});
  CHECK(values_of("np.array([], dtype=np.float64)").empty());
  CHECK(values_of("np.array([[[1.0, 2.0]], [[3.0, 4.0]]]).sum(axis=0)[0]") == std::vector<double>{4, 6});
  CHECK(values_of("np.asarray(np.array([3, 4]), dtype=np.float64)") == std::vector<double>{3, 4});
  CHECK(values_of("np.array(x)") == std::vector<double>{1, 2, 3});
}

TEST_CASE("the element type of np.array is NumPy's") {
  CHECK(type_of("[1, 2]") == i8);
  CHECK(type_of("[1, 2.5]") == f8);
  CHECK(type_of("[True, False]") == b1);
  CHECK(type_of("[True, 2]") == i8);
  CHECK(type_of("[s, s]") == f4);
  CHECK(type_of("[s, 1.0]") == f8);
  CHECK(type_of("[i, True]") == i4);
  CHECK(type_of("[i, 1]") == i8);
  CHECK(type_of("[i, s]") == f8);
  CHECK(type_of("[b, b]") == b1);
  CHECK(type_of("[1, 2j]") == c16);
  CHECK(type_of("[1.5, s], dtype=np.float32") == f4);
  CHECK(type_of("[18446744073709551615]") == u8);
}

TEST_CASE("complex constants keep both parts") {
  const Program p = compile_text("@jit('c16[:](f8)')\ndef f(a):\n    return np.array([1+2j, 3, a, -1j])\n");
  using C = std::complex<double>;
  CHECK(p["f"](7.0).to_vector<C>() == std::vector<C>{{1, 2}, {3, 0}, {7, 0}, {0, -1}});
}

TEST_CASE("an array of constants is a value: stores to it change nothing else") {
  CHECK(result_of("@jit('f8[:](f8[:], f8)')\ndef f(x, a):\n    w = np.array([1.0, 2.0, 3.0])\n    w[1] = a\n"
                  "    return w + np.array([1.0, 2.0, 3.0])")
            .to_vector<double>() == std::vector<double>{2, 12, 6});
  const std::string loop =
      "@jit('f8[:](f8[:], f8)')\ndef f(x, a):\n    w = np.array([1.0, 2.0, 3.0])\n    for k in range(3):\n"
      "        w[k] = w[k] + a\n        w = w + x\n    return w";
  CHECK(result_of(loop).to_vector<double>() == std::vector<double>{14, 18, 22});
  // What one call returns, the caller may write; the next call returns the constants.
  const Program p = compile_text("W = np.array([1.0, 2.0])\n@jit('f8[:](f8)')\ndef f(a):\n    return W\n");
  const Array first = p["f"](0.0);
  const double nine = 9;
  first.slice(0, 0, 1).copy_from_host(&nine, 8);
  CHECK(p["f"](0.0).to_vector<double>() == std::vector<double>{1, 2});
}

TEST_CASE("constants of the file are arrays in array functions") {
  const std::string head =
      "W = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32)\nSTEPS = [0.5, 0.25, 1]\nPAIR = ((1, 2), (3, 4))\n";
  const auto values = [&](const std::string& expression) {
    return result_of(head + "@jit('f8[:](f8[:], f8)')\ndef f(x, a):\n    return " + expression).to_vector<double>();
  };
  CHECK(values("W @ x") == std::vector<double>{14, 32});
  CHECK(values("(x * W).sum(axis=1)") == std::vector<double>{14, 32});
  CHECK(values("W[1, ::-1] + x") == std::vector<double>{7, 7, 7});
  CHECK(values("x * W[0, 2] + W.shape[0] + len(W)") == std::vector<double>{7, 10, 13});
  CHECK(values("x * np.array(STEPS)") == std::vector<double>{0.5, 0.5, 3});
  CHECK(values("np.array(PAIR, dtype=np.float64)[1] * STEPS[1]") == std::vector<double>{0.75, 1});
  CHECK(values("np.where(a > 0, W[0], W[1]) * x") == std::vector<double>{1, 4, 9});
  CHECK(values("(W[0] if a > 100 else W[1]) * x") == std::vector<double>{4, 10, 18});
}

TEST_CASE("device functions, ufuncs and kernels use the same constants") {
  const std::string head =
      "W = np.array([2.0, 3.0])\n\ndef line(x):\n    return W[0] * x + W[1]\n\n"
      "@vectorize(['f8(f8)'])\ndef unit(x):\n    return W[1] * x\n\n@jit\ndef scaled(x, w):\n    return x * w[0]\n\n";
  const auto values = [&](const std::string& expression) {
    return result_of(head + "@jit('f8[:](f8[:], f8)')\ndef f(x, a):\n    return " + expression).to_vector<double>();
  };
  CHECK(values("line(x)") == std::vector<double>{5, 7, 9});
  CHECK(values("x * line(a)") == std::vector<double>{23, 46, 69});
  CHECK(values("scaled(x, W)") == std::vector<double>{2, 4, 6});
  CHECK(values("unit(x)") == std::vector<double>{3, 6, 9});
  const Program p =
      compile_text("STEPS = [1.0, 2.5]\n@cuda.jit('void(f8[:])')\ndef k(out):\n    out[0] = STEPS[1] + len(STEPS)\n");
  const Array out = array_of<double>({0}, {1});
  p["k"].launch({.grid = {1}, .block = {1}}, out);
  CHECK(out.to_vector<double>() == std::vector<double>{4.5});
}

TEST_CASE("constants that are only read take no memory of a call") {
  const Program p = compile_text(
      "W = np.array([1.0, 2.0, 4.0])\n@jit('f8[:](f8[:])')\ndef f(x):\n    return (x + W) * np.array([1.0, 0.5, "
      "2.0])\n");
  const Array x = array_of<double>({1, 1, 1}, {3});
  CHECK(p["f"](x).to_vector<double>() == std::vector<double>{2, 1.5, 10});
  const uint64_t before = device().statistics().allocations, launches = device().statistics().launches;
  p["f"](x);
  CHECK(device().statistics().allocations - before == 1);
  CHECK(device().statistics().launches - launches == 1);
}

TEST_CASE("lists that are no arrays are explained") {
  CHECK(errors_of_return("np.array([[1, 2], [3]])") ==
        "JT0429 np.array() takes rows of one length: this one has 1 item, the first has 2; ");
  CHECK(errors_of_return("np.array([[1, 2], 3])") ==
        "JT0429 np.array() takes rows of one depth: here is a number, and a list of 2 at its place in the first row; ");
  CHECK(errors_of_return("np.array([1, [2, 3]])") ==
        "JT0429 np.array() takes rows of one depth: here is a list, and a number at its place in the first row; ");
  CHECK(errors_of_return("np.array([x, x])") == "JT0429 np.array() takes lists of numbers, not of f8[:]; ");
  CHECK(errors_of_return("np.array([[[[1]]]])") == "JT0429 np.array() takes lists at most 3 deep; ");
  CHECK(errors_of_return("np.array([300], dtype=np.uint8)") == "JT0611 300 is not a value of u1; ");
  std::string many = "np.array([a";
  for (int k = 0; k < 64; ++k) many += ", a";
  CHECK(errors_of_return(many + "])") == "JT0429 np.array() takes at most 64 numbers that are no constants, not 65; ");
}

TEST_CASE("constants of the file cannot be written") {
  const auto errors = [](const std::string& body) {
    return errors_of("W = np.array([1.0, 2.0])\n@jit('void(f8[:])')\ndef f(x):\n" + body);
  };
  const std::string refused =
      "JT0432 array functions do not have a store to an array of constants; np.array(…) makes a copy of it to store "
      "to; ";
  CHECK(errors("    W[0] = 1\n") == refused);
  CHECK(errors("    w = W.T\n    w[0] = 1\n") == refused);
  CHECK(errors("    w = np.array(W)\n    w[0] = 1\n    x[:] = w[0]\n") == "none");
}

TEST_CASE("reduce of NumPy's ufuncs is a fold along the first axis, unless another is named") {
  const Program p = compile_text(
      "@jit('(f8[:], f8[:], f8, f8[:,:])(f8[:,:])')\ndef f(x):\n"
      "    return (np.add.reduce(x), np.multiply.reduce(x, 1), np.maximum.reduce(x, axis=None),\n"
      "            np.minimum.reduce(x, axis=1, keepdims=True))\n"
      "@jit('(b1[:], b1, f8[:], i8[:])(f8[:,:])')\ndef g(x):\n"
      "    return (np.logical_and.reduce(x > 1), np.logical_or.reduce(x > 5, axis=(0, 1)), np.fmax.reduce(x),\n"
      "            np.add.reduce(x > 1, axis=0))\n"
      "@jit('(f4, f8)(f4[:])')\ndef h(x):\n    return np.add.reduce(x, initial=100), np.add.reduce(x, "
      "dtype=np.float64)\n");
  const Array x = array_of<double>({1, 2, 3, 4, 5, 6}, {2, 3});
  const auto [sum, product, max, min] = p["f"].call<4>(x);
  CHECK(sum.to_vector<double>() == std::vector<double>{5, 7, 9});
  CHECK(product.to_vector<double>() == std::vector<double>{6, 120});
  CHECK(max.to_vector<double>() == std::vector<double>{6});
  CHECK(min.shape() == std::vector<int64_t>{2, 1});
  CHECK(min.to_vector<double>() == std::vector<double>{1, 4});
  const auto [all, any, fmax, count] = p["g"].call<4>(x);
  CHECK(all.rank() == 1);
  CHECK(any.rank() == 0);
  CHECK(fmax.to_vector<double>() == std::vector<double>{4, 5, 6});
  CHECK(count.to_vector<int64_t>() == std::vector<int64_t>{1, 2, 2});
  const auto [from, wide] = p["h"].call<2>(array_of<float>({1, 2, 3}, {3}));
  CHECK(from.to_vector<float>() == std::vector<float>{106});
  CHECK(wide.to_vector<double>() == std::vector<double>{6});
}

TEST_CASE("outer of functions of two values") {
  CHECK(values_of("np.subtract.outer(x, x).ravel()[:6]") == std::vector<double>{0, -1, -2, 1, 0, -1});
  CHECK(values_of("np.multiply.outer(a, x)") == std::vector<double>{10, 20, 30});
  CHECK(values_of("np.maximum.outer(x, np.array([[2, 4]]))[:, 0, 1]") == std::vector<double>{4, 4, 4});
  CHECK(values_of("np.hypot.outer(x, x * 0)[:, 2]") == std::vector<double>{1, 2, 3});
  const std::string own = "@vectorize(['f8(f8, f8)'])\ndef less(p, q):\n    return p - 2 * q\n";
  CHECK(result_of(own + "@jit('f8[:](f8[:], f8)')\ndef f(x, a):\n    return less.outer(x, x)[1]").to_vector<double>() ==
        std::vector<double>{0, -2, -4});
}

TEST_CASE("methods that there are not, and gufuncs, are explained") {
  CHECK(errors_of_return("np.subtract.reduce(x)") == "JT0432 array functions do not have np.subtract.reduce(); ");
  CHECK(errors_of_return("np.add.accumulate(x)") == "JT0432 array functions do not have np.add.accumulate(); ");
  CHECK(errors_of_return("np.sin.outer(x, x)") == "JT0432 array functions do not have np.sin.outer(); ");
  const std::string own = "@vectorize(['f8(f8, f8)'])\ndef less(p, q):\n    return p - q\n\n";
  CHECK(errors_of(own + "@jit('f8(f8[:])')\ndef f(x):\n    return less.reduce(x)\n") ==
        "JT0432 array functions do not have less.reduce(); ");
  const std::string gufunc =
      "@guvectorize(['void(f8[:], f8[:])'], '(n)->()')\ndef total(x, out):\n    out[0] = x[0]\n\n";
  CHECK(errors_of(gufunc + "@jit('f8[:](f8[:,:])')\ndef f(x):\n    return total(x)\n") ==
        "JT0432 array functions do not have calls of gufuncs such as 'total'; ");
}
