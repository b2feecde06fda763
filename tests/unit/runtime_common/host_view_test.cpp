// Host memory as copies and launches see it.
#include <array>
#include <catch2/catch.hpp>

#include "jitc/host_array.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_common/test_device.hpp"

using namespace jitc;
using namespace jitc::tests;
using Ints = std::vector<int64_t>;

TEST_CASE("a host view without strides is in C order") {
  std::array<double, 12> elems{};
  const HostView view(elems.data(), f8, {3, 4});
  CHECK(view.strides() == Ints{32, 8});
  CHECK(view.size() == 12);
  CHECK(view.size_bytes() == 96);
  CHECK(view.access() == HostAccess::in_out);
  CHECK(HostView(elems.data(), f8, {}).size() == 1);
  CHECK(HostView(elems.data(), f8, {0, 4}).size() == 0);
}

TEST_CASE("vectors and spans are views of their elements, const ones for reading") {
  std::vector<float> elems(5);
  const std::vector<float>& constant = elems;
  const HostView all = elems, read_only = constant, part = std::span(elems).subspan(2);
  CHECK(all.dtype() == f4);
  CHECK(all.shape() == Ints{5});
  CHECK(all.access() == HostAccess::in_out);
  CHECK(read_only.access() == HostAccess::in);
  CHECK(part.shape() == Ints{3});
  CHECK(part.data() == reinterpret_cast<std::byte*>(elems.data() + 2));
  CHECK(HostView(std::span<const int16_t, 2>(std::array<int16_t, 2>{})).access() == HostAccess::in);
}

TEST_CASE("in, out and in_out say what a launch does, and const elements are only read") {
  std::vector<int32_t> elems(2);
  const std::vector<int32_t>& constant = elems;
  CHECK(in(elems).access() == HostAccess::in);
  CHECK(out(elems).access() == HostAccess::out);
  CHECK(in_out(in(elems)).access() == HostAccess::in_out);
  CHECK(in(constant).access() == HostAccess::in);
  CHECK_ERROR(out(constant), ErrorCode::argument, "const elements in host memory of shape (2,) cannot be written");
  CHECK_ERROR(in_out(constant), ErrorCode::argument, "const elements in host memory of shape (2,) cannot be written");
}

TEST_CASE("host views refuse what cannot be") {
  int value = 0;
  void* const none = nullptr;
  CHECK_ERROR(HostView(&value, i4, {2, -1}), ErrorCode::argument,
              "shape (2, -1): the extent of axis 1 is -1, it must not be negative");
  CHECK_ERROR(HostView(none, i4, {2}), ErrorCode::argument, "host memory of shape (2,) has a null address");
  CHECK_NOTHROW(HostView(none, i4, {0}));
  CHECK_ERROR(HostView(&value, i4, {2, 2}, {4}), ErrorCode::argument,
              "host memory: shape (2, 2) and strides (4,) differ in length");
}

TEST_CASE("copies take host elements of the same type and shape, or contiguous ones of the same number") {
  const Device device = test_device();
  const Array a = device.to_device(std::vector<int32_t>{1, 2, 3, 4, 5, 6}, {2, 3});
  std::vector<int32_t> flat(6);
  a.copy_to_host(flat);
  CHECK(flat == std::vector<int32_t>{1, 2, 3, 4, 5, 6});
  a.copy_to_host(HostView(flat.data(), i4, {3, 2}));
  CHECK(flat == std::vector<int32_t>{1, 2, 3, 4, 5, 6});
  std::vector<int32_t> spread(12, -1);
  CHECK_ERROR(a.copy_to_host(HostView(spread.data(), i4, {6}, {8})), ErrorCode::argument,
              "the array has shape (2, 3), the host's elements (6,)");
  CHECK_ERROR(a.copy_from_host(HostView(spread.data(), i4, {3, 3})), ErrorCode::argument,
              "the array has shape (2, 3), the host's elements (3, 3)");
  CHECK_ERROR(a.copy_to_host(HostView(spread.data(), f4, {2, 3})), ErrorCode::argument,
              "the array has elements of type i4, the host's are f4");
  CHECK(spread == std::vector<int32_t>(12, -1));
}

TEST_CASE("an array is not copied to host memory for reading") {
  const Array a = test_device().zeros({2}, f4);
  const std::vector<float> constant(2, 1.0f);
  std::vector<float> lent(2, 1.0f);
  const std::string text = "the host's elements are for reading only; the array cannot be copied to them";
  CHECK_ERROR(a.copy_to_host(constant), ErrorCode::argument, text);
  CHECK_ERROR(a.copy_to_host(in(lent)), ErrorCode::argument, text);
  CHECK(lent == std::vector<float>(2, 1.0f));
  CHECK_NOTHROW(a.copy_from_host(constant));
}

TEST_CASE("host arrays of every kind are host memory, and a device array at the same address") {
  const Device device = test_device();
  const HostArray arrays[] = {device.pinned_array({2, 3}, f4, {.portable = true}),
                              device.mapped_array({2, 3}, f4, {.write_combined = true}),
                              device.managed_array({2, 3}, f4, {.attach_global = false})};
  const HostMemoryKind kinds[] = {HostMemoryKind::pinned, HostMemoryKind::mapped, HostMemoryKind::managed};
  for (size_t i = 0; i < 3; ++i) {
    CHECK(arrays[i].kind() == kinds[i]);
    CHECK(arrays[i].size() == 6);
    const std::span<float> elems = arrays[i].as<float>();
    std::fill(elems.begin(), elems.end(), 2.5f);
    const Array a = arrays[i].on_device();
    CHECK(a.data() == arrays[i].data());
    CHECK(a.shape() == Ints{2, 3});
    CHECK(a.to_vector<float>() == std::vector<float>(6, 2.5f));
    CHECK(device.to_device(arrays[i]).to_vector<float>() == std::vector<float>(6, 2.5f));
  }
}

TEST_CASE("host arrays refuse another element type, and are empty until made") {
  const HostArray array = test_device().pinned_array({3}, i4);
  CHECK_ERROR(array.as<float>(), ErrorCode::argument, "the host array has elements of type i4, not f4");
  const HostArray empty;
  CHECK(empty.data() == nullptr);
  CHECK(empty.size() == 0);
  CHECK_ERROR(empty.on_device(), ErrorCode::argument, "the host array is empty: it was never allocated");
  CHECK_ERROR(test_device().mapped_array({-2}, i4), ErrorCode::argument,
              "shape (-2,): the extent of axis 0 is -2, it must not be negative");
  const HostArray nothing = test_device().managed_array({0, 4}, f8);
  CHECK(nothing.data() == nullptr);
  CHECK(nothing.on_device().size() == 0);
}

TEST_CASE("a host array's memory lives as long as its device array") {
  const Device device = test_device();
  Array a;
  {
    const HostArray host = device.mapped_array({4}, i4);
    std::fill(host.as<int32_t>().begin(), host.as<int32_t>().end(), 9);
    a = host.on_device();
  }
  CHECK(a.to_vector<int32_t>() == std::vector<int32_t>(4, 9));
}
