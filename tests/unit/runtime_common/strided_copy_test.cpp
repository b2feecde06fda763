// Copies at any strides, against one element after the other.
#include "runtime/common/strided_copy.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>

#include "runtime/common/buffer.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_common/random_views.hpp"
#include "tests/unit/runtime_common/test_device.hpp"

using namespace jitc;
using namespace jitc::tests;
using Ints = std::vector<int64_t>;
using Bytes = std::vector<unsigned char>;

namespace {

constexpr DType kTypes[] = {i1, i2, f4, f8};

/// Elements of a shape at some distance from one another in a block with guards all around.
struct HostElems {
  Bytes block;
  int64_t first = 0;
  Ints strides;
};

/// Strides in a random order of axes, some negative, with gaps; where `may_repeat`, some are zero.
HostElems host_by_chance(const Ints& shape, int64_t elem_bytes, bool may_repeat, Chance& chance) {
  HostElems out;
  out.strides.resize(shape.size());
  int64_t stride = elem_bytes, low = 0, high = elem_bytes;
  for (const int axis : chance.permutation(static_cast<int>(shape.size()))) {
    const auto i = static_cast<size_t>(axis);
    if (may_repeat && chance.one_in(5)) continue;
    // Any distance of at least what lies inside, not only multiples of the element's size.
    const int64_t distance = stride + (chance.one_in(3) ? chance.from(0, 2 * elem_bytes) : 0);
    out.strides[i] = chance.one_in(3) ? -distance : distance;
    (out.strides[i] < 0 ? low : high) += (shape[i] - 1) * out.strides[i];
    stride = distance * (shape[i] - 1) + stride;
  }
  constexpr int64_t kGuard = 16;
  out.block.resize(static_cast<size_t>(high - low + 2 * kGuard));
  for (unsigned char& byte : out.block) byte = static_cast<unsigned char>(chance.from(0, 255));
  out.first = kGuard - low;
  return out;
}

HostView view_of(HostElems& host, const Ints& shape, DType dtype) {
  return {host.block.data() + host.first, dtype, shape, host.strides};
}

/// The elements in C order.
Bytes gather(const std::byte* first, const Ints& shape, const Ints& strides, size_t elem_bytes) {
  Bytes out;
  for (const int64_t offset : offsets_of(shape, strides)) {
    const auto* elem = reinterpret_cast<const unsigned char*>(first + offset);
    out.insert(out.end(), elem, elem + elem_bytes);
  }
  return out;
}

Bytes elems_of(const Array& array) {
  return gather(array.data(), array.shape(), array.strides(), size_bytes(array.dtype()));
}

/// An array's whole block, to see what was touched.
Bytes block_of(const Array& array) {
  const auto* data = reinterpret_cast<const unsigned char*>(array.buffer()->data());
  return {data, data + array.buffer()->size_bytes()};
}

/// `before` with the elements of `array` replaced by those in C order.
Bytes with_elems(Bytes before, const Array& array, const Bytes& elems) {
  const size_t elem_bytes = size_bytes(array.dtype());
  size_t i = 0;
  for (std::byte* address : addresses_of(array)) {
    std::memcpy(before.data() + (address - array.buffer()->data()), elems.data() + i++ * elem_bytes, elem_bytes);
  }
  return before;
}

void fill(const Array& whole, Chance& chance) {
  for (size_t i = 0; i < whole.buffer()->size_bytes(); ++i) {
    whole.buffer()->data()[i] = static_cast<std::byte>(chance.from(0, 255));
  }
}

Array array_by_chance(const Device& device, DType dtype, Chance& chance) {
  const Array whole = device.empty(chance.shape(4, 6), dtype);
  fill(whole, chance);
  return view_by_chance(whole, chance);
}

}  // namespace

TEST_CASE("copies from the host at any strides store each element, and nothing else") {
  Chance chance(3);
  const Device device = test_device();
  for (int round = 0; round < 400; ++round) {
    const DType dtype = kTypes[round % 4];
    const Array array = array_by_chance(device, dtype, chance);
    HostElems host = host_by_chance(array.shape(), static_cast<int64_t>(size_bytes(dtype)), true, chance);
    const HostView view = view_of(host, array.shape(), dtype);
    const Bytes before = block_of(array), block = host.block;
    array.copy_from_host(view);
    CAPTURE(array.shape(), array.strides(), host.strides);
    CHECK(block_of(array) ==
          with_elems(before, array, gather(view.data(), view.shape(), view.strides(), size_bytes(dtype))));
    CHECK(host.block == block);
  }
}

TEST_CASE("copies to the host at any strides store each element, and nothing else") {
  Chance chance(4);
  const Device device = test_device();
  for (int round = 0; round < 400; ++round) {
    const DType dtype = kTypes[round % 4];
    const size_t elem_bytes = size_bytes(dtype);
    const Array array = array_by_chance(device, dtype, chance);
    HostElems host = host_by_chance(array.shape(), static_cast<int64_t>(elem_bytes), false, chance);
    Bytes expected = host.block;
    const Bytes elems = elems_of(array);
    size_t i = 0;
    for (const int64_t offset : offsets_of(array.shape(), host.strides)) {
      std::memcpy(expected.data() + host.first + offset, elems.data() + i++ * elem_bytes, elem_bytes);
    }
    array.copy_to_host(view_of(host, array.shape(), dtype));
    CAPTURE(array.shape(), array.strides(), host.strides);
    CHECK(host.block == expected);
    CHECK(elems_of(array) == elems);
  }
}

