// Arrays: sizes, views and what they refuse.
#include "jitc/array.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "runtime/common/buffer.hpp"
#include "runtime/common/layout.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/host_backend.hpp"

using namespace jitc;
using tests::HostBackend;
using Ints = std::vector<int64_t>;

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Array make(const Ints& shape, DType dtype = f4) {
  return HostBackend::array(std::make_shared<HostBackend>(), shape, dtype);
}

int64_t offset_of(const Array& view) { return view.data() - view.buffer()->data(); }

/// The indices that a slice of 0, 1, …, n-1 picks, by its offset and stride.
Ints picked(int64_t n, int64_t begin, int64_t end, int64_t step) {
  const Array view = make({n}, i1).slice(0, begin, end, step);
  Ints out;
  for (int64_t i = 0; i < view.size(); ++i) out.push_back(offset_of(view) + i * view.strides()[0]);
  return out;
}

}  // namespace

TEST_CASE("a new array is C-contiguous with NumPy's strides") {
  const Array a = make({2, 3, 4}, f8);
  CHECK(a.strides() == Ints{96, 32, 8});
  CHECK(a.size() == 24);
  CHECK(a.size_bytes() == 192);
  CHECK(a.is_c_contiguous());
  CHECK_FALSE(a.is_fortran_contiguous());
}

TEST_CASE("arrays of rank 0 and 1 are contiguous in both orders") {
  CHECK(make({}).size() == 1);
  CHECK(make({}).is_c_contiguous());
  CHECK(make({5}).is_c_contiguous());
  CHECK(make({5}).is_fortran_contiguous());
}

TEST_CASE("an array without elements is valid, contiguous and has no address") {
  const Array a = make({3, 0, 2});
  CHECK(a.valid());
  CHECK(a.size() == 0);
  CHECK(a.data() == nullptr);
  CHECK(a.is_c_contiguous());
  CHECK(a.is_fortran_contiguous());
  a.copy_to_host(nullptr, 0);
  a.copy_from_host(nullptr, 0);
}

TEST_CASE("axes of extent 1 do not matter for contiguity") {
  const Array a = make({4, 1, 3});
  CHECK(a.slice(0, 0, 1).is_c_contiguous());
  CHECK(a.slice(2, 1, 2).is_fortran_contiguous() == false);
  CHECK(a.slice(0, 2, 3).slice(2, 1, 2).is_fortran_contiguous());
}

TEST_CASE("transpose reverses the axes") {
  const Array t = make({2, 3, 4}).transpose();
  CHECK(t.shape() == Ints{4, 3, 2});
  CHECK(t.strides() == Ints{4, 16, 48});
  CHECK(t.is_fortran_contiguous());
  CHECK_FALSE(t.is_c_contiguous());
}

TEST_CASE("slices follow Python's rules") {
  CHECK(picked(10, 2, 8, 1) == Ints{2, 3, 4, 5, 6, 7});
  CHECK(picked(10, 2, 8, 4) == Ints{2, 6});
  CHECK(picked(10, -3, kMax, 1) == Ints{7, 8, 9});
  CHECK(picked(10, 0, -7, 1) == Ints{0, 1, 2});
  CHECK(picked(4, -100, 100, 1) == Ints{0, 1, 2, 3});
  CHECK(picked(4, 3, 1, 1) == Ints{});
  CHECK(picked(4, 100, 200, 1) == Ints{});
  CHECK(picked(0, 0, 10, 1) == Ints{});
}

TEST_CASE("slices with a negative step run backwards") {
  CHECK(picked(5, kMax, kMin, -1) == Ints{4, 3, 2, 1, 0});
  CHECK(picked(5, 3, 0, -1) == Ints{3, 2, 1});
  CHECK(picked(10, 8, -9, -3) == Ints{8, 5, 2});
  CHECK(picked(5, -1, -6, -2) == Ints{4, 2, 0});
  CHECK(picked(5, 0, 4, -1) == Ints{});
  CHECK(picked(0, kMax, kMin, -1) == Ints{});
}

TEST_CASE("slices accept steps as large as 64 bits allow") {
  CHECK(picked(10, 3, 10, kMax) == Ints{3});
  CHECK(picked(10, 3, kMin, kMin) == Ints{3});
  CHECK(make({10}, f8).slice(0, 3, 10, kMax).size() == 1);
}

TEST_CASE("slices of slices add up") {
  const Array a = make({6, 8}, i2).slice(1, 1, 8, 2).slice(0, 5, kMin, -2);
  CHECK(a.shape() == Ints{3, 4});
  CHECK(a.strides() == Ints{-32, 4});
  CHECK(offset_of(a) == 5 * 16 + 2);
}

TEST_CASE("views share the memory and keep it alive") {
  auto backend = std::make_shared<HostBackend>();
  Array view;
  {
    const Array whole = HostBackend::array(backend, {8}, f4);
    view = whole.slice(0, 2, 4);
    CHECK(view.buffer() == whole.buffer());
  }
  CHECK(backend->live_allocations == 1);
  view = Array();
  CHECK(backend->live_allocations == 0);
}

