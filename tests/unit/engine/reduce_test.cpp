// Reductions on the CPU and on the emulated GPU: the bits of the documented tree, whatever the axes and strides.
#include <fmt/format.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "jitc/jitc.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;

namespace {

// Before the first device is opened.
const bool is_ready = (setenv("JITC_CUDA_DRIVER", JITC_CUDAEMU, 1), true);

constexpr const char* kText = R"dsl(
from numba import cuda, vectorize

@vectorize(["f4(f4, f4)", "f8(f8, f8)", "i4(i4, i4)", "u1(u1, u1)", "f2(f2, f2)", "c8(c8, c8)", "c16(c16, c16)",
            "b1(b1, b1)"], identity=0)
def add(a, b):
    return a + b

@vectorize(["f4(f4, f4)", "i8(i8, i8)"])
def largest(a, b):
    return max(a, b)

@vectorize(["i4(i4, i4)"])
def left(a, b):
    return a

@vectorize(["i4(i4, i4)"])
def right(a, b):
    return b

@vectorize(["c16(c16, c16)"], fma=False, identity=1)
def affine(a, b):
    return complex(a.real * b.real, a.imag * b.real + b.imag)

@vectorize(["i8(i8, i8)"])
def argmax(a, b):
    x, y = a >> 32, b >> 32
    return a if x >= y else b

@vectorize(["f4(f4, f4)"], fma=False)
def uneven(a, b):
    return 0.75 * a + b

@vectorize
def any_type(a, b):
    return a * 3 + b

@vectorize(["b1(f4, f4)"])
def below(a, b):
    return a < b

@cuda.reduce
def total(a, b):
    return a + b

product = cuda.reduce(lambda a, b: a * b)
)dsl";

const Program& program() {
  static const Program made = compile(kText);
  return made;
}

std::vector<Device> devices() { return {Device::open("cpu"), Device::open("cuda:0")}; }

using Shape = std::vector<int64_t>;

/// The tree as it is documented, with nothing of the implementation.
template <class T, class F>
T tree(std::vector<T> values, const F& f) {
  const auto pairs = [&](std::vector<T> level) {
    while (level.size() > 1) {
      std::vector<T> next;
      for (size_t i = 0; i < level.size(); i += 2) {
        next.push_back(i + 1 < level.size() ? f(level[i], level[i + 1]) : level[i]);
      }
      level = std::move(next);
    }
    return level.front();
  };
  do {
    std::vector<T> blocks;
    for (size_t block = 0; block < values.size(); block += 4096) {
      const size_t end = std::min(block + 4096, values.size());
      std::vector<T> runs;
      for (size_t run = block; run < end; run += 16) {
        T acc = values[run];
        for (size_t i = run + 1; i < std::min(run + 16, end); ++i) acc = f(acc, values[i]);
        runs.push_back(acc);
      }
      blocks.push_back(pairs(runs));
    }
    values = std::move(blocks);
  } while (values.size() > 1);
  return values.front();
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

std::vector<float> floats(size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<float> out(count);
  for (float& v : out) v = std::ldexp(static_cast<float>(random()), -31) - 1.0F;
  return out;
}

/// `fold(values of one result)` for each place of the axes that stay, in C order.
template <class T, class Fold>
std::vector<T> along(const std::vector<T>& values, const Shape& shape, const std::vector<bool>& folded,
                     const Fold& fold) {
  std::map<Shape, std::vector<T>> groups;
  for (size_t i = 0; i < values.size(); ++i) {
    Shape key;
    size_t rest = i;
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (!folded[axis]) key.insert(key.begin(), static_cast<int64_t>(rest % static_cast<size_t>(shape[axis])));
      rest /= static_cast<size_t>(shape[axis]);
    }
    groups[key].push_back(values[i]);
  }
  std::vector<T> out;
  for (const auto& [key, group] : groups) out.push_back(fold(group));
  return out;
}

using Bytes = std::vector<uint8_t>;
Bytes bytes_of(const Array& array) {
  Bytes out(static_cast<size_t>(array.size_bytes()));
  array.copy_to_host(out.data(), out.size());
  return out;
}

float plus(float a, float b) { return a + b; }

}  // namespace