TEST_CASE("copies between arrays at any strides store each element, and nothing else") {
  Chance chance(5);
  const Device device = test_device(), other = test_device("other");
  for (int round = 0; round < 400; ++round) {
    const DType dtype = kTypes[round % 4];
    const Array source = array_by_chance(round % 3 == 0 ? other : device, dtype, chance);
    // The same shape in another block: some elements of a larger one, in another order of axes.
    const std::vector<int> axes = chance.permutation(source.rank());
    Ints wide(source.shape().size());
    for (size_t i = 0; i < wide.size(); ++i) wide[i] = 2 * source.shape()[static_cast<size_t>(axes[i])];
    Array target = device.empty(wide, dtype);
    fill(target, chance);
    for (int axis = 0; axis < target.rank(); ++axis) {
      target = chance.one_in(2) ? target.slice(axis, 1, 1 << 20, 2) : target.slice(axis, -2, -(1 << 20), -2);
    }
    std::vector<int> back(axes.size());
    for (size_t i = 0; i < axes.size(); ++i) back[static_cast<size_t>(axes[i])] = static_cast<int>(i);
    target = target.transpose(back);
    const Bytes expected = with_elems(block_of(target), target, elems_of(source));
    target.copy_from(source);
    CAPTURE(source.shape(), source.strides(), target.strides());
    CHECK(block_of(target) == expected);
  }
}

TEST_CASE("an array may be copied from one that it overlaps") {
  Chance chance(6);
  const Device device = test_device();
  for (int round = 0; round < 200; ++round) {
    const Array whole = device.empty({chance.from(2, 12), chance.from(2, 12)}, f4);
    fill(whole, chance);
    const int64_t rows = chance.from(1, whole.shape()[0]), columns = chance.from(1, whole.shape()[1]);
    const auto part = [&] {
      const int64_t row = chance.from(0, whole.shape()[0] - rows), column = chance.from(0, whole.shape()[1] - columns);
      const Array view = whole.slice(0, row, row + rows).slice(1, column, column + columns);
      return chance.one_in(3) ? view.slice(0, rows, -rows - 1, -1) : view;
    };
    const Array source = part(), target = part();
    const Bytes expected = with_elems(block_of(whole), target, elems_of(source));
    target.copy_from(source);
    CHECK(block_of(whole) == expected);
  }
}

TEST_CASE("a square array may be copied from its own transpose") {
  const Device device = test_device();
  std::vector<int32_t> values(9);
  std::iota(values.begin(), values.end(), 0);
  const Array a = device.to_device(values, {3, 3});
  a.copy_from(a.transpose());
  CHECK(a.to_vector<int32_t>() == std::vector<int32_t>{0, 3, 6, 1, 4, 7, 2, 5, 8});
}

TEST_CASE("copy() is in C order whatever the view, and apart from it") {
  Chance chance(7);
  const Device device = test_device();
  for (int round = 0; round < 50; ++round) {
    const Array view = array_by_chance(device, i2, chance);
    const Array copy = view.copy();
    CHECK(copy.is_c_contiguous());
    CHECK(elems_of(copy) == elems_of(view));
    CHECK(copy.buffer() != view.buffer());
  }
}

TEST_CASE("copies with neither gaps nor turns are one run of bytes") {
  const auto axes_of = [](const Ints& shape, const Ints& dst, const Ints& src) {
    static std::byte block[4096];
    runtime::StridedCopy copy;
    copy.dst = block + 2048;
    copy.src = block + 2048;
    copy.shape = shape;
    copy.dst_strides_bytes = dst;
    copy.src_strides_bytes = src;
    copy.elem_bytes = 4;
    return runtime::collapse(copy);
  };
  CHECK(axes_of({3, 4, 5}, {80, 20, 4}, {80, 20, 4}).axes.empty());
  CHECK(axes_of({3, 4, 5}, {80, 20, 4}, {80, 20, 4}).run_bytes == 240);
  CHECK(axes_of({3, 4, 5}, {4, 12, 48}, {4, 12, 48}).run_bytes == 240);
  CHECK(axes_of({5}, {-4}, {-4}).run_bytes == 20);
  CHECK(axes_of({}, {}, {}).run_bytes == 4);
  CHECK(axes_of({1, 1}, {1000, -7}, {0, 99}).run_bytes == 4);
  const runtime::CollapsedCopy rows = axes_of({3, 4, 5}, {80, 20, 4}, {200, 50, 4});
  CHECK(rows.run_bytes == 20);
  REQUIRE(rows.axes.size() == 1);
  CHECK(rows.axes[0].extent == 12);
  const runtime::CollapsedCopy turned = axes_of({5}, {4}, {-4});
  CHECK(turned.run_bytes == 4);
  CHECK(turned.axes.size() == 1);
}
