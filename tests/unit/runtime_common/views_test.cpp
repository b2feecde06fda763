// Views of arrays, against the addresses that they should have.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "jitc/array.hpp"
#include "runtime/common/buffer.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_common/random_views.hpp"
#include "tests/unit/runtime_common/test_device.hpp"

using namespace jitc;
using namespace jitc::tests;
using Ints = std::vector<int64_t>;

namespace {

Array make(const Ints& shape, DType dtype = f4) { return test_device().empty(shape, dtype); }

int64_t offset_of(const Array& view) { return view.data() - view.buffer()->data(); }

/// The strides of the same addresses in another shape, if there are any: one step along an axis is known from one pair
/// of elements, and then all must be right.
std::optional<Ints> strides_by_search(const std::vector<std::byte*>& addresses, const Ints& shape) {
  Ints strides(shape.size(), 0);
  int64_t step = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] > 1) strides[axis] = addresses[static_cast<size_t>(step)] - addresses[0];
    step *= shape[axis];
  }
  const Ints offsets = offsets_of(shape, strides);
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (addresses[0] + offsets[i] != addresses[i]) return std::nullopt;
  }
  return strides;
}

/// All ways to write `count` as a product, in every order, with a few ones between.
void add_factorizations(int64_t count, const Ints& prefix, std::set<Ints>& out) {
  if (count == 1) {
    out.insert(prefix);
    Ints with_one = prefix;
    with_one.insert(with_one.begin() + static_cast<std::ptrdiff_t>(prefix.size() / 2), 1);
    out.insert(with_one);
    return;
  }
  for (int64_t factor = 2; factor <= count; ++factor) {
    if (count % factor != 0) continue;
    Ints next = prefix;
    next.push_back(factor);
    add_factorizations(count / factor, next, out);
  }
}

}  // namespace

TEST_CASE("transpose moves the axes that it is told") {
  const Array t = make({2, 3, 4}).transpose({1, -1, 0});
  CHECK(t.shape() == Ints{3, 4, 2});
  CHECK(t.strides() == Ints{16, 4, 48});
  CHECK(make({}).transpose(std::vector<int>{}).rank() == 0);
}

TEST_CASE("transpose refuses axes that are not all, each once") {
  const std::string text = " of a transposition are not all axes of an array of rank 2, each once";
  CHECK_ERROR(make({2, 3}).transpose({0}), ErrorCode::argument, "the axes (0)" + text);
  CHECK_ERROR(make({2, 3}).transpose({0, 0}), ErrorCode::argument, "the axes (0, 0)" + text);
  CHECK_ERROR(make({2, 3}).transpose({0, -2}), ErrorCode::argument, "the axes (0, -2)" + text);
  CHECK_ERROR(make({2, 3}).transpose({0, 1, 2}), ErrorCode::argument, "the axes (0, 1, 2)" + text);
  CHECK_ERROR(make({2, 3}).transpose({0, 2}), ErrorCode::argument, "axis 2 of an array of rank 2");
}

TEST_CASE("index takes one position of an axis, from either end") {
  const Array a = make({4, 5, 6}, i2);
  CHECK(a.index(1, 2).shape() == Ints{4, 6});
  CHECK(a.index(1, 2).strides() == Ints{60, 2});
  CHECK(offset_of(a.index(1, 2)) == 24);
  CHECK(offset_of(a.index(-1, -1)) == 10);
  CHECK(offset_of(a[3][4][5]) == (3 * 30 + 4 * 6 + 5) * 2);
  CHECK(a[0][0][0].rank() == 0);
  CHECK(offset_of(a.slice(0, 3, -5, -1)[0]) == 180);
}

TEST_CASE("index refuses what is outside") {
  CHECK_ERROR(make({4, 5}).index(0, 4), ErrorCode::argument, "index 4 is outside axis 0 of an array of shape (4, 5)");
  CHECK_ERROR(make({4, 5}).index(1, -6), ErrorCode::argument, "index -6 is outside axis 1 of an array of shape (4, 5)");
  CHECK_ERROR(make({0}).index(0, 0), ErrorCode::argument, "index 0 is outside axis 0 of an array of shape (0,)");
  CHECK_ERROR(make({4}).index(1, 0), ErrorCode::argument, "axis 1 of an array of rank 1");
  CHECK_ERROR(make({})[0], ErrorCode::argument, "axis 0 of an array of rank 0");
}

