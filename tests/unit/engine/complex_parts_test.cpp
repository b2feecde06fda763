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
