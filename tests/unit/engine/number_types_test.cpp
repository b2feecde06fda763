// f2, bf16 and complex numbers through the C++ API: elements, scalars, ufuncs.
#include <catch2/catch.hpp>
#include <complex>
#include <vector>

#include "jitc/jitc.hpp"

using namespace jitc;

namespace {

using Complex = std::complex<float>;

constexpr const char* kText = R"dsl(
import numpy as np
from numba import cuda, vectorize

@cuda.jit("void(c8, c16, c8[:])")
def turn(a, b, z):
    i = cuda.grid(1)
    if i < z.size:
        z[i] = z[i] * a + np.complex64(b)

@cuda.jit("void(f2, f2[:], bf16[:])")
def scale(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= a
        y[i] += x[i]

@vectorize(["c8(c8, c8)", "c16(c16, c16)", "f2(f2, f2)"])
def product(a, b):
    return a * b
)dsl";

const Program& program() {
  static const Program out = compile(kText);
  return out;
}

}  // namespace

TEST_CASE("complex scalars and elements are std::complex") {
  std::vector<Complex> z = {{1, 2}, {0, -1}, {0.5F, 0}};
  program()["turn"].launch({.grid = {1}, .block = {32}}, Complex(0, 1), std::complex<double>(10, -20), z);
  CHECK(z == std::vector<Complex>{{8, -19}, {11, -20}, {10, -19.5F}});
}

TEST_CASE("a real scalar is a complex one without an imaginary part, and a complex one is no real") {
  std::vector<Complex> z = {{1, 2}};
  program()["turn"].launch({.grid = {1}, .block = {32}}, 2.0F, 1.0, z);
  CHECK(z == std::vector<Complex>{{3, 4}});
  std::vector<float16> x(1);
  std::vector<bfloat16> y(1);
  CHECK_THROWS_AS(program()["scale"].launch({.grid = {1}, .block = {32}}, Complex(1, 0), x, y), Error);
}

TEST_CASE("halves are held by float16 and bfloat16") {
  std::vector<float16> x = {float16(0.1), float16(-3), float16(60000)};
  std::vector<bfloat16> y = {bfloat16(1), bfloat16(256), bfloat16(0)};
  program()["scale"].launch({.grid = {1}, .block = {32}}, float16(2), x, y);
  CHECK(x == std::vector<float16>{float16(0.19995), float16(-6), float16(HUGE_VAL)});
  CHECK(y == std::vector<bfloat16>{bfloat16(1.2), bfloat16(250), bfloat16(HUGE_VAL)});
}

TEST_CASE("ufuncs dispatch on the new types, and scalars adopt them") {
  const Device device = Device::open("cpu");
  const Array a = device.to_device(std::vector<Complex>{{1, 2}, {0, -1}});
  const Array by_scalar = program()["product"](a, 2.0);
  CHECK(by_scalar.dtype() == c8);
  CHECK(by_scalar.to_vector<Complex>() == std::vector<Complex>{{2, 4}, {0, -2}});
  CHECK(program()["product"](device.zeros({2}, f2), float16(1)).dtype() == f2);
  CHECK_THROWS_AS(program()["product"](device.zeros({2}, bf16), float16(1)), Error);
}
