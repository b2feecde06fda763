// Calls of ufuncs: which signature, which shapes, what comes back.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "jitc/jitc.hpp"
#include "runtime/common/buffer.hpp"
#include "src/engine/engine.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/host_backend.hpp"

using namespace jitc;

namespace {

constexpr const char* kText = R"dsl(
from numba import cuda, f4, i4, vectorize

@vectorize(["f4(f4, f4)", "f8(f8, f8)", "i4(i4, i4)"])
def product(a, b):
    return a * b

@vectorize(["i4(f8)"])
def truncated(a):
    return a

@vectorize(["f4(f4, f4)"])
def minus(a, b):
    return a - b

@vectorize
def scaled(a, b):
    return 2 * a + b

@cuda.jit("void(f4[:])")
def fill(x):
    x[cuda.grid(1)] = minus(7, 3)
)dsl";

const Program& program() {
  static const Program made = compile(kText);
  return made;
}

std::vector<float> ramp(size_t count) {
  std::vector<float> out(count);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i);
  return out;
}

using Floats = std::vector<float>;
using Shape = std::vector<int64_t>;

}  // namespace

TEST_CASE("a ufunc returns a new array of its arguments' shape") {
  const Device device = Device::open("cpu");
  const Array a = device.to_device(ramp(6), {2, 3}), b = device.to_device(Floats{1, 2, 3, 4, 5, 6}, {2, 3});
  const Array c = program()["product"](a, b);
  CHECK(c.dtype() == f4);
  CHECK(c.shape() == Shape{2, 3});
  CHECK(c.to_vector<float>() == Floats{0, 2, 6, 12, 20, 30});
  CHECK(c.buffer()->backend() == device.backend());
}

TEST_CASE("the dtypes of the arrays choose the signature, and the result converts to its type") {
  const Device device = Device::open();
  const Array ints = device.to_device(std::vector<int32_t>{3, 1 << 30}),
              doubles = device.to_device(std::vector{2.9, -2.9});
  CHECK(program()["product"](ints, ints).to_vector<int32_t>() == std::vector<int32_t>{9, 0});
  CHECK(program()["product"](doubles, doubles).to_vector<double>() == std::vector<double>{2.9 * 2.9, -2.9 * -2.9});
  CHECK(program()["truncated"](doubles).to_vector<int32_t>() == std::vector<int32_t>{2, -2});
}

TEST_CASE("scalars adopt the type of the arrays' signature") {
  const Device device = Device::open();
  const Function product = program()["product"];
  const Array a = device.to_device(ramp(3));
  CHECK(product(a, 0.1).to_vector<float>() == Floats{0.0f * 0.1f, 1.0f * 0.1f, 2.0f * 0.1f});
  CHECK(product(3, a).to_vector<float>() == Floats{0, 3, 6});
  CHECK_ERROR(product(device.zeros({2}, i4), 2.5), ErrorCode::argument,
              "no signature of ufunc 'product' takes (i4[:], f8); the types of arrays must match exactly\n"
              "  f4(f4, f4): cast 'a' from i4 to f4\n"
              "  f8(f8, f8): cast 'a' from i4 to f8\n"
              "  i4(i4, i4): the scalar 'b' is f8 2.5, which is no value of i4");
  CHECK_ERROR(product(a, 1e300), ErrorCode::argument,
              "no signature of ufunc 'product' takes (f4[:], f8); the types of arrays must match exactly\n"
              "  f4(f4, f4): the scalar 'b' is f8 1e+300, which is no value of f4\n"
              "  f8(f8, f8): cast 'a' from f4 to f8\n"
              "  i4(i4, i4): cast 'a' from f4 to i4; the scalar 'b' is f8 1e+300, which is no value of i4");
}

TEST_CASE("scalars alone give an array of rank 0") {
  const Array c = program()["product"](2.5, 4.0);
  CHECK(c.dtype() == f8);
  CHECK(c.shape() == Shape{});
  CHECK(c.to_vector<double>() == std::vector<double>{10});
  const Array point = Device::open().to_device(Floats{3}, {});
  CHECK(program()["product"](point, 2).to_vector<float>() == Floats{6});
}

TEST_CASE("scalars that fit several signatures are refused with the list") {
  CHECK_ERROR(program()["product"](int64_t{2}, int64_t{3}), ErrorCode::argument,
              "(i8, i8) fits several signatures of ufunc 'product'; give the scalars the exact types of one:\n"
              "  f4(f4, f4)\n  f8(f8, f8)\n  i4(i4, i4)");
  CHECK(program()["product"](2, 3).to_vector<int32_t>() == std::vector<int32_t>{6});
}