TEST_CASE("a reduction is the documented tree, for any number of elements") {
  const auto uneven = [](float a, float b) { return 0.75F * a + b; };
  for (const Device& device : devices()) {
    for (const size_t count : {1, 2, 3, 15, 16, 17, 31, 33, 100, 255, 256, 257, 1000, 4095, 4096, 4097, 8192, 70000}) {
      CAPTURE(device.name(), count);
      const std::vector<float> values = floats(count);
      const Array array = device.to_device(values);
      CHECK(same_bits(program()["add"].reduce(array).to_vector<float>(), {tree(values, plus)}));
      CHECK(same_bits(program()["uneven"].reduce(array).to_vector<float>(), {tree(values, uneven)}));
    }
  }
}

TEST_CASE("more than 4096 blocks are reduced in three passes") {
  const size_t count = size_t{4096} * 4096 + 5;
  std::vector<int32_t> values(count, 1);
  values.back() = 7;
  const Array array = Device::open("cpu").to_device(values);
  CHECK(program()["add"].reduce(array).to_vector<int32_t>() == std::vector<int32_t>{static_cast<int32_t>(count + 6)});
  CHECK(program()["right"].reduce(array).to_vector<int32_t>() == std::vector<int32_t>{7});
}

TEST_CASE("any axes are reduced, in the order of the array's axes, with the same bits everywhere") {
  const Shape shape{3, 5, 4, 37};
  const std::vector<float> values = floats(3 * 5 * 4 * 37);
  const auto fold = [](const std::vector<float>& group) { return tree(group, plus); };
  const std::vector<std::vector<int>> choices{{0}, {1}, {2}, {3}, {-1}, {0, 1}, {3, 1}, {0, 2}, {-1, 0}, {1, 2, 3}, {}};
  for (const Device& device : devices()) {
    const Array array = device.to_device(values, shape);
    for (const std::vector<int>& axes : choices) {
      std::vector<bool> folded(4);
      for (const int axis : axes) folded[static_cast<size_t>((axis + 4) % 4)] = true;
      Shape left;
      for (size_t axis = 0; axis < 4; ++axis) {
        if (!folded[axis]) left.push_back(shape[axis]);
      }
      CAPTURE(device.name(), axes);
      const Array result = program()["add"].reduce(array, {.axes = axes});
      CHECK(result.shape() == left);
      CHECK(same_bits(result.to_vector<float>(), along(values, shape, folded, fold)));
    }
    CHECK(same_bits(program()["add"].reduce(array, {.all_axes = true}).to_vector<float>(), {tree(values, plus)}));
  }
}

TEST_CASE("many short reductions and few long ones of rows and of columns are the same tree") {
  for (const Device& device : devices()) {
    for (const Shape& shape :
         {Shape{2000, 8}, {8, 2000}, {300, 40}, {40, 300}, {5, 5000}, {5000, 5}, {700, 100}, {100, 70000 / 100}}) {
      const std::vector<float> values = floats(static_cast<size_t>(shape[0] * shape[1]));
      const Array array = device.to_device(values, shape);
      const auto fold = [](const std::vector<float>& group) { return tree(group, plus); };
      for (const int axis : {0, 1}) {
        CAPTURE(device.name(), shape, axis);
        const std::vector<float> expected = along(values, shape, {axis == 0, axis == 1}, fold);
        CHECK(same_bits(program()["add"].reduce(array, {.axes = {axis}}).to_vector<float>(), expected));
        // The same elements, read the other way round.
        const Array other = array.transpose().copy().transpose();
        CHECK(same_bits(program()["add"].reduce(other, {.axes = {axis}}).to_vector<float>(), expected));
      }
    }
  }
}

TEST_CASE("views are reduced as they are") {
  const std::vector<float> values = floats(60 * 50);
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array array = device.to_device(values, {60, 50});
    const Array backwards = array.slice(0, 59, -61, -1), every_third = array.slice(1, 1, 50, 3);
    for (const Array& view : {backwards, every_third, backwards.slice(1, 49, -51, -2), array.transpose()}) {
      for (const int axis : {0, 1}) {
        const std::vector<float> expected = program()["add"].reduce(view.copy(), {.axes = {axis}}).to_vector<float>();
        CHECK(same_bits(program()["add"].reduce(view, {.axes = {axis}}).to_vector<float>(), expected));
      }
    }
    // One row for all: a stride of zero.
    const Array row = array.slice(0, 3, 4);
    const Array repeated(row.buffer(), f4, {20, 50}, {0, 4}, 3 * 50 * 4);
    CHECK(same_bits(program()["add"].reduce(repeated).to_vector<float>(),
                    program()["add"].reduce(repeated.copy()).to_vector<float>()));
  }
}

