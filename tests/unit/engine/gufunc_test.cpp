// Calls of generalised ufuncs: core and loop dimensions, what comes back, and what is refused.
#include <catch2/catch.hpp>

#include "jitc/jitc.hpp"
#include "runtime/common/buffer.hpp"
#include "src/engine/engine.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;

namespace {

constexpr const char* kText = R"dsl(
from numba import cuda, f4, f8, guvectorize

@guvectorize(["void(f4[:,:], f4[:,:], f4[:,:])", "void(f8[:,:], f8[:,:], f8[:,:])"], "(m,n),(n,p)->(m,p)")
def matmul(A, B, C):
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            total = 0.0
            for k in range(A.shape[1]):
                total += A[i, k] * B[k, j]
            C[i, j] = total

@guvectorize(["void(f4[:], f4[:])"], "(n)->()")
def total(x, out):
    out[0] = 0
    for i in range(x.size):
        out[0] += x[i]

@guvectorize(["void(f4[:], f4, f4[:], f4[:], i8[:])"], "(n),(),()->(n),()")
def scale(x, by, offset, out, size):
    for i in range(x.shape[0]):
        out[i] = x[i] * by + offset[0]
    size[0] = x.shape[0]

@guvectorize(["void(f8[:], f8[:], f8[:])"], "(3),(3)->(3)")
def cross(a, b, out):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]

@guvectorize(["void(f4[:], f4[:])"], "(n)->(n)")
def inner(x, out):
    for i in range(1, x.size - 1):
        out[i] = x[i - 1] + x[i] + x[i + 1]

@guvectorize(["void(c8, c8[:])"], "()->()")
def turned(x, out):
    out[0] = x * 1j

@guvectorize(["void(f4[:], i8, f4[:])"], "(n),()->()", check=True)
def pick(x, i, out):
    out[0] = x[i]

@guvectorize(["void(f4[::1], f4[:])"], "(n)->()")
def first(x, out):
    out[0] = x[0]

@guvectorize(["void(f4[rows,:], f4[:,rows], f4[rows])"], "(m,n),(n,k)->(m)")
def named(a, b, out):
    out[0] = a[0, 0]

@guvectorize("(n),()->(n)")
def plus(x, y, out):
    for i in range(x.size):
        out[i] = x[i] + y

@cuda.jit("void(f4[:,:], f4[:])")
def kernel(x, out):
    i = cuda.grid(1)
    total(x[i], out[i:])
)dsl";

const Program& program() {
  static const Program made = compile(kText);
  return made;
}

template <class T = float>
std::vector<T> ramp(size_t count, T begin = 0) {
  std::vector<T> out(count);
  for (size_t i = 0; i < count; ++i) out[i] = begin + static_cast<T>(i);
  return out;
}

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Shape = std::vector<int64_t>;

}  // namespace

TEST_CASE("a gufunc sees the last axes, and is called for each index of the others") {
  const Device device = Device::open();
  const Function matmul = program()["matmul"];
  const Array a = device.to_device(ramp(12), {2, 2, 3}), b = device.to_device(ramp(6), {3, 2});
  const Array c = matmul(a, b);
  CHECK(c.shape() == Shape{2, 2, 2});
  CHECK(c.to_vector<float>() == Floats{10, 13, 28, 40, 46, 67, 64, 94});
  CHECK(c.buffer()->backend() == device.backend());
  CHECK(matmul(b, device.to_device(ramp(2), {2, 1})).to_vector<float>() == Floats{1, 3, 5});
  CHECK(program()["total"](a).to_vector<float>() == Floats{3, 12, 21, 30});
  CHECK(program()["total"](device.to_device(ramp(4))).shape() == Shape{});
}