TEST_CASE("a slice refuses a bad axis and a step of zero") {
  CHECK_ERROR(make({2, 3}).slice(2, 0, 1), ErrorCode::argument, "axis 2 of an array of rank 2");
  CHECK_ERROR(make({2, 3}).slice(-1, 0, 1), ErrorCode::argument, "axis -1 of an array of rank 2");
  CHECK_ERROR(make({2}).slice(0, 0, 1, 0), ErrorCode::argument, "the step of a slice must not be 0");
}

TEST_CASE("reshape keeps the elements and may infer one extent") {
  CHECK(make({6, 4}).reshape({3, -1}).shape() == Ints{3, 8});
  CHECK(make({6, 4}).reshape({2, 3, 4}).strides() == Ints{48, 16, 4});
  CHECK(make({0, 4}).reshape({2, -1}).shape() == Ints{2, 0});
  CHECK(make({1}).reshape({}).rank() == 0);
}

TEST_CASE("reshape refuses what does not fit") {
  CHECK_ERROR(make({6, 4}).reshape({5, 5}), ErrorCode::argument, "cannot reshape 24 elements to (5, 5)");
  CHECK_ERROR(make({6, 4}).reshape({5, -1}), ErrorCode::argument, "cannot reshape 24 elements to (5, -1)");
  CHECK_ERROR(make({6, 4}).reshape({-1, -1}), ErrorCode::argument, "cannot reshape 24 elements to (-1, -1)");
  CHECK_ERROR(make({0}).reshape({0, -1}), ErrorCode::argument, "cannot reshape 0 elements to (0, -1)");
  CHECK_ERROR(make({0}).reshape({0, int64_t{1} << 62, 4}), ErrorCode::memory,
              "an f4 array of shape (0, 4611686018427387904, 4) needs more than 2^63 - 1 bytes");
  CHECK_ERROR(make({6, 4}).transpose().reshape({24}), ErrorCode::argument,
              "an array of shape (4, 6) and strides (4, 16) does not have its elements in the order of shape (24,); "
              "reshape a copy()");
}

TEST_CASE("sizes are checked for sign and overflow") {
  CHECK_ERROR(make({3, -1}), ErrorCode::argument, "shape (3, -1): the extent of axis 1 is -1, it must not be negative");
  CHECK_ERROR(make({int64_t{1} << 31, int64_t{1} << 31}, f8), ErrorCode::memory,
              "an f8 array of shape (2147483648, 2147483648) needs more than 2^63 - 1 bytes");
  CHECK(runtime::checked_size_bytes(Ints{int64_t{1} << 31, int64_t{1} << 31}, i1) == int64_t{1} << 62);
  CHECK(runtime::checked_size_bytes(Ints{0, int64_t{1} << 62}, i1) == 0);
}

TEST_CASE("an array never reaches outside its buffer") {
  const auto buffer = make({4}, f4).buffer();
  CHECK_NOTHROW(Array(buffer, f4, {4}, {-4}, 12));
  CHECK_NOTHROW(Array(buffer, f4, {2, 1000}, {8, 0}, 4));
  CHECK_ERROR(Array(buffer, f4, {5}, {4}, 0), ErrorCode::argument,
              "an array of shape (5,), strides (4,) and offset 0 leaves its buffer of 16 bytes");
  CHECK_ERROR(Array(buffer, f4, {2}, {-4}, 0), ErrorCode::argument,
              "an array of shape (2,), strides (-4,) and offset 0 leaves its buffer of 16 bytes");
  CHECK_ERROR(Array(buffer, f4, {3}, {kMax}, 0), ErrorCode::argument,
              "an array of shape (3,), strides (9223372036854775807,) and offset 0 leaves its buffer of 16 bytes");
  CHECK_ERROR(Array(buffer, f4, {2}, {4, 4}, 0), ErrorCode::argument, "shape (2,) and strides (4, 4) differ in length");
}

TEST_CASE("copies check the type and the number of bytes") {
  const Array a = make({2, 2}, f4);
  CHECK_ERROR(a.to_vector<double>(), ErrorCode::argument, "the array has elements of type f4, the host's are f8");
  std::vector<float> three(3);
  CHECK_ERROR(a.copy_to_host(std::span<float>(three)), ErrorCode::argument,
              "the array has shape (2, 2), the host's elements (3,)");
  CHECK_ERROR(a.copy_to_host(three.data(), 12), ErrorCode::argument,
              "the destination has 12 bytes, the array of shape (2, 2) and type f4 has 16");
  CHECK_ERROR(a.copy_from_host(three.data(), 12), ErrorCode::argument,
              "the source has 12 bytes, the array of shape (2, 2) and type f4 has 16");
  CHECK_ERROR(a.copy_from_host(std::span<const float>(three)), ErrorCode::argument,
              "the array has shape (2, 2), the host's elements (3,)");
}

TEST_CASE("a default array is empty and says so") {
  const Array a;
  CHECK_FALSE(a.valid());
  CHECK(a.size() == 0);
  CHECK(a.data() == nullptr);
  CHECK_ERROR(a.copy_to_host(nullptr, 0), ErrorCode::argument,
              "the array is empty: it was never allocated on a device");
}
