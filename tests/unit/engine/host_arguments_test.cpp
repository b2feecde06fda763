// Host memory as arguments of launches and calls on the CPU: used where it lies, or copied, and counted.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <thread>

#include "jitc/jitc.hpp"
#include "runtime/common/backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gate.hpp"

using namespace jitc;
using Floats = std::vector<float>;

namespace {

constexpr const char* kText = R"dsl(
from numba import cuda, vectorize

@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]

@cuda.jit("void(f4[:], f4[:])")
def double_of(x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = 2 * x[i]

@cuda.jit("void(f4[:,:], f4[:,:])")
def transposed(x, out):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        out[j, i] = x[i, j]

@cuda.jit("void(f4[::1,:])")
def number_columns(x):
    j = cuda.grid(1)
    if j < x.shape[1]:
        for i in range(x.shape[0]):
            x[i, j] = j

@vectorize(["f4(f4, f4)"])
def product(a, b):
    return a * b
)dsl";

const Program& program() {
  static const Program made = compile(kText);
  return made;
}

const LaunchConfig kEight{{1}, {8}};

/// The copies that launches made of host memory since this was made.
class ImplicitCopies {
 public:
  explicit ImplicitCopies(const Device& device) : device_(device), before_(device.statistics()) {}
  uint64_t in() const { return device_.statistics().implicit_copies_in - before_.implicit_copies_in; }
  uint64_t out() const { return device_.statistics().implicit_copies_out - before_.implicit_copies_out; }

 private:
  Device device_;
  DeviceStatistics before_;
};

/// Elements that begin one byte after an aligned address, between guards.
struct Misaligned {
  explicit Misaligned(const Floats& values) : bytes(values.size() * 4 + 16, std::byte{0xA5}), count(values.size()) {
    std::memcpy(data(), values.data(), values.size() * 4);
  }
  std::byte* data() {
    const auto address = reinterpret_cast<uintptr_t>(bytes.data());
    return bytes.data() + 4 + (4 - address % 4) % 4 + 1;
  }
  HostView view() { return {data(), f4, {static_cast<int64_t>(count)}}; }
  Floats values() {
    Floats out(count);
    std::memcpy(out.data(), data(), count * 4);
    return out;
  }
  bool are_guards_whole() {
    std::byte* const begin = data();
    std::byte* const end = begin + count * 4;
    for (std::byte* byte = bytes.data(); byte != bytes.data() + bytes.size(); ++byte) {
      if ((byte < begin || byte >= end) && *byte != std::byte{0xA5}) return false;
    }
    return true;
  }

  std::vector<std::byte> bytes;
  size_t count;
};

}  // namespace

TEST_CASE("vectors and spans are used where they lie") {
  const ImplicitCopies copies(Device::open("cpu"));
  const Floats x{1, 2, 3};
  Floats y{10, 20, 30}, z{0, 0, 0, 7};
  program()["axpy"].launch(kEight, 2.0f, x, y);
  CHECK(y == Floats{12, 24, 36});
  program()["double_of"].launch(kEight, std::span(x), std::span(z).first(3));
  CHECK(z == Floats{2, 4, 6, 7});
  program()["axpy"].forall(3, 1.0f, x, y);
  CHECK(y == Floats{13, 26, 39});
  CHECK(copies.in() == 0);
  CHECK(copies.out() == 0);
}

TEST_CASE("host memory and device arrays go together") {
  const Device device = Device::open("cpu");
  const Array y = device.zeros({3}, f4);
  program()["axpy"].launch(kEight, 2.0f, Floats{1, 2, 3}, y);
  CHECK(y.to_vector<float>() == Floats{2, 4, 6});
}

TEST_CASE("memory that is only lent for reading is not written") {
  const ImplicitCopies copies(Device::open("cpu"));
  Floats x{1, 2}, y{5, 5};
  const Floats constant{5, 5};
  program()["axpy"].launch(kEight, 2.0f, in(x), in(y));
  CHECK(y == Floats{5, 5});
  program()["axpy"].launch(kEight, 2.0f, x, constant);
  CHECK(constant == Floats{5, 5});
  CHECK(copies.in() == 2);
  CHECK(copies.out() == 0);
}

TEST_CASE("memory for results need not be read") {
  const ImplicitCopies copies(Device::open("cpu"));
  Floats y(3, -1.0f);
  program()["double_of"].launch(kEight, Floats{1, 2, 3}, out(y));
  CHECK(y == Floats{2, 4, 6});
  program()["axpy"].launch(kEight, 1.0f, Floats{1, 1, 1}, in_out(y));
  CHECK(y == Floats{3, 5, 7});
  CHECK(copies.in() + copies.out() == 0);
}