TEST_CASE("the loop dimensions broadcast") {
  const Device device = Device::open();
  const Function matmul = program()["matmul"];
  const Array a = device.to_device(ramp(6), {3, 1, 1, 2}), b = device.to_device(ramp(8), {1, 4, 2, 1});
  const Array c = matmul(a, b);
  CHECK(c.shape() == Shape{3, 4, 1, 1});
  CHECK(c.to_vector<float>() == Floats{1, 3, 5, 7, 3, 13, 23, 33, 5, 23, 41, 59});
  CHECK(matmul(a, device.to_device(ramp(2), {2, 1})).shape() == Shape{3, 1, 1, 1});
  const Array x = device.to_device(ramp(6), {2, 3}), by = device.to_device(Floats{1, 10});
  CHECK(program()["scale"].call<2>(x, by, 0)[0].to_vector<float>() == Floats{0, 1, 2, 30, 40, 50});
}

TEST_CASE("single elements are given as arrays or scalars, and several results come back") {
  const Device device = Device::open();
  const Function scale = program()["scale"];
  const Array x = device.to_device(ramp(3));
  const auto [scaled, sizes] = scale.call<2>(x, 2, 0.5);
  CHECK(scaled.to_vector<float>() == Floats{0.5, 2.5, 4.5});
  CHECK(sizes.shape() == Shape{});
  CHECK(sizes.to_vector<int64_t>() == std::vector<int64_t>{3});
  const auto [many, many_sizes] = scale.call<2>(x, device.to_device(ramp(2)), device.to_device(Floats{7}, {}));
  CHECK(many.shape() == Shape{2, 3});
  CHECK(many.to_vector<float>() == Floats{7, 7, 7, 7, 8, 9});
  CHECK(many_sizes.to_vector<int64_t>() == std::vector<int64_t>{3, 3});
  const Array turned = program()["turned"](std::complex<float>(2, 3));
  CHECK(turned.to_vector<std::complex<float>>() == std::vector<std::complex<float>>{{-3, 2}});
  CHECK_ERROR(scale(x, 2, 0), ErrorCode::argument,
              "gufunc 'scale' has 2 results, and 1 was asked for: take them with call<2>(…)");
}

TEST_CASE("cores of any strides are taken") {
  const Device device = Device::open();
  const Function matmul = program()["matmul"], total = program()["total"];
  const Array a = device.to_device(ramp(6), {2, 3}), b = device.to_device(ramp(6), {2, 3});
  CHECK(matmul(a, b.transpose()).to_vector<float>() == Floats{5, 14, 14, 50});
  CHECK(total(a.transpose()).to_vector<float>() == Floats{3, 5, 7});
  const Array backwards = device.to_device(ramp(8)).slice(0, 7, -9, -2);
  CHECK(program()["inner"](backwards).to_vector<float>()[1] == 15);
  const Array deep = device.to_device(ramp(24), {2, 3, 4});
  CHECK(total(deep.transpose()).to_vector<float>() == Floats{12, 20, 28, 14, 22, 30, 16, 24, 32, 18, 26, 34});
}

TEST_CASE("constant extents must be those of the layout") {
  const Device device = Device::open();
  const Array x = device.to_device(Doubles{1, 0, 0, 0, 1, 0}, {2, 3}), y = device.to_device(Doubles{0, 0, 1});
  CHECK(program()["cross"](x, y).to_vector<double>() == Doubles{0, -1, 0, 1, 0, 0});
  CHECK_ERROR(program()["cross"](x, device.zeros({2, 4}, f8)), ErrorCode::argument,
              "gufunc 'cross': axis -1 of 'b' is 4, the layout says 3: 'a' is (2, 3) for (3), 'b' is (2, 4) for (3)");
}