TEST_CASE("arrays of different dtypes are told which casts help") {
  const Device device = Device::open();
  CHECK_ERROR(program()["product"](device.zeros({3}, f4), device.zeros({3}, f8)), ErrorCode::argument,
              "no signature of ufunc 'product' takes (f4[:], f8[:]); the types of arrays must match exactly\n"
              "  f4(f4, f4): cast 'b' from f8 to f4\n"
              "  f8(f8, f8): cast 'a' from f4 to f8\n"
              "  i4(i4, i4): cast 'a' from f4 to i4; cast 'b' from f8 to i4");
  CHECK_ERROR(program()["product"](device.zeros({3}, f4)), ErrorCode::argument,
              "ufunc 'product' takes 2 arguments, 1 was given: 'b' is missing; its signatures are\n"
              "  f4(f4, f4)\n  f8(f8, f8)\n  i4(i4, i4)");
  CHECK_ERROR(program()["product"](Array(), 1), ErrorCode::argument,
              "ufunc 'product': argument 1 'a' is an array that was never allocated on a device");
}

TEST_CASE("arrays of different shapes are refused with all shapes") {
  const Device device = Device::open();
  CHECK_ERROR(program()["product"](device.zeros({3}, f4), device.zeros({2, 3}, f4)), ErrorCode::argument,
              "ufunc 'product': the arrays must have one shape: 'a' is (3,), 'b' is (2, 3) (shapes are not broadcast "
              "yet)");
}

TEST_CASE("arrays without elements are called and give one") {
  const Device device = Device::open();
  const Array c = program()["product"](device.zeros({0, 4}, f4), device.zeros({0, 4}, f4));
  CHECK(c.shape() == Shape{0, 4});
  CHECK(c.to_vector<float>().empty());
}

TEST_CASE("arguments of any strides are taken") {
  const Device device = Device::open();
  const Array a = device.to_device(ramp(6), {2, 3});
  const Array t = a.transpose(), backwards = device.to_device(ramp(6), {6}).slice(0, 5, -7, -1);
  CHECK(program()["product"](t, t).shape() == Shape{3, 2});
  CHECK(program()["product"](t, t).to_vector<float>() == Floats{0, 9, 1, 16, 4, 25});
  CHECK(program()["minus"](backwards, 1).to_vector<float>() == Floats{4, 3, 2, 1, 0, -1});
}

TEST_CASE("call_into stores into a given array") {
  const Device device = Device::open();
  const Function minus = program()["minus"];
  const Array a = device.to_device(ramp(4)), out = device.zeros({4}, f4);
  minus.call_into(out, a, 1);
  CHECK(out.to_vector<float>() == Floats{-1, 0, 1, 2});
  const Array wide = device.zeros({8}, f4);
  minus.call_into(wide.slice(0, 0, 8, 2), a, 1);
  CHECK(wide.to_vector<float>() == Floats{-1, 0, 0, 0, 1, 0, 2, 0});
  CHECK_ERROR(minus.call_into(device.zeros({4}, f8), a, 1), ErrorCode::argument,
              "ufunc 'minus': out is f8, but f4(f4, f4) returns f4");
  CHECK_ERROR(minus.call_into(device.zeros({5}, f4), a, 1), ErrorCode::argument,
              "ufunc 'minus': out has shape (5,), the result has (4,)");
  CHECK_ERROR(minus.call_into(Array(), a, 1), ErrorCode::argument,
              "ufunc 'minus': out is an array that was never allocated");
  const Array same(out.buffer(), f4, {4}, {0}, 0);
  CHECK_ERROR(minus.call_into(same, a, 1), ErrorCode::argument,
              "ufunc 'minus': out lies over itself: all its elements along axis 0 are one");
  const Array elsewhere = tests::HostBackend::array(std::make_shared<tests::HostBackend>("other"), {4}, f4);
  CHECK_ERROR(minus.call_into(elsewhere, a, 1), ErrorCode::argument,
              "ufunc 'minus': argument 1 'a' lies on device cpu but argument 3 'out' on device other; all arrays of a "
              "call must be on one");
}

TEST_CASE("a result that lies over its arguments is what copies would give") {
  const Device device = Device::open();
  const Function minus = program()["minus"];
  const Array in_place = device.to_device(ramp(1000));
  minus.call_into(in_place, in_place, in_place);
  CHECK(in_place.to_vector<float>() == Floats(1000));
  const Array a = device.to_device(ramp(1001));
  minus.call_into(a.slice(0, 1, 1001), a.slice(0, 0, 1000), 1);
  Floats expected = ramp(1001);
  for (size_t i = 1; i < 1001; ++i) expected[i] = static_cast<float>(i) - 2;
  CHECK(a.to_vector<float>() == expected);
}

