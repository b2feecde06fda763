// Devices: memory of others, deferred cleanup, pinned memory, statistics, and streams of other devices.
#include "jitc/device.hpp"

#include <catch2/catch.hpp>

#include "runtime/common/buffer.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_common/test_device.hpp"

using namespace jitc;
using namespace jitc::tests;
using Ints = std::vector<int64_t>;

TEST_CASE("memory of someone else is an array, at any strides that are not negative") {
  const Device device = test_device();
  std::vector<int32_t> elems{1, 2, 3, 4, 5, 6};
  CHECK(device.wrap(elems.data(), {2, 3}, i4).to_vector<int32_t>() == elems);
  CHECK(device.wrap(elems.data(), {3, 2}, i4, {4, 12}).to_vector<int32_t>() == std::vector<int32_t>{1, 4, 2, 5, 3, 6});
  CHECK(device.wrap(elems.data(), {2, 6}, i4, {0, 4}).size() == 12);
  CHECK(device.wrap(elems.data() + 5, {3}, i4, {-8}).to_vector<int32_t>() == std::vector<int32_t>{6, 4, 2});
  CHECK(device.wrap(nullptr, {0}, i4).size() == 0);
  CHECK(device.statistics().allocations == 0);
}

TEST_CASE("wrapped memory refuses what cannot be") {
  const Device device = test_device();
  int32_t elem = 0;
  CHECK_ERROR(device.wrap(&elem, {1}, i4, {4, 4}), ErrorCode::argument,
              "wrapped memory: shape (1,) and strides (4, 4) differ in length");
  CHECK_ERROR(device.wrap(nullptr, {1}, i4), ErrorCode::argument, "wrapped memory of shape (1,) has a null address");
  CHECK_ERROR(device.wrap(&elem, {3}, i4, {INT64_MAX / 2}), ErrorCode::argument,
              "wrapped memory of shape (3,) and strides (4611686018427387903,) is more than 2^63 - 1 bytes apart");
}

TEST_CASE("the owner of wrapped memory goes with the last array") {
  const Device device = test_device();
  auto owner = std::make_shared<std::vector<float>>(8);
  const std::weak_ptr<std::vector<float>> watch = owner;
  Array view;
  {
    const Array whole = device.wrap(owner->data(), {8}, f4, {}, owner);
    view = whole.slice(0, 2, 4);
  }
  owner.reset();
  CHECK_FALSE(watch.expired());
  view = Array();
  CHECK(watch.expired());
}

TEST_CASE("deferred cleanups nest, whatever order they end in") {
  const Device device = test_device();
  HostBackend& backend = backend_of(device);
  {
    const DeferCleanup outer(device);
    CHECK(backend.deferring == 1);
    {
      const DeferCleanup inner(device);
      CHECK(backend.deferring == 2);
    }
    CHECK(backend.deferring == 1);
    auto first = std::make_unique<DeferCleanup>(device);
    const auto second = std::make_unique<DeferCleanup>(device);
    first.reset();
    CHECK(backend.deferring == 2);
  }
  CHECK(backend.deferring == 0);
}

TEST_CASE("memory is pinned while its scope lives, and nothing cannot be pinned") {
  const Device device = test_device();
  std::vector<float> elems(4);
  {
    const PinnedScope scope = device.pin(elems.data(), 16);
    CHECK(backend_of(device).pinned == 1);
  }
  CHECK(backend_of(device).pinned == 0);
  CHECK(error_of([&] { device.pin(elems.data(), 0); }).code == ErrorCode::argument);
  CHECK(error_of([&] { device.pin(nullptr, 4); }).code == ErrorCode::argument);
}

TEST_CASE("statistics count allocations, bytes, copies and waits") {
  const Device device = test_device();
  {
    const Array a = device.to_device(std::vector<float>(10), {10});
    const Array b = a.copy();
    CHECK(b.to_vector<float>().size() == 10);
    b.slice(0, 0, 5).copy_from(a.slice(0, 5, 10));
    const DeviceStatistics now = device.statistics();
    CHECK(now.allocations == 2);
    CHECK(now.frees == 0);
    CHECK(now.live_bytes == 80);
    CHECK(now.copies_in == 1);
    CHECK(now.bytes_in == 40);
    CHECK(now.copies_within == 2);
    CHECK(now.bytes_within == 60);
    CHECK(now.copies_out == 1);
    CHECK(now.bytes_out == 40);
  }
  device.empty({4}, i1);
  device.empty({0}, f8);
  device.synchronize();
  make_stream(device).synchronize();
  const DeviceStatistics then = device.statistics();
  CHECK(then.frees == 3);
  CHECK(then.live_bytes == 0);
  CHECK(then.peak_bytes == 80);
  CHECK(then.synchronizations == 2);
  CHECK(then.implicit_copies_in == 0);
}