TEST_CASE("shapes that do not fit are refused with all of them") {
  const Device device = Device::open();
  const Function matmul = program()["matmul"];
  const auto zeros = [&](Shape shape) { return device.zeros(shape, f4); };
  CHECK_ERROR(
      matmul(zeros({5, 2, 3}), zeros({4, 2})), ErrorCode::argument,
      "gufunc 'matmul': the core dimension n is 3 in 'A' (axis -1) but 4 in 'B' (axis -2): 'A' is (5, 2, 3) for "
      "(m,n), 'B' is (4, 2) for (n,p)");
  CHECK_ERROR(matmul(zeros({3}), zeros({3, 2})), ErrorCode::argument,
              "gufunc 'matmul': 'A' has 1 axis, its core (m,n) has 2: 'A' is (3,) for (m,n), 'B' is (3, 2) for (n,p)");
  CHECK_ERROR(
      matmul(zeros({5, 2, 3}), zeros({4, 3, 2})), ErrorCode::argument,
      "gufunc 'matmul', loop dimensions: the shapes do not broadcast: 'A' is (5,), 'B' is (4,); axis -1 is 5 in "
      "'A' but 4 in 'B'");
  CHECK_ERROR(matmul(zeros({2, 3}), 2.0f), ErrorCode::argument, "gufunc 'matmul': 'B' is a scalar, its core is (n,p)");
  CHECK_ERROR(matmul(zeros({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3}), zeros({3, 1})), ErrorCode::argument,
              "gufunc 'matmul': a result would have 17 axes; arrays have at most 16");
}

TEST_CASE("the element types choose the signature and must be exact") {
  const Device device = Device::open();
  const Function matmul = program()["matmul"];
  CHECK(matmul(device.zeros({2, 2}, f8), device.zeros({2, 2}, f8)).dtype() == f8);
  CHECK_ERROR(matmul(device.zeros({2, 2}, f8), device.zeros({2, 2}, f4)), ErrorCode::argument,
              "no signature of gufunc 'matmul' takes (f8[:,:], f4[:,:]); the types of arrays must match exactly\n"
              "  void(f4[:,:], f4[:,:], f4[:,:]): cast 'A' from f8 to f4\n"
              "  void(f8[:,:], f8[:,:], f8[:,:]): cast 'B' from f4 to f8");
  CHECK_ERROR(matmul(device.zeros({2, 2}, f8)), ErrorCode::argument,
              "gufunc 'matmul' takes 2 arguments, 1 was given: 'B' is missing; its signatures are\n"
              "  void(f4[:,:], f4[:,:], f4[:,:])\n  void(f8[:,:], f8[:,:], f8[:,:])");
}

TEST_CASE("loops without elements call nothing, cores without elements are called") {
  const Device device = Device::open();
  const Function matmul = program()["matmul"];
  CHECK(matmul(device.zeros({0, 2, 3}, f4), device.zeros({3, 2}, f4)).shape() == Shape{0, 2, 2});
  const Array c = matmul(device.zeros({2, 2, 0}, f4), device.zeros({0, 3}, f4));
  CHECK(c.shape() == Shape{2, 2, 3});
  CHECK(c.to_vector<float>() == Floats(12));
  CHECK(matmul(device.zeros({2, 0}, f4), device.zeros({0, 0}, f4)).shape() == Shape{2, 0});
  const Array out = device.to_device(Floats{5, 5});
  program()["total"].call_into(out, device.zeros({2, 0}, f4));
  CHECK(out.to_vector<float>() == Floats{0, 0});
}

TEST_CASE("results go to given arrays of any strides, which decide the loop dimensions with the arguments") {
  const Device device = Device::open();
  const Function matmul = program()["matmul"];
  const Array a = device.to_device(ramp(6), {2, 3}), b = device.to_device(ramp(3), {3, 1});
  const Array wide = device.zeros({2, 2, 2}, f4);
  matmul.call_into(wide.slice(2, 1, 2), a, b);
  CHECK(wide.to_vector<float>() == Floats{0, 5, 0, 14, 0, 5, 0, 14});
  CHECK_ERROR(matmul.call_into(device.zeros({2, 2}, f4), a, b), ErrorCode::argument,
              "gufunc 'matmul': C has shape (2, 2), the result has (2, 1)");
  CHECK_ERROR(
      matmul.call_into(device.zeros({2}, f4), a, b), ErrorCode::argument,
      "gufunc 'matmul': 'C' has 1 axis, its core (m,p) has 2: 'A' is (2, 3) for (m,n), 'B' is (3, 1) for (n,p)");
  CHECK_ERROR(matmul.call_into(device.zeros({2, 1}, f8), a, b), ErrorCode::argument,
              "gufunc 'matmul': C is f8, but void(f4[:,:], f4[:,:], f4[:,:]) returns f4");
  CHECK_ERROR(
      matmul.call_into(device.zeros({4, 2, 1}, f4), device.zeros({3, 2, 3}, f4), b), ErrorCode::argument,
      "gufunc 'matmul', loop dimensions: the shapes do not broadcast: 'A' is (3,), 'B' is (), 'C' is (4,); axis "
      "-1 is 3 in 'A' but 4 in 'C'");
}