TEST_CASE("a ufunc without signatures is typed by the dtypes of its calls") {
  const Device device = Device::open();
  const Program own = compile(kText);
  const Function scaled = own["scaled"];
  CHECK(scaled.is_typed_by_calls());
  CHECK(scaled.signatures().empty());
  CHECK_ERROR(scaled.arguments(), ErrorCode::argument,
              "ufunc 'scaled' has no signature in its text and was not called yet: it is typed by its first call; give "
              "it a signature (CompileOptions::signature) to compile it before");
  CHECK(scaled(device.to_device(ramp(3)), 1.0f).to_vector<float>() == Floats{1, 3, 5});
  CHECK(scaled(2, 3).to_vector<int32_t>() == std::vector<int32_t>{7});
  CHECK(scaled(device.to_device(ramp(2)), 1.0).dtype() == f8);
  CHECK(scaled.signatures() == std::vector<std::string>{"f4(f4, f4)", "i4(i4, i4)", "f8(f4, f8)"});
  CHECK_ERROR(scaled(1), ErrorCode::argument, "ufunc 'scaled' takes 2 arguments, 1 was given: 'b' is missing");
}

TEST_CASE("each form of a call is compiled once") {
  const Device device = Device::open();
  const Program own = compile(kText);
  const Array a = device.to_device(ramp(3));
  CHECK(engine::call(own["minus"], {a, a}).launch.compiled);
  CHECK_FALSE(engine::call(own["minus"], {a, a}).launch.compiled);
  CHECK(engine::call(own["minus"], {a, 1}).launch.compiled);
  CHECK(engine::call(own["minus"], {1, a}).launch.compiled);
  CHECK_FALSE(engine::call(own["minus"], {2.5f, a}).launch.compiled);
  CHECK(engine::call(own["minus"], {1, a}).results[0].to_vector<float>() == Floats{1, 0, -1});
}

TEST_CASE("a ufunc tells what it is, and its kernel for arrays compiles to PTX") {
  const Function product = program()["product"];
  CHECK(product.kind() == FunctionKind::ufunc);
  CHECK(product.parameters() == std::vector<std::string>{"a", "b"});
  CHECK(product.signatures() == std::vector<std::string>{"f4(f4, f4)", "f8(f8, f8)", "i4(i4, i4)"});
  CHECK(product.arguments(1).size() == 2);
  CHECK(product.arguments(1)[1].dtype == f8);
  CHECK_FALSE(product.arguments(1)[1].is_array);
  CHECK(product.results(2) == std::vector<DType>{i4});
  CHECK(program()["fill"].results().empty());
  CHECK_THAT(product.ptx("sm_80"), Catch::Contains("product__f4c1_f4c1_f4c1") && Catch::Contains("mul.rn.f32"));
  CHECK(product.artifact({.name = "cpu"}).signature == "f4(f4, f4)");
  CHECK(program().functions() == std::vector<std::string>{"product", "truncated", "minus", "scaled", "fill"});
  CHECK(program().kernels() == std::vector<std::string>{"fill"});
}

TEST_CASE("kernels are launched, ufuncs are called, and a kernel may call a ufunc for one element") {
  const Device device = Device::open();
  const Array x = device.zeros({2}, f4);
  CHECK_ERROR(program()["product"].launch({{1}, {2}}, x, x), ErrorCode::argument,
              "'product' is a ufunc, launch() runs kernels: call it with its arguments alone, and the result is "
              "returned");
  CHECK_ERROR(program()["fill"](x), ErrorCode::argument,
              "'fill' is a kernel and returns nothing: run it with launch({.grid = …, .block = …}, …)");
  program()["fill"].launch({{1}, {2}}, x);
  CHECK(x.to_vector<float>() == Floats{4, 4});
}

TEST_CASE("sixteen threads call one cold ufunc at once") {
  const Device device = Device::open();
  const Program own = compile(kText);
  std::atomic<int> compiled{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      const engine::CallReport report =
          engine::call(own["scaled"], {device.to_device(ramp(500)), static_cast<float>(i)});
      compiled += report.launch.compiled;
      const Floats result = report.results[0].to_vector<float>();
      for (size_t k = 0; k < result.size(); ++k)
        wrong += result[k] != static_cast<float>(2 * k) + static_cast<float>(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(compiled == 1);
  CHECK(wrong == 0);
  CHECK(own["scaled"].signatures().size() == 1);
}