TEST_CASE("copies without elements do nothing and are not counted") {
  const Device device = test_device();
  const Array a = device.empty({0, 3}, f4);
  a.copy_from(a.copy());
  a.copy_to_host(nullptr, 0);
  CHECK(device.zeros({0}, f4).to_vector<float>().empty());
  const DeviceStatistics now = device.statistics();
  CHECK(now.copies_in + now.copies_out + now.copies_within == 0);
}

TEST_CASE("an array is ordered after its home queue once per other queue, and freed behind all of them") {
  const Device device = test_device();
  HostBackend& backend = backend_of(device);
  const Stream home = make_stream(device), first = make_stream(device), second = make_stream(device);
  std::vector<float> out(4);
  {
    const Array a = device.zeros({4}, f4, home);
    a.copy_to_host(out, home);
    CHECK(backend.orders == 0);
    for (int i = 0; i < 3; ++i) {
      a.copy_to_host(out, first);
      a.slice(0, 0, 2).copy_from_host(HostView(out.data(), f4, {2}), second);
    }
    CHECK(backend.orders == 2);
  }
  CHECK(backend.queues_at_last_free == 2);
}

TEST_CASE("streams of one device are refused by another, in words") {
  const Device device = test_device("cuda:0"), other = test_device("cuda:1");
  const Stream theirs = make_stream(other);
  const Array a = device.zeros({2}, f4);
  std::vector<float> elems(2);
  const std::string text = "an array of device cuda:0 cannot be used on a stream of device cuda:1";
  CHECK_ERROR(device.empty({2}, f4, theirs), ErrorCode::argument, text);
  CHECK_ERROR(device.zeros({2}, f4, theirs), ErrorCode::argument, text);
  CHECK_ERROR(device.empty_like(a, theirs), ErrorCode::argument, text);
  CHECK_ERROR(device.to_device(elems, theirs), ErrorCode::argument, text);
  CHECK_ERROR(a.copy_to_host(elems, theirs), ErrorCode::argument, text);
  CHECK_ERROR(a.copy_from_host(elems, theirs), ErrorCode::argument, text);
  CHECK_ERROR(a.copy_from(a, theirs), ErrorCode::argument, text);
  CHECK_ERROR(a.copy(theirs), ErrorCode::argument, text);
}

TEST_CASE("arrays are copied between devices, on a stream of the one that is written") {
  const Device device = test_device("cuda:0"), other = test_device("cuda:1");
  const Array source = device.to_device(std::vector<int32_t>{1, 2, 3, 4}, {2, 2});
  const Array target = other.zeros({2, 2}, i4);
  target.copy_from(source.transpose(), make_stream(other));
  CHECK(target.to_vector<int32_t>() == std::vector<int32_t>{1, 3, 2, 4});
  CHECK_ERROR(target.copy_from(source, make_stream(device)), ErrorCode::argument,
              "an array of device cuda:1 cannot be used on a stream of device cuda:0");
}

TEST_CASE("arrays are copied from arrays of the same type and shape only") {
  const Device device = test_device();
  const Array a = device.zeros({2, 2}, i4);
  CHECK_ERROR(a.copy_from(device.zeros({4}, i4)), ErrorCode::argument, "the array is i4(2, 2), the source i4(4,)");
  CHECK_ERROR(a.copy_from(device.zeros({2, 2}, f4)), ErrorCode::argument, "the array is i4(2, 2), the source f4(2, 2)");
  CHECK_ERROR(a.copy_from(Array()), ErrorCode::argument, "the array is empty: it was never allocated on a device");
}

TEST_CASE("a stream made of nothing is the default one, and cannot be waited for by itself") {
  const Stream nothing;
  CHECK(nothing.is_default());
  CHECK(nothing.native_handle() == nullptr);
  const std::string text =
      "this Stream is of no device: use Stream::legacy_default(device), or Device::synchronize() to wait for all";
  CHECK_ERROR(nothing.synchronize(), ErrorCode::argument, text);
  CHECK_ERROR(nothing.is_done(), ErrorCode::argument, text);
  CHECK_ERROR(nothing.add_callback([] {}), ErrorCode::argument, text);
  CHECK_ERROR(make_stream(test_device()).add_callback(nullptr), ErrorCode::argument,
              "a stream was given an empty function to call");
}
