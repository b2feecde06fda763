// Kernels without a signature: typed at the first launch, for each list of argument types.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "jitc/jitc.hpp"
#include "src/engine/engine.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;

namespace {

constexpr const char* kText = R"dsl(
from numba import cuda

@cuda.jit
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]

@cuda.jit(max_registers=32)
def first_row(m, out):
    j = cuda.grid(1)
    if j < out.size:
        out[j] = m[0, j]

@cuda.jit("void(f4[:])")
def typed(x):
    x[0] = 1
)dsl";

const LaunchConfig kEight{{1}, {8}};

}  // namespace

TEST_CASE("a kernel without a signature is typed at its first launch, once per list of types") {
  const Device device = Device::open("cpu");
  const Function axpy = compile(kText)["axpy"];
  CHECK(axpy.is_typed_by_calls());
  CHECK(axpy.parameters() == std::vector<std::string>{"a", "x", "y"});
  const Array x = device.to_device(std::vector<float>{1, 2, 3}), y = device.zeros({3}, f4);
  CHECK(engine::launch(axpy, kEight, {2.0f, x, y}).compiled);
  CHECK_FALSE(engine::launch(axpy, kEight, {3.0f, x, y}).compiled);
  CHECK(y.to_vector<float>() == std::vector<float>{5, 10, 15});
  const Array x8 = device.to_device(std::vector<double>{1, 2}), y8 = device.zeros({2}, f8);
  axpy.launch(kEight, int64_t{1}, x8, y8);
  CHECK(y8.to_vector<double>() == std::vector<double>{1, 2});
  CHECK(axpy.signatures() == std::vector<std::string>{"void(f4, f4[:], f4[:])", "void(i8, f8[:], f8[:])"});
  CHECK(axpy.resolve({2.0f, x, y}) == 0);
  CHECK(axpy.arguments(1)[2].written);
  CHECK_THAT(axpy.ptx("sm_80"), Catch::Contains("axpy__f4_f4a1_f4a1"));
}

TEST_CASE("a @jit without a signature is an array function of the types of each call") {
  const Device device = Device::open("cpu");
  const Program p = compile(R"dsl(
import numpy as np
from numba import jit, njit, cuda

@njit
def scaled(a, s):
    return a * s

@jit(fma=True)
def twice(a):
    b = scaled(a, 2)
    return b, b.sum(axis=-1)

@cuda.jit("void(f4[:])")
def kernel(x):
    x[0] = scaled(x[0], 3)
)dsl");
  CHECK(p.functions() == std::vector<std::string>{"kernel", "scaled", "twice"});
  CHECK(p.kernels() == std::vector<std::string>{"kernel"});
  const Function twice = p["twice"];
  CHECK(twice.kind() == FunctionKind::array_function);
  CHECK(twice.is_typed_by_calls());
  CHECK(twice.parameters() == std::vector<std::string>{"a"});
  const Array x = device.to_device(std::vector<float>{1, 2, 3, 4}).reshape({2, 2});
  const auto [b, sums] = twice.call<2>(x);
  CHECK(b.to_vector<float>() == std::vector<float>{2, 4, 6, 8});
  CHECK(sums.to_vector<float>() == std::vector<float>{6, 14});
  const auto [c, total] = twice.call<2>(device.to_device(std::vector<int32_t>{1, 2}));
  CHECK(c.to_vector<int32_t>() == std::vector<int32_t>{2, 4});
  CHECK(total.to_vector<int64_t>() == std::vector<int64_t>{6});
  CHECK(twice.signatures() == std::vector<std::string>{"(f4[:,:], f4[:])(f4[:,:])", "(i4[:], i8)(i4[:])"});
  CHECK(p["scaled"](x, 0.5F).to_vector<float>() == std::vector<float>{0.5F, 1, 1.5F, 2});
  p["kernel"].launch({{1}, {1}}, x.reshape({4}));
  CHECK(x.to_vector<float>() == std::vector<float>{3, 2, 3, 4});
  std::vector<double> host{1, 2};
  CHECK(p["scaled"](host, 2.0).to_vector<double>() == std::vector<double>{2, 4});
  CHECK_THROWS_WITH(twice.call<2>(1.0F),
                    Catch::Contains("array function 'twice' does not compile for the types of this call, (f4)") &&
                        Catch::Contains("b.sum(axis=-1)"));
  CHECK_THROWS_WITH(twice.call<2>(x, x), Catch::Contains("takes 1 argument"));
}

