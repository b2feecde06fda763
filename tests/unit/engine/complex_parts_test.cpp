// Real and imaginary parts of complex arrays: views of the same memory in array functions too.
#include <catch2/catch.hpp>
#include <complex>
#include <vector>

#include "src/engine/engine.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;
using Complex = std::complex<float>;
using Numbers = std::vector<Complex>;

namespace {

/// What `body` makes of (1+1j, 2+2j, 3+3j).
Numbers after(const std::string& body) {
  const Program p = compile_text("@jit('void(c8[:])')\ndef k(z):\n" + body);
  const Array z = array_of<Complex>({{1, 1}, {2, 2}, {3, 3}}, {3});
  p["k"].call<0>(z);
  return z.to_vector<Complex>();
}

}  // namespace

TEST_CASE("stores go through parts, however they are named") {
  CHECK(after("    z.imag[0] = 7\n") == Numbers{{1, 7}, {2, 2}, {3, 3}});
  CHECK(after("    z.imag[1:] += 2\n") == Numbers{{1, 1}, {2, 4}, {3, 5}});
  CHECK(after("    z.imag = 5\n") == Numbers{{1, 5}, {2, 5}, {3, 5}});
  CHECK(after("    z.real *= 2\n") == Numbers{{2, 1}, {4, 2}, {6, 3}});
  CHECK(after("    y = z.real\n    y[::2] = 0\n") == Numbers{{0, 1}, {2, 2}, {0, 3}});
  CHECK(after("    z[::-1].imag[:2] = z.real[:2]\n") == Numbers{{1, 1}, {2, 2}, {3, 1}});
  CHECK(after("    z.imag[z.real > 1] = 0\n") == Numbers{{1, 1}, {2, 0}, {3, 0}});
  CHECK(after("    y = z.imag\n    for k in range(2):\n        y[k] += 10\n") == Numbers{{1, 11}, {2, 12}, {3, 3}});
  CHECK(after("    y = z\n    for k in range(2):\n        y = y[1:]\n        y.imag[0] = k\n") ==
        Numbers{{1, 1}, {2, 0}, {3, 1}});
}

TEST_CASE("a store to the array is seen through its parts") {
  const Program p = compile_text(
      "@jit('(f4[:], f4[:])(c8[:])')\ndef k(z):\n    y = z.imag\n    x = z.imag + 0\n    z[0] = 9j\n"
      "    return y + 1, x\n");
  const auto [y, x] = p["k"].call<2>(array_of<Complex>({{1, 1}, {2, 2}}, {2}));
  CHECK(y.to_vector<float>() == std::vector<float>{10, 3});
  CHECK(x.to_vector<float>() == std::vector<float>{1, 2});
}

TEST_CASE("parts of what is computed, and of real arrays") {
  const Program p = compile_text(
      "@jit('(c8[:], f4[:], f8[:])(c8[:], f8[:])')\ndef k(z, a):\n    y = z * 2\n    y.imag[1:] = z.real[:-1]\n"
      "    a.real[0] = 4\n    return y, (z * 2).imag + z.real, a.imag + a.real\n");
  const Array a = array_of<double>({1, 2}, {2});
  const auto [y, sum, same] = p["k"].call<3>(array_of<Complex>({{1, 1}, {2, 2}}, {2}), a);
  CHECK(y.to_vector<Complex>() == Numbers{{2, 2}, {4, 1}});
  CHECK(sum.to_vector<float>() == std::vector<float>{3, 6});
  CHECK(same.to_vector<double>() == std::vector<double>{4, 2});
  CHECK(a.to_vector<double>() == std::vector<double>{4, 2});
}

TEST_CASE("np.real and np.imag are the views that .real and .imag are") {
  const Program p = compile_text(
      "import numpy as np\n\n@jit('(c16[:],)')\ndef f(z):\n    t = np.imag(z)\n    t[:] = 5\n    np.real(z)[1:] += "
      "2\n\n"
      "@jit('(f8[:],)')\ndef g(a):\n    b = np.real(a)\n    b[0] = 9\n    c = np.conj(a)\n    c[1] = 7\n");
  using Z = std::complex<double>;
  const Array z = array_of<Z>({{1, 2}, {3, 4}}, {2});
  p["f"].call<0>(z);
  CHECK(z.to_vector<Z>() == std::vector<Z>{{1, 5}, {5, 5}});
  const Array a = array_of<double>({1, 2, 3}, {3});
  p["g"].call<0>(a);
  CHECK(a.to_vector<double>() == std::vector<double>{9, 7, 3});
}

TEST_CASE("parts of what is computed, where a variable that is stored through crosses a loop") {
  using Z = std::complex<double>;
  const auto call = [](const std::string& body) {
    const Program p = compile_text("import numpy as np\n\n@jit('(c16[:], i8)')\ndef f(z, n):\n" + body);
    const Array z = array_of<Z>({{1, 2}, {3, -4}}, {2});
    return p["f"](z, int64_t{2}).copy().to_vector<double>();
  };
  using Doubles = std::vector<double>;
  CHECK(call("    for i in range(n):\n        z += 1j\n    return (z + 1).imag * 2\n") == Doubles{8, -4});
  CHECK(call("    z[...] = np.zeros(2, dtype=np.complex128).imag\n    if n > 0:\n        z = z * 2\n    z[...] = 1\n"
             "    return z.real + 0\n") == Doubles{1, 1});
  CHECK(
      call(
          "    t = np.full(2, 1j)\n    c = t.imag * 2\n    if n > 0:\n        z = t\n    z[...] = 7\n    return c\n") ==
      Doubles{2, 2});
  CHECK(call("    t = z * 1\n    v = t.imag\n    if n > 0:\n        z = t\n    z[...] = 7j\n    return v + 0\n") ==
        Doubles{7, 7});
}

TEST_CASE("a mask chooses which complex elements are stored") {
  using Z = std::complex<double>;
  const Program p = compile_text("@jit('(c16[:],)')\ndef f(z):\n    z[z.real > 1] = 1j\n    z[z.imag < 0] += 3\n");
  const Array z = array_of<Z>({{1, -2}, {3, 4}}, {2});
  p["f"].call<0>(z);
  CHECK(z.to_vector<Z>() == std::vector<Z>{{4, -2}, {0, 1}});
}