TEST_CASE("a result that lies over an argument is what copies would give, and keeps what is not written") {
  const Device device = Device::open();
  const Array x = device.to_device(Floats{1, 2, 3, 4, 5, 6, 7, 8}, {2, 4});
  program()["inner"].call_into(x, x);
  CHECK(x.to_vector<float>() == Floats{1, 6, 9, 4, 5, 18, 21, 8});
  const Array apart = device.to_device(Floats{9, 9, 9, 9});
  program()["inner"].call_into(apart, device.to_device(ramp(4)));
  CHECK(apart.to_vector<float>() == Floats{9, 3, 6, 9});
}

TEST_CASE("host memory is taken, and keeps what is not written") {
  const Function inner = program()["inner"];
  const Floats host = ramp(4);
  const Array result = program()["total"](host);
  CHECK(result.buffer()->backend()->name() == "cpu");
  CHECK(result.to_vector<float>() == Floats{6});
  Floats out{9, 9, 9, 9};
  inner.call_into(out, host);
  CHECK(out == Floats{9, 3, 6, 9});
  inner.call_into(out, Device::open().to_device(ramp(4, 1.0f)));
  CHECK(out == Floats{9, 6, 9, 9});
  const Array a = program()["matmul"](HostView(host.data(), f4, {2, 2}), HostView(host.data(), f4, {2, 2}));
  CHECK(a.to_vector<float>() == Floats{2, 3, 6, 11});
}

TEST_CASE("a call on a stream belongs to it") {
  const Device device = Device::open();
  const Stream stream(device);
  const Floats host = ramp(6);  // a copy on a stream reads it later
  const Array x = device.to_device(host, {2, 3}, stream);
  CHECK(program()["total"].call_on(stream, x).to_vector<float>(stream) == Floats{3, 12});
  for (int i = 0; i < 100; ++i) {
    const Array by = device.to_device(std::vector<float>{2});
    const std::vector<Array> results = program()["scale"].call_list({x, by, static_cast<float>(i)}, {.stream = stream});
    CHECK(results[0].to_vector<float>(stream)[5] == static_cast<float>(10 + i));
  }
}

TEST_CASE("a checked gufunc names the array whose index is outside") {
  const Device device = Device::open();
  const Function pick = program()["pick"];
  const Array x = device.to_device(ramp(6), {2, 3});
  CHECK(pick(x, device.to_device(std::vector<int64_t>{-1, 1})).to_vector<float>() == Floats{2, 4});
  CHECK_THROWS_WITH(pick(x, device.to_device(std::vector<int64_t>{0, 3})).to_vector<float>(),
                    Catch::Contains("index 3") && Catch::Contains("x") && Catch::Contains("3"));
}

TEST_CASE("a declared order of the core is asked for") {
  const Device device = Device::open();
  const Array x = device.to_device(ramp(6), {2, 3});
  CHECK(program()["first"](x).to_vector<float>() == Floats{0, 3});
  CHECK(program()["first"](x.slice(0, 0, 2, 2)).to_vector<float>() == Floats{0});
  CHECK_ERROR(program()["first"](x.transpose()), ErrorCode::argument,
              "gufunc 'first': the core (n) of 'x' must be C-contiguous, as f4[::1] says: its shape is (3, 2), its "
              "strides (4, 12)");
}