TEST_CASE("misaligned memory is copied in and back, and its neighbours stay") {
  const ImplicitCopies copies(Device::open("cpu"));
  Misaligned x({1, 2, 3}), y({10, 20, 30});
  program()["axpy"].launch(kEight, 2.0f, x.view(), y.view());
  CHECK(y.values() == Floats{12, 24, 36});
  CHECK(x.values() == Floats{1, 2, 3});
  CHECK(x.are_guards_whole());
  CHECK(y.are_guards_whole());
  CHECK(copies.in() == 2);
  CHECK(copies.out() == 1);
}

TEST_CASE("misaligned memory is copied one way when one is asked for") {
  const ImplicitCopies copies(Device::open("cpu"));
  Misaligned x({1, 2, 3}), y({10, 20, 30});
  program()["double_of"].launch(kEight, in(x.view()), out(y.view()));
  CHECK(y.values() == Floats{2, 4, 6});
  CHECK(copies.in() == 1);
  CHECK(copies.out() == 1);
  program()["axpy"].launch(kEight, 1.0f, x.view(), in(y.view()));
  CHECK(y.values() == Floats{2, 4, 6});
  CHECK(copies.in() == 3);
  CHECK(copies.out() == 1);
}

TEST_CASE("strided memory is used where it lies, and its neighbours stay") {
  const ImplicitCopies copies(Device::open("cpu"));
  Floats x{1, -1, 2, -1, 3, -1}, y{0, 0, 0, 9, 9, 9, 9, 9, 9};
  const HostView every_second(x.data(), f4, {3}, {8}), backwards(y.data() + 2, f4, {3}, {-4});
  program()["double_of"].launch(kEight, every_second, backwards);
  CHECK(y == Floats{6, 4, 2, 9, 9, 9, 9, 9, 9});
  const HostView repeated(x.data(), f4, {3}, {0}), every_third(y.data(), f4, {3}, {12});
  program()["double_of"].launch(kEight, repeated, every_third);
  CHECK(y == Floats{2, 4, 2, 2, 9, 9, 2, 9, 9});
  CHECK(copies.in() + copies.out() == 0);
}

TEST_CASE("strides that are no multiple of the element's size are copied") {
  const ImplicitCopies copies(Device::open("cpu"));
  std::vector<std::byte> records(3 * 5, std::byte{0x5A});
  for (int i = 0; i < 3; ++i) {
    const auto value = static_cast<float>(i + 1);
    std::memcpy(records.data() + 5 * i, &value, 4);
  }
  const HostView view(records.data(), f4, {3}, {5});
  program()["axpy"].launch(kEight, 1.0f, view, view.with(HostAccess::in_out));
  for (int i = 0; i < 3; ++i) {
    float value = 0;
    std::memcpy(&value, records.data() + 5 * i, 4);
    CHECK(value == static_cast<float>(2 * (i + 1)));
    CHECK(records[static_cast<size_t>(5 * i + 4)] == std::byte{0x5A});
  }
  CHECK(copies.in() == 2);
  CHECK(copies.out() == 1);
}

TEST_CASE("two axes at any strides, one of them backwards") {
  Floats x(6), y(12, -1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  const HostView rows(x.data() + 3, f4, {2, 3}, {-12, 4}), columns(y.data(), f4, {3, 2}, {16, 4});
  program()["transposed"].launch({{1}, {4, 4}}, rows, columns);
  CHECK(y == Floats{3, 0, -1, -1, 4, 1, -1, -1, 5, 2, -1, -1});
}

TEST_CASE("memory in Fortran order fits an argument that is declared so") {
  Floats x(6);
  program()["number_columns"].launch(kEight, HostView(x.data(), f4, {2, 3}, {4, 8}));
  CHECK(x == Floats{0, 0, 1, 1, 2, 2});
  CHECK_THROWS_AS(program()["number_columns"].launch(kEight, HostView(x.data(), f4, {2, 3})), Error);
  const Floats constant(6, 4.0f);
  CHECK_NOTHROW(program()["number_columns"].launch(kEight, HostView(constant.data(), f4, {2, 3}, {4, 8})));
  CHECK(constant == Floats(6, 4.0f));
}

TEST_CASE("host memory without elements launches") {
  Floats none;
  CHECK_NOTHROW(program()["axpy"].launch(kEight, 2.0f, none, none));
}

TEST_CASE("on a stream, a launch with host memory waits for the kernel") {
  const Device device = Device::open("cpu");
  const Stream stream(device, {.non_blocking = true});
  Misaligned x({1, 2, 3});
  Floats y{1, 1, 1};
  for (int i = 0; i < 50; ++i) program()["axpy"].launch({{1}, {8}, 0, stream}, 1.0f, x.view(), y);
  CHECK(y == Floats{51, 101, 151});
  CHECK(stream.is_done());
}

TEST_CASE("host arrays of every kind are arguments, and arrays of the device") {
  const Device device = Device::open("cpu");
  const ImplicitCopies copies(device);
  const HostArray x = device.pinned_array({3}, f4), y = device.mapped_array({3}, f4), z = device.managed_array({3}, f4);
  for (const HostArray& array : {x, y, z}) std::fill(array.as<float>().begin(), array.as<float>().end(), 3.0f);
  program()["axpy"].launch(kEight, 2.0f, x, y);
  program()["axpy"].launch(kEight, 1.0f, y.on_device(), z.on_device());
  CHECK(y.as<float>()[2] == 9.0f);
  CHECK(z.as<float>()[0] == 12.0f);
  CHECK(copies.in() + copies.out() == 0);
}

TEST_CASE("a host array's memory stays until the stream that uses it is done") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  const Array y = device.zeros({1000}, f4, stream);
  for (int i = 0; i < 10; ++i) {
    const HostArray x = device.mapped_array({1000}, f4);
    std::fill(x.as<float>().begin(), x.as<float>().end(), 1.0f);
    program()["axpy"].launch({{4}, {256}, 0, stream}, 1.0f, x.on_device(), y);
  }
  CHECK(y.to_vector<float>(stream) == Floats(1000, 10.0f));
}

