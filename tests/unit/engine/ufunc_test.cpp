// Calls of ufuncs: which signature, which shapes, what comes back.
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <complex>
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

TEST_CASE("a complex scalar is no value of a real type, even without an imaginary part") {
  const Array a = Device::open().to_device(ramp(3));
  CHECK_ERROR(program()["minus"](a, std::complex<double>(1, 2)), ErrorCode::argument,
              "no signature of ufunc 'minus' takes (f4[:], c16); the types of arrays must match exactly\n"
              "  f4(f4, f4): the scalar 'b' is c16 1+2j, which is no value of f4");
  CHECK(tests::error_of([&] { program()["minus"](a, std::complex<float>(1, 0)); }).code == ErrorCode::argument);
  CHECK(tests::error_of([&] { program()["product"](std::complex<float>(1, 0), 2.5); }).code == ErrorCode::argument);
}

TEST_CASE("wrapped memory may run backwards; a GPU's must be aligned") {
  const Device device = Device::open();
  const Array bytes = device.zeros({64}, u1), floats = device.to_device(ramp(4));
  const Array backwards = device.wrap(floats.data() + 12, {4}, f4, {-4});
  CHECK(program()["minus"](backwards, 1).to_vector<float>() == Floats{2, 1, 0, -1});
  if (device.is_host()) {
    CHECK(program()["minus"](device.wrap(bytes.data() + 1, {3}, f4), 1).to_vector<float>() == Floats{-1, -1, -1});
    return;
  }
  const auto shifted = tests::error_of([&] { device.wrap(bytes.data() + 1, {3}, f4); });
  CHECK(shifted.code == ErrorCode::argument);
  CHECK_THAT(shifted.text, Catch::Contains("is no multiple of 4 bytes, as f4 needs on cuda:0; copy the elements"));
  CHECK_ERROR(device.wrap(bytes.data(), {3}, f4, {6}), ErrorCode::argument,
              "wrapped memory: the strides (6,) are no multiples of 4 bytes, as f4 needs on cuda:0; copy the elements");
  CHECK(device.wrap(bytes.data() + 4, {3}, c8).size() == 3);
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

TEST_CASE("shapes that do not broadcast are refused with all shapes") {
  const Device device = Device::open();
  CHECK_ERROR(program()["product"](device.zeros({3}, f4), device.zeros({2, 2}, f4)), ErrorCode::argument,
              "ufunc 'product': the shapes do not broadcast: 'a' is (3,), 'b' is (2, 2); axis -1 is 3 in 'a' but 2 in "
              "'b'");
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
              "ufunc 'minus': the shapes do not broadcast: 'a' is (4,), 'out' is (5,); axis -1 is 4 in 'a' but 5 in "
              "'out'");
  CHECK_ERROR(minus.call_into(device.zeros({1}, f4), a, 1), ErrorCode::argument,
              "ufunc 'minus': 'out' has shape (1,), the result has (4,): 'a' is (4,)");
  CHECK_ERROR(minus.call_into(Array(), a, 1), ErrorCode::argument,
              "ufunc 'minus': out is an array that was never allocated");
  const Array same(out.buffer(), f4, {4}, {0}, 0);
  CHECK_ERROR(minus.call_into(same, a, 1), ErrorCode::argument,
              "ufunc 'minus': out lies over itself: of shape (4,) and strides (0,), it has several elements at one "
              "place; store to a copy");
  const Array elsewhere = tests::HostBackend::array(std::make_shared<tests::HostBackend>("other"), {4}, f4);
  CHECK_ERROR(minus.call_into(elsewhere, a, 1), ErrorCode::argument,
              "ufunc 'minus': argument 1 'a' lies on device " + device.name() +
                  " but the result on device other; all arrays of a call must be on one");
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

TEST_CASE("shapes broadcast as NumPy's do, also to a given result") {
  const Device device = Device::open();
  const Function minus = program()["minus"];
  const Array column = device.to_device(Floats{10, 20}, {2, 1}), row = device.to_device(Floats{1, 2, 3});
  CHECK(minus(column, row).shape() == Shape{2, 3});
  CHECK(minus(column, row).to_vector<float>() == Floats{9, 8, 7, 19, 18, 17});
  CHECK(minus(device.to_device(ramp(24), {2, 3, 4}), device.to_device(ramp(3), {3, 1})).shape() == Shape{2, 3, 4});
  const Array out = device.empty({2, 3}, f4);
  minus.call_into(out, row, 1);
  CHECK(out.to_vector<float>() == Floats{0, 1, 2, 0, 1, 2});
  CHECK(minus(device.zeros({0, 3}, f4), row).shape() == Shape{0, 3});
  CHECK(minus(device.zeros({1, 3}, f4), device.zeros({0, 1}, f4)).shape() == Shape{0, 3});
  const Array deep = device.to_device(ramp(2), {2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(minus(deep, row).shape() == Shape{2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3});
  CHECK(minus(deep, row).to_vector<float>() == Floats{-1, -2, -3, 0, -1, -2});
}

TEST_CASE("a tuple gives an array for each of its items") {
  const Device device = Device::open();
  const Program own = compile(R"dsl(
import numpy as np
from numba import vectorize

@vectorize(["(f4, f4)"])
def parts(a, b):
    return a + b, np.int32(a < b), 1
)dsl");
  const Function parts = own["parts"];
  CHECK(parts.results() == std::vector<DType>{f4, i4, i8});
  // What signatures() shows can be written.
  CHECK(parts.signatures() == std::vector<std::string>{"(f4, i4, i8)(f4, f4)"});
  const Function declared = compile(
      "from numba import vectorize\n@vectorize(['(f8, f4)(f4)'])\ndef f(x):\n"
      "    return x, x\n")["f"];
  CHECK(declared.results() == std::vector<DType>{f8, f4});
  const Array a = device.to_device(Floats{1, 5}), b = device.to_device(Floats{2});
  const auto [sum, less, one] = parts.call<3>(a, b);
  CHECK(sum.to_vector<float>() == Floats{3, 7});
  CHECK(less.to_vector<int32_t>() == std::vector<int32_t>{1, 0});
  CHECK(one.to_vector<int64_t>() == std::vector<int64_t>{1, 1});
  CHECK_ERROR(parts(a, b), ErrorCode::argument,
              "ufunc 'parts' has 3 results, and 1 was asked for: take them with call<3>(…)");
  const Array first = device.empty({2}, f4), second = device.empty({2}, i4), third = device.empty({2}, i8);
  parts.call_list({a, b}, {.out = {first, second, third}});
  CHECK(first.to_vector<float>() == Floats{3, 7});
  CHECK(third.to_vector<int64_t>() == std::vector<int64_t>{1, 1});
  CHECK_ERROR(parts.call_list({a, b}, {.out = {first}}), ErrorCode::argument,
              "ufunc 'parts' has 3 results, but out has 1");
  const Array wide = device.empty({5}, i8);
  const Array over(wide.buffer(), f4, {2}, {4}, 4);
  CHECK_ERROR(parts.call_list({a, b}, {.out = {over, second, wide.slice(0, 0, 2)}}), ErrorCode::argument,
              "ufunc 'parts': out0 and out2 share memory; each result needs its own");
  // The first result over an argument that the others still need.
  parts.call_list({a, b}, {.out = {a, second, third}});
  CHECK(a.to_vector<float>() == Floats{3, 7});
  CHECK(second.to_vector<int32_t>() == std::vector<int32_t>{1, 0});
}

TEST_CASE("results live where the arguments live") {
  const Device device = Device::open();
  const Function minus = program()["minus"];
  const Floats host{5, 6, 7};
  const Array from_host = minus(host, 1), from_scalars = minus(5, 1), from_device = minus(device.to_device(host), host);
  CHECK(from_host.buffer()->backend()->name() == "cpu");
  CHECK(from_host.to_vector<float>() == Floats{4, 5, 6});
  CHECK(from_scalars.buffer()->backend()->name() == "cpu");
  CHECK(from_scalars.shape() == Shape{});
  CHECK(from_device.buffer()->backend() == device.backend());
  Floats result(3);
  minus.call_into(result, host, 2);
  CHECK(result == Floats{3, 4, 5});
  minus.call_into(result, device.to_device(host), result);
  CHECK(result == Floats{2, 2, 2});
  // Host memory may lie over itself in the same ways.
  Floats shifted = ramp(100);
  minus.call_into(std::span(shifted).subspan(1), std::span(shifted).first(99), 1);
  CHECK(shifted[1] == -1);
  CHECK(shifted[99] == 97);
  const Floats fixed{1, 2, 3};
  CHECK_ERROR(minus.call_into(fixed, host, 1), ErrorCode::argument,
              "ufunc 'minus': a result was given host memory that is lent for reading alone (const, or jitc::in)");
  CHECK(tests::error_of([&] { minus.call_into(in(result), host, 1); }).code == ErrorCode::argument);
}

TEST_CASE("interleaved results need no copy, and crossing ones are what copies would give") {
  const Device device = Device::open();
  const Function minus = program()["minus"];
  const Array x = device.to_device(ramp(10000));
  const Array even = x.slice(0, 0, 10000, 2), odd = x.slice(0, 1, 10000, 2);
  runtime::Counters& counters = device.backend()->counters;
  const uint64_t allocations = counters.allocations;
  minus.call_into(even, even, odd);
  minus.call_into(odd, odd, 1);
  CHECK(counters.allocations == allocations);
  CHECK(even.to_vector<float>() == Floats(5000, -1));
  const Array square = device.to_device(ramp(10000), {100, 100});
  minus.call_into(square, square, square.transpose());
  const Floats result = square.to_vector<float>();
  for (size_t i = 0; i < 100; ++i) {
    for (size_t k = 0; k < 100; ++k) CHECK(result[100 * i + k] == 99 * (static_cast<float>(i) - static_cast<float>(k)));
  }
}

TEST_CASE("arrays of any place and length are taken, whatever width the loads have") {
  const Device device = Device::open();
  const Function minus = program()["minus"], product = program()["product"];
  const Array floats = device.to_device(ramp(200));
  for (int64_t a = 0; a < 4; ++a) {
    for (int64_t b = 0; b < 4; ++b) {
      for (const int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 33}) {
        const Array out = device.zeros({60}, f4), view = out.slice(0, b, b + n);
        minus.call_into(view, floats.slice(0, a, a + n), floats.slice(0, b + 50, b + 50 + n));
        Floats expected(60);
        for (int64_t i = 0; i < n; ++i) expected[static_cast<size_t>(b + i)] = static_cast<float>(a - b - 50);
        CHECK(out.to_vector<float>() == expected);
      }
    }
  }
  const Array doubles = device.to_device(std::vector<double>(64, 1.5));
  CHECK(product(doubles.slice(0, 1, 64), doubles.slice(0, 1, 64)).to_vector<double>() == std::vector<double>(63, 2.25));
}

TEST_CASE("a chain with given results allocates, copies and waits for nothing, from two streams at once") {
  const Device device = Device::open();
  const Function minus = program()["minus"], product = program()["product"];
  const auto chain = [&](const Stream& stream, const Array& x, const Array& y) {
    for (int i = 0; i < 20; ++i) {
      minus.call_into_on(stream, y, x, 0.5f);
      product.call_into_on(stream, y, y, x);
      minus.call_into_on(stream, y, y, x.slice(0, 0, 1));
    }
  };
  const Stream one(device), two(device);
  const Array x = device.to_device(ramp(5000)), y = device.empty({5000}, f4), z = device.empty({5000}, f4);
  chain(one, x, y), chain(two, x, z);  // compiled
  device.synchronize();
  runtime::Counters& c = device.backend()->counters;
  const auto all = [&] {
    return std::vector<uint64_t>{c.allocations, c.frees,         c.copies_in,
                                 c.copies_out,  c.copies_within, c.synchronizations};
  };
  const std::vector<uint64_t> before = all();
  const uint64_t launches = c.launches;
  std::thread other([&] { chain(two, x, z); });
  chain(one, x, y);
  other.join();
  CHECK(all() == before);
  CHECK(c.launches == launches + 120);
  device.synchronize();
  CHECK(y.to_vector<float>() == z.to_vector<float>());
  CHECK(y.to_vector<float>()[3] == (3 - 0.5f) * 3);
}

TEST_CASE("a hundred and twenty arguments, contiguous or of eight axes") {
  const Device device = Device::open();
  std::string names, sum, types;
  for (int i = 0; i < 120; ++i) {
    names += (i ? ", a" : "a") + std::to_string(i);
    sum += (i ? " + a" : "a") + std::to_string(i);
    types += i ? ", f4" : "f4";
  }
  const Program own = compile("from numba import vectorize\n@vectorize(['f4(" + types + ")'])\ndef total(" + names +
                              "):\n    return " + sum + "\n");
  std::vector<Argument> flat, deep;
  const Array block = device.to_device(ramp(6561 * 2), {6, 3, 3, 3, 3, 3, 3, 3});
  for (int i = 0; i < 120; ++i) {
    flat.emplace_back(device.to_device(Floats(5, static_cast<float>(i))));
    deep.emplace_back(block.slice(0, 0, 6, 2).transpose({7, 6, 5, 4, 3, 2, 1, 0}));
  }
  CHECK(own["total"].call_list(flat)[0].to_vector<float>() == Floats(5, 7140));
  const Array result = own["total"].call_list(deep)[0];
  CHECK(result.shape() == Shape(8, 3));
  const Floats values = result.to_vector<float>();
  CHECK(values[0] == 0);
  CHECK(values[1] == 120 * 4374);  // one step along the last axis is one along the first of the block
  CHECK(values[2187] == 120);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("more elements than 31 bits count, where there is memory for them") {
  constexpr int64_t kCount = (int64_t{1} << 31) + 5;
  const auto free_bytes = static_cast<int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  const Device device = Device::open();
  if (!device.is_host() || free_bytes < 3 * kCount) {
    WARN("skipped: this takes the CPU and " << 3 * kCount << " bytes of memory, " << free_bytes << " are free");
    return;
  }
  const Program own = compile("from numba import vectorize\n@vectorize(['u1(u1)'])\ndef next(x):\n    return x + 1\n");
  const Array x = device.zeros({kCount}, u1);
  const uint8_t mark = 41;
  x.slice(0, kCount - 1, kCount).copy_from_host(&mark, 1);
  own["next"].call_into(x, x);
  const auto at = [&](int64_t i) { return x.slice(0, i, i + 1).to_vector<uint8_t>()[0]; };
  CHECK(at(0) == 1);
  CHECK(at((int64_t{1} << 31) - 1) == 1);
  CHECK(at(int64_t{1} << 31) == 1);
  CHECK(at(kCount - 1) == 42);
  // Rows of a matrix whose offsets need 64 bits.
  const Array rows = x.slice(0, 0, kCount - 5).reshape({1 << 16, 1 << 15}).slice(1, 0, 3);
  own["next"].call_into(rows, rows);
  CHECK(at((int64_t{65535} << 15) + 2) == 2);
  CHECK(at((int64_t{65535} << 15) + 3) == 1);
}
#endif