TEST_CASE("squeeze leaves axes of extent 1 out, all or those named") {
  const Array a = make({1, 3, 1, 2});
  CHECK(a.squeeze().shape() == Ints{3, 2});
  CHECK(a.squeeze().strides() == Ints{8, 4});
  CHECK(a.squeeze({-2}).shape() == Ints{1, 3, 2});
  CHECK(a.squeeze({0, 0}).shape() == Ints{3, 1, 2});
  CHECK(a.squeeze(std::vector<int>{}).shape() == a.shape());
  CHECK(make({1, 1}).squeeze().rank() == 0);
  CHECK_ERROR(a.squeeze({1}), ErrorCode::argument,
              "axis 1 of an array of shape (1, 3, 1, 2) cannot be squeezed: it is not 1");
  CHECK_ERROR(a.squeeze({4}), ErrorCode::argument, "axis 4 of an array of rank 4");
}

TEST_CASE("ravel is one axis where the strides allow it") {
  CHECK(make({2, 3}).ravel().shape() == Ints{6});
  CHECK(make({6}).slice(0, 5, -7, -1).ravel().strides() == Ints{-4});
  CHECK(make({}).ravel().shape() == Ints{1});
  CHECK(make({2, 0}).ravel().shape() == Ints{0});
  CHECK_ERROR(make({2, 3}).transpose().ravel(), ErrorCode::argument,
              "an array of shape (3, 2) and strides (4, 12) does not have its elements in the order of shape (6,); "
              "reshape a copy()");
}

TEST_CASE("reshape finds strides exactly where there are some") {
  Chance chance(1);
  int found = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    const Array view = view_by_chance(make(chance.shape(4, 6)), chance);
    const std::vector<std::byte*> addresses = addresses_of(view);
    std::set<Ints> shapes;
    if (view.size() <= 64) add_factorizations(view.size(), {}, shapes);
    for (const Ints& shape : shapes) {
      CAPTURE(view.shape(), view.strides(), shape);
      if (strides_by_search(addresses, shape)) {
        CHECK(addresses_of(view.reshape(shape)) == addresses);
        ++found;
      } else {
        CHECK(error_of([&] { view.reshape(shape); }).code == ErrorCode::argument);
        ++refused;
      }
    }
  }
  CHECK(found > 500);
  CHECK(refused > 500);
}

TEST_CASE("reshape works on elements that lie over one another") {
  const Array a(make({8}).buffer(), f4, {2, 3, 2}, {0, 0, 4}, 0);
  CHECK(a.reshape({6, 2}).strides() == Ints{0, 4});
  CHECK(a.reshape({3, 2, 2}).strides() == Ints{0, 0, 4});
  CHECK_THROWS_AS(a.reshape({12}), Error);
}

TEST_CASE("every chain of views has the addresses of its elements") {
  Chance chance(2);
  for (int round = 0; round < 200; ++round) {
    const Ints shape = chance.shape(4, 5);
    const Array whole = make(shape, i2);
    const Array view = view_by_chance(view_by_chance(whole, chance), chance);
    const std::vector<std::byte*> all = addresses_of(whole);
    std::set<std::byte*> own;
    for (std::byte* address : addresses_of(view)) {
      CHECK(std::binary_search(all.begin(), all.end(), address));
      own.insert(address);
    }
    CHECK(std::ssize(own) == view.size());
  }
}

TEST_CASE("empty_like keeps the order of the axes and leaves gaps out") {
  const Device device = test_device();
  const auto strides_like = [&](const Array& a) { return device.empty_like(a).strides(); };
  const Array a = device.empty({4, 6, 8}, f4);
  CHECK(strides_like(a) == Ints{192, 32, 4});
  CHECK(strides_like(a.transpose()) == Ints{4, 32, 192});
  CHECK(strides_like(a.transpose({1, 2, 0})) == Ints{32, 4, 192});
  CHECK(strides_like(a.slice(2, 0, 8, 2)) == Ints{96, 16, 4});
  CHECK(strides_like(a.slice(1, 5, -7, -1)) == Ints{192, 32, 4});
  CHECK(strides_like(device.empty({0, 3}, f8)) == Ints{24, 8});
  CHECK(device.empty_like(a.transpose()).shape() == Ints{8, 6, 4});
  CHECK(device.empty_like(a.slice(0, 0, 2)).buffer()->size_bytes() == 2 * 6 * 8 * 4);
}