TEST_CASE("the left operand is always that of earlier elements") {
  for (const Device& device : devices()) {
    for (const size_t count : {1, 2, 17, 300, 4097, 20000}) {
      CAPTURE(device.name(), count);
      std::vector<int32_t> values(count);
      std::vector<std::complex<double>> maps(count);
      std::vector<int64_t> tagged(count);
      for (size_t i = 0; i < count; ++i) {
        values[i] = static_cast<int32_t>(i);
        maps[i] = {1 + 1.0 / static_cast<double>(i + 2), static_cast<double>(i % 7)};
        tagged[i] = static_cast<int64_t>((i * 7919) % 1000) << 32 | static_cast<int64_t>(i);
      }
      const auto compose = [](std::complex<double> a, std::complex<double> b) {
        return std::complex<double>(a.real() * b.real(), a.imag() * b.real() + b.imag());
      };
      const Array ints = device.to_device(values);
      CHECK(program()["left"].reduce(ints).to_vector<int32_t>() == std::vector<int32_t>{0});
      CHECK(program()["right"].reduce(ints).to_vector<int32_t>() == std::vector{static_cast<int32_t>(count - 1)});
      CHECK(program()["right"].reduce(ints, {.initial = -5}).to_vector<int32_t>() ==
            std::vector{static_cast<int32_t>(count - 1)});
      CHECK(program()["left"].reduce(ints, {.initial = -5}).to_vector<int32_t>() == std::vector<int32_t>{-5});
      CHECK(same_bits(program()["affine"].reduce(device.to_device(maps)).to_vector<std::complex<double>>(),
                      {tree(maps, compose)}));
      // The first of the largest, with its place.
      const auto largest =
          std::max_element(tagged.begin(), tagged.end(), [](int64_t a, int64_t b) { return (a >> 32) < (b >> 32); });
      CHECK(program()["argmax"].reduce(device.to_device(tagged)).to_vector<int64_t>() == std::vector{*largest});
    }
  }
}

TEST_CASE("all types are reduced: narrow ones, bools, complex ones") {
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    std::vector<uint8_t> bytes(5000, 3);
    CHECK(program()["add"].reduce(device.to_device(bytes)).to_vector<uint8_t>() ==
          std::vector{static_cast<uint8_t>(15000 % 256)});
    const std::vector<std::complex<float>> pairs(5000, {1, -2});
    CHECK(program()["add"].reduce(device.to_device(pairs)).to_vector<std::complex<float>>() ==
          std::vector<std::complex<float>>{{5000, -10000}});
    const Array flags = device.zeros({5000}, b1);
    CHECK(bytes_of(program()["add"].reduce(flags, {.initial = true})) == Bytes{1});
    CHECK(bytes_of(program()["add"].reduce(flags)) == Bytes{0});
    CHECK(bytes_of(program()["add"].reduce(device.zeros({300}, f2), {.initial = 2})) == Bytes{0, 0x40});
  }
}

TEST_CASE("initial is combined once, on the left, and keepdims keeps the axes") {
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array array = device.to_device(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
    const Array sums = program()["add"].reduce(array, {.axes = {1}, .keepdims = true, .initial = 10});
    CHECK(sums.shape() == Shape{2, 1});
    CHECK(sums.to_vector<float>() == std::vector<float>{16, 25});
    const Array all = program()["uneven"].reduce(array, {.all_axes = true, .keepdims = true, .initial = 100.0});
    CHECK(all.shape() == Shape{1, 1});
    const float result = tree(std::vector<float>{1, 2, 3, 4, 5, 6}, [](float a, float b) { return 0.75F * a + b; });
    CHECK(all.to_vector<float>() == std::vector<float>{75 + result});
  }
}

TEST_CASE("no elements give the initial value or the identity, or an error before anything is done") {
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array none = device.zeros({3, 0}, f4);
    CHECK(program()["add"].reduce(none, {.axes = {1}}).to_vector<float>() == std::vector<float>{0, 0, 0});
    CHECK(program()["add"].reduce(none, {.axes = {1}, .initial = 4}).to_vector<float>() == std::vector<float>{4, 4, 4});
    CHECK(program()["affine"].reduce(device.zeros({0}, c16)).to_vector<std::complex<double>>() ==
          std::vector<std::complex<double>>{{1, 0}});
    CHECK(program()["add"].reduce(none).shape() == Shape{0});
    CHECK(program()["largest"].reduce(none).shape() == Shape{0});
    CHECK_ERROR(program()["largest"].reduce(none, {.axes = {-1}}), ErrorCode::argument,
                "largest.reduce: an array of shape (3, 0) has no elements along the axes to fold, and ufunc 'largest' "
                "has no identity: give an initial value, or an identity in the decorator (identity=0)");
  }
}