TEST_CASE("extents that the signature names are one") {
  const Device device = Device::open();
  CHECK(program()["named"](device.zeros({2, 3}, f4), device.zeros({3, 2}, f4)).shape() == Shape{2});
  CHECK_ERROR(program()["named"](device.zeros({2, 3}, f4), device.zeros({3, 4}, f4)), ErrorCode::argument,
              "gufunc 'named': the core dimension rows is 2 in 'a' (axis -2) but 4 in 'b' (axis -1): 'a' is (2, 3) for "
              "(m,n), 'b' is (3, 4) for (n,k)");
}

TEST_CASE("a gufunc without signatures takes the types of its arguments and given results") {
  const Device device = Device::open();
  const Program own = compile(kText);
  const Function plus = own["plus"];
  CHECK(plus.is_typed_by_calls());
  CHECK(plus.layout() == "(n),()->(n)");
  CHECK_ERROR(
      plus(device.zeros({3}, f4), 1.0f), ErrorCode::argument,
      "gufunc 'plus' has no signature, which would say of what type its results are: give it one, or arrays for "
      "the results (call_into, CallOptions::out)");
  const Array out = device.empty({2, 3}, f8);
  plus.call_into(out, device.to_device(ramp(3)), device.to_device(std::vector<int32_t>{1, 2}));
  CHECK(out.to_vector<double>() == Doubles{1, 2, 3, 2, 3, 4});
  CHECK(plus.signatures() == std::vector<std::string>{"void(f4[:], i4, f8[:])"});
  Doubles host(3);
  plus.call_into(host, device.to_device(ramp(3)), 2);
  CHECK(host == Doubles{2, 3, 4});
  CHECK(plus.signatures().size() == 1);
}

TEST_CASE("a gufunc tells what it is, and its kernel compiles to PTX") {
  const Function matmul = program()["matmul"];
  CHECK(matmul.kind() == FunctionKind::gufunc);
  CHECK(matmul.layout() == "(m,n),(n,p)->(m,p)");
  CHECK(matmul.parameters() == std::vector<std::string>{"A", "B"});
  CHECK(matmul.arguments(1).size() == 2);
  CHECK(matmul.arguments(1)[1].dtype == f8);
  CHECK(matmul.arguments(1)[1].rank == 2);
  CHECK_FALSE(program()["scale"].arguments()[1].is_array);
  CHECK(program()["scale"].results() == std::vector<DType>{f4, i8});
  CHECK(program()["kernel"].layout().empty());
  CHECK_THAT(matmul.ptx("sm_80"), Catch::Contains("matmul__f4a3_f4a3_f4a3") && Catch::Contains("fma.rn.f32"));
  CHECK(program().kernels() == std::vector<std::string>{"kernel"});
  CHECK_ERROR(matmul.launch({{1}, {2}}, 1), ErrorCode::argument,
              "'matmul' is a gufunc, launch() runs kernels: call it with its arguments alone, and the result is "
              "returned");
}

TEST_CASE("a kernel may call a gufunc for one core") {
  const Device device = Device::open();
  const Array out = device.zeros({2}, f4);
  program()["kernel"].launch({{1}, {2}}, device.to_device(ramp(6), {2, 3}), out);
  CHECK(out.to_vector<float>() == Floats{3, 12});
}

TEST_CASE("each form of a gufunc's call is compiled once") {
  const Device device = Device::open();
  const Program own = compile(kText);
  const Function total = own["total"];
  const Array x = device.to_device(ramp(6), {2, 3});
  CHECK(engine::call(total, {x}).launch.compiled);
  CHECK_FALSE(engine::call(total, {device.zeros({5, 4}, f4)}).launch.compiled);
  CHECK_FALSE(engine::call(total, {device.zeros({5, 5, 4}, f4)}).launch.compiled);  // two loop axes are one
  CHECK(engine::call(total, {x.transpose()}).launch.compiled);
  CHECK(engine::call(total, {device.zeros({4, 6, 8}, f4).slice(1, 0, 6, 4)}).launch.compiled);
}