TEST_CASE("a signature beside the text makes an array function of @jit, and a kernel of a plain function") {
  const std::string text = "from numba import jit\n\n@jit\ndef f(a):\n    return a + 1\n\ndef g(a):\n    a[0] = 2\n";
  const Program p = compile(text, {.entry = "f", .signature = "f8[:](f8[:])"});
  CHECK(p["f"].kind() == FunctionKind::array_function);
  CHECK(p["f"](Device::open("cpu").to_device(std::vector<double>{1})).to_vector<double>() == std::vector<double>{2});
  CHECK(compile(text, {.entry = "g", .signature = "void(f8[:])"})["g"].kind() == FunctionKind::kernel);
}

TEST_CASE("the contiguous and the strided program belong to one signature") {
  const Device device = Device::open();
  const Function axpy = compile(kText)["axpy"];
  const Array x = device.to_device(std::vector<float>{1, 2, 3, 4}), y = device.zeros({4}, f4);
  CHECK(engine::launch(axpy, kEight, {1.0f, x, y}).contiguous);
  CHECK_FALSE(engine::launch(axpy, kEight, {1.0f, x.slice(0, 3, -5, -1), y}).contiguous);
  CHECK(y.to_vector<float>() == std::vector<float>{5, 5, 5, 5});
  CHECK(axpy.signatures().size() == 1);
}

TEST_CASE("types that the kernel cannot have are an error that names them") {
  const Device device = Device::open();
  const Function row = compile(kText, {.file_name = "rows.dsl"})["first_row"];
  const Array x = device.zeros({4}, f4);
  for (int attempt = 0; attempt < 2; ++attempt) {
    CHECK_ERROR(row.launch(kEight, x, x), ErrorCode::compile,
                "kernel 'first_row' does not compile for the types of this call, (f4[:], f4[:])\n"
                "rows.dsl:14:20: error[JT0417]: 2 indices for f4[:], an array of rank 1\n"
                "  14 |         out[j] = m[0, j]\n"
                "     |                    ^^^^\n");
  }
  CHECK(row.signatures().empty());
  row.launch(kEight, device.zeros({2, 4}, f4), x);
  CHECK(row.signatures() == std::vector<std::string>{"void(f4[:,:], f4[:])"});
}

TEST_CASE("arguments of such a kernel are checked by number and rank") {
  const Device device = Device::open();
  const Function axpy = compile(kText)["axpy"];
  const Array x = device.zeros({4}, f4);
  CHECK_ERROR(axpy.launch(kEight, 1, x), ErrorCode::argument,
              "kernel 'axpy' takes 3 arguments, 2 were given: 'y' is missing");
  CHECK_ERROR(axpy.launch(kEight, 1, x, Array()), ErrorCode::argument,
              "kernel 'axpy': argument 3 'y' is an array that was never allocated on a device");
  CHECK_ERROR(axpy.launch(kEight, 1, device.zeros({1, 1, 1, 1}, f4), x), ErrorCode::argument,
              "kernel 'axpy': argument 2 'x' has 4 axes; arrays of kernels have 1 to 3");
  CHECK_ERROR(axpy.launch({{1}, {2048}}, 1, x, x), ErrorCode::launch,
              "invalid configuration of kernel 'axpy': block.x is 2048, it must be from 1 to 1024");
  CHECK_ERROR(axpy.ptx("sm_80", 7), ErrorCode::argument,
              "kernel 'axpy' has 1 signature, there is no number 7 (they count from 0)");
}

TEST_CASE("a signature beside the text types such a kernel before any launch") {
  const Program program = compile(kText, {.entry = "axpy", .signature = "void(f4, f4[::1], f4[::1])"});
  CHECK_FALSE(program["axpy"].is_typed_by_calls());
  CHECK_THAT(program["axpy"].ptx(), Catch::Contains("axpy__f4_f4c1_f4c1"));
  CHECK(program["first_row"].is_typed_by_calls());
}

TEST_CASE("what no types would mend is reported when the text is compiled") {
  CHECK(tests::error_of([] { compile("@cuda.jit\ndef k(x):\n    x[0] = valeu\n"); }).code == ErrorCode::compile);
  CHECK(tests::error_of([] { compile("@cuda.jit\ndef k(x):\n    return x\n"); }).code == ErrorCode::compile);
  // An int until x says otherwise: a float x makes it right.
  CHECK_NOTHROW(compile("@cuda.jit\ndef k(x):\n    u = 1\n    u *= x[0]\n    x[0] = u ** -2\n"));
}

TEST_CASE("sixteen threads launch one cold kernel without a signature at once") {
  const Device device = Device::open();
  const Function axpy = compile(kText)["axpy"];
  std::atomic<int> compiled{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      const Array x = device.to_device(std::vector<double>(100, 1.0)), y = device.zeros({100}, f8);
      compiled += engine::launch(axpy, {{4}, {32}}, {static_cast<double>(i), x, y}).compiled;
      for (const double value : y.to_vector<double>()) wrong += value != i;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(compiled == 1);
  CHECK(wrong == 0);
  CHECK(axpy.signatures().size() == 1);
}