TEST_CASE("results go where the caller says, over the argument too") {
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array array = device.to_device(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
    const Array wide = device.zeros({3, 2}, f4);
    program()["add"].reduce(array, {.out = wide.index(1, 1)});
    CHECK(wide.to_vector<float>() == std::vector<float>{0, 5, 0, 7, 0, 9});
    program()["add"].reduce(array, {.out = array[0]});
    CHECK(array.to_vector<float>() == std::vector<float>{5, 7, 9, 4, 5, 6});
    std::vector<float> home(2);
    CHECK_FALSE(program()["add"].reduce(array, {.axes = {1}, .out = home}).valid());
    CHECK(home == std::vector<float>{21, 15});
    CHECK_ERROR(program()["add"].reduce(array, {.out = wide}), ErrorCode::argument,
                "ufunc 'add': out has shape (3, 2), the result has (3,)");
  }
}

TEST_CASE("host memory comes back as an array of the CPU") {
  const std::vector<float> values = floats(1000);
  const Array sum = program()["add"].reduce(values);
  CHECK(sum.shape().empty());
  CHECK(same_bits(sum.to_vector<float>(), {tree(values, plus)}));
  const Stream stream(Device::open("cuda:0"));
  const Array from_gpu = program()["add"].reduce(values, {.stream = stream});
  CHECK(from_gpu.buffer() != nullptr);
  CHECK(same_bits(from_gpu.to_vector<float>(), {tree(values, plus)}));
}

TEST_CASE("arguments that cannot be reduced are refused") {
  const Device device = Device::open("cpu");
  const Array array = device.zeros({2, 3}, f4);
  CHECK_ERROR(program()["add"].reduce(array, {.axes = {2}}), ErrorCode::argument,
              "add.reduce: there is no axis 2: the array has 2 axes");
  CHECK_ERROR(program()["add"].reduce(array, {.axes = {-3}}), ErrorCode::argument,
              "add.reduce: there is no axis -3: the array has 2 axes");
  CHECK_ERROR(program()["add"].reduce(array, {.axes = {1, -1}}), ErrorCode::argument,
              "add.reduce: axis 1 is named twice");
  CHECK_ERROR(program()["add"].reduce(3.0F), ErrorCode::argument,
              "add.reduce: array is a scalar, and must be an array");
  CHECK_ERROR(program()["add"].reduce(Array()), ErrorCode::argument,
              "add.reduce: array is an array that was never allocated");
  CHECK_ERROR(program()["add"].reduce(array, {.initial = array}), ErrorCode::argument,
              "add.reduce: initial is an array, and must be a scalar");
  CHECK_ERROR(program()["largest"].reduce(device.zeros({2}, i8), {.initial = 2.5}), ErrorCode::argument,
              "largest.reduce: initial is f8 2.5, which is no value of i8");
  CHECK_ERROR(program()["largest"].reduce(device.zeros({2}, f8)), ErrorCode::argument,
              "largest.reduce: an array of f8 needs the signature f8(f8, f8), with one type for both values and the "
              "result; those of ufunc 'largest' are\n  f4(f4, f4)\n  i8(i8, i8)");
  CHECK_ERROR(program()["below"].reduce(array), ErrorCode::argument,
              "below.reduce: an array of f4 needs the signature f4(f4, f4), with one type for both values and the "
              "result; those of ufunc 'below' are\n  b1(f4, f4)");
  CHECK_ERROR(program()["total"].accumulate(array), ErrorCode::argument,
              "reduction 'total' has no accumulate: that is what ufuncs of two values have");
  CHECK_ERROR(program()["add"].reduce(array, {.size = 1}), ErrorCode::argument,
              "add.reduce: size is for arrays with one axis, not 2");
}

TEST_CASE("a 0-d array has one element to reduce") {
  const Array point = Device::open("cpu").to_device(std::vector<float>{3}, {});
  CHECK(program()["add"].reduce(point).to_vector<float>() == std::vector<float>{3});
  CHECK(program()["add"].reduce(point, {.initial = 1}).to_vector<float>() == std::vector<float>{4});
}