TEST_CASE("a ufunc takes host memory, and returns an array of the CPU") {
  const Floats a{1, 2, 3};
  Misaligned b({4, 5, 6});
  const Array c = program()["product"](a, b.view());
  CHECK(c.to_vector<float>() == Floats{4, 10, 18});
  const Device device = Device::open("cpu");
  const Stream stream(device);
  CHECK(program()["product"].call_on(stream, a, 2.0f).to_vector<float>(stream) == Floats{2, 4, 6});
}

TEST_CASE("host memory is typed and checked as arrays are, and never prepared") {
  std::vector<double> wide(3);
  Floats x(3), y(2);
  CHECK(program()["axpy"].resolve({1.0f, x, x}) == 0);
  CHECK(tests::error_of([&] { program()["axpy"].launch(kEight, 1.0f, x, wide); }).code == ErrorCode::argument);
  CHECK(tests::error_of([&] { program()["product"](x, y); }).code == ErrorCode::argument);
  CHECK_ERROR(program()["axpy"].prepare(kEight, 1.0f, x, x), ErrorCode::argument,
              "kernel 'axpy': host memory cannot be prepared for launches; copy it to a device");
}

TEST_CASE("a checked kernel that fails on a stream with host memory throws from the launch") {
  const Program checked = compile(
      "from numba import cuda\n@cuda.jit('void(i4, i4[:])')\ndef store(at, out):\n    out[at] = 1\n", {.check = true});
  const Stream stream(Device::open("cpu"));
  std::vector<int32_t> out(4);
  CHECK(tests::error_of([&] { checked["store"].launch({.stream = stream}, 4, out); }).code == ErrorCode::kernel);
  CHECK_NOTHROW(checked["store"].launch({.stream = stream}, 3, out));
  CHECK(out == std::vector<int32_t>{0, 0, 0, 1});
}

TEST_CASE("strides that lead out of all memory are refused") {
  Floats x(3);
  CHECK_ERROR(program()["double_of"].launch(kEight, HostView(x.data(), f4, {3}, {INT64_MAX}), x), ErrorCode::argument,
              "host memory of shape (3,) and strides (9223372036854775807,) is more than 2^63 - 1 bytes apart");
}

TEST_CASE("a call whose shapes do not fit copies nothing and waits for nothing") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  tests::Gate gate;
  stream.add_callback(gate.stop());
  std::vector<std::byte> bytes(21);
  const HostView misaligned(bytes.data() + 1, f4, {4});
  const Array five = device.zeros({5}, f4, stream);
  gate.await_arrival();
  const uint64_t copies = device.backend()->counters.implicit_copies_in;
  CHECK_THROWS_AS(program()["product"].call_on(stream, misaligned, five), Error);
  CHECK_FALSE(stream.is_done());
  CHECK(device.backend()->counters.implicit_copies_in == copies);
  gate.open();
}

TEST_CASE("handles that were moved from are still handles") {
  Device device = Device::open("cpu");
  Program text = program();
  Function axpy = text["axpy"];
  const std::vector<float> x(4);
  PreparedLaunch launch = axpy.prepare({}, 1, device.to_device(x), device.to_device(x));
  Event event(device);
  const Device other_device = std::move(device);
  const Program other_text = std::move(text);
  const Function other_axpy = std::move(axpy);
  const PreparedLaunch other_launch = std::move(launch);
  const Event other_event = std::move(event);
  CHECK(device.name() == "cpu");
  CHECK(text.functions() == other_text.functions());
  CHECK(axpy.name() == other_axpy.name());
  CHECK_NOTHROW(launch.run());
  CHECK(event.is_done());
}

TEST_CASE("arrays that were never allocated say so") {
  const Device device = Device::open("cpu");
  const std::string never = "the array is empty: it was never allocated on a device";
  CHECK_ERROR(Array().to_vector<float>(), ErrorCode::argument, never);
  CHECK_ERROR(device.empty_like(Array()), ErrorCode::argument, never + ", so nothing is like it");
  CHECK_ERROR(device.to_device(HostArray()), ErrorCode::argument, "the host array is empty: it was never allocated");
}