TEST_CASE("a ufunc without a signature is typed by what it reduces") {
  for (const Device& device : devices()) {
    const auto f = [](double a, double b) { return std::fma(a, 3.0, b); };
    const std::vector<double> values{1, 2, 3, 4, 5};
    CHECK(program()["any_type"].reduce(device.to_device(values)).to_vector<double>() == std::vector{tree(values, f)});
    CHECK(program()["any_type"].reduce(device.to_device(std::vector<int32_t>{1, 2, 3})).to_vector<int32_t>() ==
          std::vector<int32_t>{18});
  }
}

TEST_CASE("a reduction combines init, 0 by default, whatever the array has") {
  const Function total = program()["total"];
  CHECK(total.kind() == FunctionKind::reduction);
  CHECK(total.parameters() == std::vector<std::string>{"array"});
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array ints = device.to_device(std::vector<int32_t>{1, 2, 3, 4, 5});
    CHECK(total.reduce(ints).to_vector<int32_t>() == std::vector<int32_t>{15});
    CHECK(total.reduce(ints, {.initial = 100}).to_vector<int32_t>() == std::vector<int32_t>{115});
    CHECK(total.reduce(ints, {.size = 3}).to_vector<int32_t>() == std::vector<int32_t>{6});
    CHECK(total.reduce(device.zeros({0}, f8)).to_vector<double>() == std::vector<double>{0});
    CHECK(total.reduce(ints, {.initial = 9, .size = 0}).to_vector<int32_t>() == std::vector<int32_t>{9});
    CHECK(program()["product"].reduce(ints).to_vector<int32_t>() == std::vector<int32_t>{0});
    CHECK(program()["product"].reduce(ints, {.initial = 1}).to_vector<int32_t>() == std::vector<int32_t>{120});
    const Array result = device.zeros({3}, i4);
    total.reduce(ints, {.out = result});
    CHECK(result.to_vector<int32_t>() == std::vector<int32_t>{15, 0, 0});
    const std::vector<float> many = floats(70000);
    CHECK(same_bits(total.reduce(device.to_device(many)).to_vector<float>(), {0.0F + tree(many, plus)}));
  }
  const Array square = Device::open("cpu").zeros({2, 2}, f4);
  CHECK_ERROR(total.reduce(square), ErrorCode::argument,
              "reduction 'total' takes an array with one axis, not 2; a ufunc's reduce() chooses among axes");
  CHECK_ERROR(
      total.reduce(square[0], {.keepdims = true}), ErrorCode::argument,
      "reduction 'total' takes an array with one axis and no axes or keepdims; a ufunc's reduce() chooses among "
      "axes");
  CHECK_ERROR(total.reduce(square[0], {.size = 3}), ErrorCode::argument,
              "reduction 'total': size 3 of an array of 2 elements");
  CHECK_ERROR(total(square), ErrorCode::argument,
              "'total' is a reduction: give its array to reduce(), which returns the result");
  CHECK_ERROR(total.launch({}, square), ErrorCode::argument,
              "'total' is a reduction, launch() runs kernels: give its array to reduce(), and the result is returned");
  CHECK_ERROR(total.reduce(square[0], {.out = Device::open("cpu").zeros({0}, f4)}), ErrorCode::argument,
              "reduction 'total': out has no elements");
}

TEST_CASE("accumulate is the exact fold from the left along an axis") {
  const Shape shape{4, 30, 5};
  const std::vector<float> values = floats(600);
  for (const Device& device : devices()) {
    const Array array = device.to_device(values, shape);
    for (const int axis : {0, 1, 2, -1}) {
      CAPTURE(device.name(), axis);
      const auto along_axis = static_cast<size_t>((axis + 3) % 3);
      const size_t step = along_axis == 0 ? 150 : along_axis == 1 ? 5 : 1;
      std::vector<float> expected = values;
      for (size_t i = 0; i < expected.size(); ++i) {
        if (i / step % static_cast<size_t>(shape[along_axis]) != 0) expected[i] = expected[i - step] + values[i];
      }
      CHECK(same_bits(program()["add"].accumulate(array, axis).to_vector<float>(), expected));
      // Into a view, and over the argument itself.
      const Array twice = device.zeros({4, 30, 10}, f4), view = twice.slice(2, 9, -11, -2);
      program()["add"].accumulate(array, axis, {.out = {view}});
      CHECK(same_bits(view.to_vector<float>(), expected));
      const Array own = array.copy();
      program()["add"].accumulate(own, axis, {.out = {own}});
      CHECK(same_bits(own.to_vector<float>(), expected));
      // Over the argument in another order: by way of a copy.
      const Array flipped = array.copy();
      program()["add"].accumulate(flipped, axis, {.out = {flipped.slice(static_cast<int>(along_axis), -1, -99, -1)}});
      CHECK(same_bits(flipped.slice(static_cast<int>(along_axis), -1, -99, -1).to_vector<float>(), expected));
    }
    CHECK(program()["add"].accumulate(device.zeros({3, 0}, f4)).shape() == Shape{3, 0});
    CHECK(program()["add"]
              .accumulate(device.to_device(std::vector<std::complex<float>>{{1, 2}, {3, 4}}))
              .to_vector<std::complex<float>>() == std::vector<std::complex<float>>{{1, 2}, {4, 6}});
    CHECK_ERROR(program()["add"].accumulate(array, 3), ErrorCode::argument,
                "add.accumulate: there is no axis 3: the array has 3 axes");
    CHECK_ERROR(program()["add"].accumulate(device.zeros({}, f4)), ErrorCode::argument,
                "add.accumulate: the array has no axes, and one is needed");
  }
  const std::vector<int32_t> host{1, 2, 3};
  CHECK(program()["add"].accumulate(host).to_vector<int32_t>() == std::vector<int32_t>{1, 3, 6});
}

TEST_CASE("outer applies the function to each pair") {
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array a = device.to_device(std::vector<float>{1, 2, 3, 4}, {2, 2});
    const Array b = device.to_device(std::vector<float>{10, 20, 30});
    const Array sums = program()["add"].outer(a, b);
    CHECK(sums.shape() == Shape{2, 2, 3});
    CHECK(sums.to_vector<float>() == std::vector<float>{11, 21, 31, 12, 22, 32, 13, 23, 33, 14, 24, 34});
    CHECK(program()["add"].outer(a.transpose(), b.slice(0, 2, -4, -2)).to_vector<float>() ==
          std::vector<float>{31, 11, 33, 13, 32, 12, 34, 14});
    CHECK(bytes_of(program()["below"].outer(b, a)) == Bytes(12, 0));
    CHECK(program()["add"].outer(2, b).to_vector<float>() == std::vector<float>{12, 22, 32});
    const Array kept = device.zeros({3, 3}, f4);
    program()["add"].outer(b, b, {.out = {kept}});
    CHECK(kept.to_vector<float>() == std::vector<float>{20, 30, 40, 30, 40, 50, 40, 50, 60});
  }
  const std::vector<float> host{1, 2};
  CHECK(program()["add"].outer(host, host).to_vector<float>() == std::vector<float>{2, 3, 3, 4});
  CHECK_ERROR(program()["total"].outer(host, host), ErrorCode::argument,
              "reduction 'total' has no outer: that is what ufuncs of two values have");
}

TEST_CASE("at applies the function for one index after the other") {
  const std::vector<int64_t> indices{0, 2, -1, 2, 0};
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array target = device.to_device(std::vector<float>{1, 2, 3, 4});
    program()["add"].at(target, indices, 10);
    CHECK(target.to_vector<float>() == std::vector<float>{21, 2, 23, 14});
    program()["uneven"].at(target, indices, device.to_device(std::vector<float>{1, 2, 3, 4, 5}));
    CHECK(target.to_vector<float>() ==
          std::vector<float>{0.75F * (0.75F * 21 + 1) + 5, 2, 0.75F * (0.75F * 23 + 2) + 4, 0.75F * 14 + 3});
    // Rows of a view, by indices of another type and shape that lie on the device.
    const Array rows = device.zeros({3, 4}, i4), view = rows.slice(1, 3, -5, -2);
    const Array where = device.to_device(std::vector<uint16_t>{2, 0, 2, 2}, {2, 2});
    program()["add"].at(view, where, device.to_device(std::vector<int32_t>{1, 100}, {1, 2, 1}));
    CHECK(view.to_vector<int32_t>() == std::vector<int32_t>{100, 100, 0, 0, 102, 102});
    const Array own = device.to_device(std::vector<float>{1, 2, 3});
    program()["add"].at(own, std::vector<int64_t>{1, 1, 0}, own);
    CHECK(own.to_vector<float>() == std::vector<float>{4, 5, 3});
    program()["add"].at(own, std::vector<int64_t>{}, 1);
    CHECK(own.to_vector<float>() == std::vector<float>{4, 5, 3});
    CHECK_ERROR(program()["add"].at(own, std::vector<int64_t>{0, 3}, 1), ErrorCode::argument,
                "add.at: indices[1] is 3, which is outside axis 0 of target, of shape (3,)");
    CHECK(own.to_vector<float>() == std::vector<float>{4, 5, 3});
  }
  std::vector<float> host{1, 2, 3};
  program()["add"].at(host, std::vector<int32_t>{-3, 0}, std::vector<float>{1, 2});
  CHECK(host == std::vector<float>{4, 2, 3});
  CHECK_ERROR(program()["add"].at(host, host, 1), ErrorCode::argument, "add.at: indices are f4, and must be integers");
  CHECK_ERROR(program()["add"].at(host, std::vector<int64_t>{0}, std::vector<double>{1}), ErrorCode::argument,
              "add.at: values are f8 and target is f4; cast them to it");
  const std::vector<float> constant{1};
  CHECK_ERROR(program()["add"].at(constant, std::vector<int64_t>{0}, 1), ErrorCode::argument,
              "add.at: target is read and stored to, but its host memory is not lent for both");
}

TEST_CASE("what cannot take a result is refused before anything runs") {
  const Function add = program()["add"];
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    const Array x = device.zeros({3}, f8);
    CHECK_ERROR(add.reduce(x, {.out = Array()}), ErrorCode::argument,
                "ufunc 'add': out is an array that was never allocated");
    CHECK_ERROR(add.reduce(x, {.out = 3.0}), ErrorCode::argument,
                "ufunc 'add': out is a scalar; results are stored to arrays");
    CHECK_ERROR(add.accumulate(x, 0, {.out = {Array()}}), ErrorCode::argument,
                "ufunc 'add': out is an array that was never allocated");
    CHECK_ERROR(add.accumulate(x, 0, {.out = {3.0}}), ErrorCode::argument,
                "ufunc 'add': out is a scalar; results are stored to arrays");
    std::vector<double> host(1, -7);
    CHECK_ERROR(program()["total"].reduce(x, {.out = in(host)}), ErrorCode::argument,
                "reduction 'total': out is host memory that is lent for reading alone (const, or jitc::in)");
    CHECK(host[0] == -7);
    const Array one = device.zeros({1}, f4), wide = device.wrap(one.data(), {2, 2000}, f4, {0, 0});
    CHECK_ERROR(
        add.at(wide, std::vector<int64_t>{0, 1}, 1), ErrorCode::argument,
        "add.at: target lies over itself: of shape (2, 2000) and strides (0, 0), it has several elements at one "
        "place; work on a copy");
    CHECK_ERROR(add.outer(device.zeros(Shape(9, 1), f4), device.zeros(Shape(8, 1), f4)), ErrorCode::argument,
                "add.outer: the result has the axes of both arrays, 9 and 8; 16 are the most");
  }
}

TEST_CASE("a NaN anywhere is the maximum, a long sum of f4 is accurate, and it has the same bits every time") {
  const Program own = compile(
      "import numpy as np\nfrom numba import vectorize\n@vectorize(['f4(f4, f4)'])\ndef maximum(a, b):\n"
      "    return np.maximum(a, b)\n");
  for (const Device& device : devices()) {
    CAPTURE(device.name());
    for (const size_t place : {0, 31, 32, 255, 256, 777, 999}) {
      std::vector<float> values(1000);
      for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
      values[place] = std::nanf("");
      CHECK(std::isnan(own["maximum"].reduce(device.to_device(values)).to_vector<float>()[0]));
    }
    const size_t count = device.is_host() ? 1'000'000 : 50'000;
    const Array x = device.to_device(std::vector<float>(count, 1.0F / 255));
    const float sum = program()["add"].reduce(x).to_vector<float>()[0];
    CHECK(std::fabs(sum - static_cast<double>(count) * (1.0F / 255)) <= 1e-6 * sum);
    std::atomic<int> others{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        const Stream stream(device);
        for (int i = 0; i < 5; ++i) {
          others += program()["add"].reduce(x, {.stream = stream}).to_vector<float>(stream)[0] != sum;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(others == 0);
  }
}
