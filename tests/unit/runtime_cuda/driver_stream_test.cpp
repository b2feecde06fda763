// The fake's streams while it holds their work back: order, readiness, and what must not be freed under it.
#include <atomic>
#include <cstring>
#include <thread>

#include "tests/unit/runtime_cuda/driver_scene.hpp"

using namespace jitc::runtime::cuda;
using jitc::tests::DriverScene;
using jitc::tests::FakeLasting;

namespace {

/// Host memory that the driver copies from and to without a detour.
int* pinned_int(const DriverScene& scene, int value) {
  void* data = nullptr;
  REQUIRE(scene->cuMemHostAlloc(&data, sizeof(int), 0) == CUDA_SUCCESS);
  *static_cast<int*>(data) = value;
  return static_cast<int*>(data);
}

CUdeviceptr allocate_on(const DriverScene& scene, CUstream stream) {
  CUdeviceptr data = 0;
  REQUIRE(scene->cuMemAllocAsync(&data, sizeof(int), stream) == CUDA_SUCCESS);
  return data;
}

void touch(const DriverScene& scene, CUdeviceptr data, CUstream stream) {
  CHECK(scene->cuMemsetD8Async(data, 1, sizeof(int), stream) == CUDA_SUCCESS);
}

}  // namespace

TEST_CASE("held work waits until someone waits for it") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(sizeof(int));
  int* in = pinned_int(scene, 7);
  int* out = pinned_int(scene, 0);
  scene.fake->hold();
  CHECK(scene->cuMemcpyHtoDAsync(data, in, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyDtoHAsync(out, data, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(scene->cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
  CHECK(scene.fake->pending() == 2);
  CHECK(*out == 0);
  *in = 8;  // too early: the copy reads it when its turn comes
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(*out == 8);
  CHECK(scene->cuStreamQuery(stream) == CUDA_SUCCESS);
}

TEST_CASE("pageable memory is read at the call, and written before it returns") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(sizeof(int));
  scene.fake->hold();
  int in = 7, out = 0;
  CHECK(scene->cuMemcpyHtoDAsync(data, &in, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(scene.fake->pending() == 1);
  in = 8;
  CHECK(scene->cuMemcpyDtoHAsync(&out, data, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(out == 7);
}

TEST_CASE("release does all work in its order, and holds no longer") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(sizeof(int));
  int* out = pinned_int(scene, 0);
  scene.fake->hold();
  CHECK(scene->cuMemsetD8Async(data, 1, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8Async(data, 2, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyDtoHAsync(out, data, sizeof(int), stream) == CUDA_SUCCESS);
  scene.fake->release();
  CHECK(*out == 0x02020202);
  CHECK(scene->cuMemsetD8Async(data, 3, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(scene.fake->pending() == 0);
}

TEST_CASE("a stream that waits for an event waits for the work before it, and for no more") {
  const DriverScene scene;
  const CUstream first = scene.make_stream(), second = scene.make_stream();
  const CUevent event = scene.make_event(CU_EVENT_DISABLE_TIMING);
  const CUdeviceptr data = scene.allocate(sizeof(int));
  int* out = pinned_int(scene, 0);
  scene.fake->hold();
  touch(scene, data, first);
  CHECK(scene->cuEventRecord(event, first) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8Async(data, 2, sizeof(int), first) == CUDA_SUCCESS);
  CHECK(scene->cuStreamWaitEvent(second, event, 0) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyDtoHAsync(out, data, sizeof(int), second) == CUDA_SUCCESS);
  CHECK(scene->cuEventQuery(event) == CUDA_ERROR_NOT_READY);
  CHECK(scene->cuStreamSynchronize(second) == CUDA_SUCCESS);
  CHECK(*out == 0x01010101);
  CHECK(scene->cuEventQuery(event) == CUDA_SUCCESS);
  CHECK(scene.fake->pending() == 1);
}

TEST_CASE("the legacy stream and blocking streams wait for each other, others do not") {
  const DriverScene scene;
  const CUstream blocking = scene.make_stream(CU_STREAM_DEFAULT), free = scene.make_stream();
  const CUdeviceptr a = scene.allocate(sizeof(int)), b = scene.allocate(sizeof(int));
  scene.fake->hold();
  touch(scene, a, blocking);
  touch(scene, b, free);
  touch(scene, a, nullptr);
  CHECK(scene->cuStreamSynchronize(special_pointer<CUstream>(kLegacyStream)) == CUDA_SUCCESS);
  CHECK(scene->cuStreamQuery(blocking) == CUDA_SUCCESS);
  CHECK(scene->cuStreamQuery(free) == CUDA_ERROR_NOT_READY);
  touch(scene, a, nullptr);
  touch(scene, a, blocking);
  CHECK(scene->cuStreamSynchronize(blocking) == CUDA_SUCCESS);
  CHECK(scene->cuStreamQuery(nullptr) == CUDA_SUCCESS);
}

TEST_CASE("each thread has its own per-thread stream") {
  const DriverScene scene;
  const auto own = special_pointer<CUstream>(kPerThreadStream);
  const CUdeviceptr data = scene.allocate(sizeof(int));
  scene.fake->hold();
  touch(scene, data, own);
  CUresult of_other = CUDA_ERROR_UNKNOWN;
  std::thread([&] {
    scene->cuCtxPushCurrent(scene.context);
    of_other = scene->cuStreamQuery(own);
  }).join();
  CHECK(of_other == CUDA_SUCCESS);
  CHECK(scene->cuStreamQuery(own) == CUDA_ERROR_NOT_READY);
}

TEST_CASE("freeing memory that waiting work uses is noted") {
  DriverScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(sizeof(int));
  scene.fake->hold();
  touch(scene, data, stream);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  scene.fake->release();
  scene.expected_misuses = {"cuMemFree_v2: frees memory that waiting work uses",
                            "cuMemsetD8Async: its turn came when its memory was free"};
}

TEST_CASE("freeing in the order of the stream that used the memory is right") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream();
  scene.fake->hold();
  const CUdeviceptr data = allocate_on(scene, stream);
  touch(scene, data, stream);
  CHECK(scene->cuMemFreeAsync(data, stream) == CUDA_SUCCESS);
  CHECK(scene.fake->live().allocations == 1);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(scene.fake->live().allocations == 0);
}

TEST_CASE("freeing on a stream that does not wait for a use on another is noted") {
  DriverScene scene;
  const CUstream user = scene.make_stream(), freer = scene.make_stream();
  const CUevent event = scene.make_event();
  const CUdeviceptr a = scene.allocate(sizeof(int)), b = scene.allocate(sizeof(int));
  scene.fake->hold();
  touch(scene, a, user);
  CHECK(scene->cuMemFreeAsync(a, freer) == CUDA_SUCCESS);
  touch(scene, b, user);
  CHECK(scene->cuEventRecord(event, user) == CUDA_SUCCESS);
  CHECK(scene->cuStreamWaitEvent(freer, event, 0) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeAsync(b, freer) == CUDA_SUCCESS);
  scene.fake->release();
  scene.expected_misuses = {"cuMemFreeAsync: frees memory on a stream that does not wait for its use on another"};
}

TEST_CASE("memory of a stream must not be used where its allocation is not waited for, nor after its free") {
  DriverScene scene;
  const CUstream first = scene.make_stream(), second = scene.make_stream();
  scene.fake->hold();
  const CUdeviceptr data = allocate_on(scene, first);
  touch(scene, data, second);
  CHECK(scene->cuStreamSynchronize(first) == CUDA_SUCCESS);
  touch(scene, data, second);  // fine now: the host has waited
  CHECK(scene->cuStreamSynchronize(second) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeAsync(data, first) == CUDA_SUCCESS);
  touch(scene, data, first);
  CHECK(scene->cuMemFreeAsync(data, first) == CUDA_ERROR_INVALID_VALUE);
  scene.fake->release();
  scene.expected_misuses = {"cuMemsetD8Async: uses memory on a stream that does not wait for its cuMemAllocAsync",
                            "cuMemsetD8Async: uses memory after cuMemFreeAsync", "cuMemFreeAsync: frees what is free",
                            "cuMemsetD8Async: its turn came when its memory was free"};
}

TEST_CASE("events carry the fake's time: half a millisecond for each piece of work") {
  const DriverScene scene;
  const CUevent start = scene.make_event(), end = scene.make_event();
  const CUdeviceptr data = scene.allocate(sizeof(int));
  float milliseconds = 0;
  CHECK(scene->cuEventRecord(start, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_INVALID_HANDLE);
  for (int i = 0; i < 3; ++i) touch(scene, data, nullptr);
  scene.fake->hold();
  CHECK(scene->cuEventRecord(end, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_NOT_READY);
  CHECK(scene->cuEventSynchronize(end) == CUDA_SUCCESS);
  CHECK(scene->cuEventElapsedTime(&milliseconds, start, end) == CUDA_SUCCESS);
  CHECK(milliseconds == 1.5F);
}

TEST_CASE("an event without timing has no time") {
  const DriverScene scene;
  const CUevent start = scene.make_event(), end = scene.make_event(CU_EVENT_DISABLE_TIMING);
  CHECK(scene->cuEventRecord(start, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuEventRecord(end, nullptr) == CUDA_SUCCESS);
  float milliseconds = 0;
  CHECK(scene->cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("host functions run in their turn, on a thread of the driver, and must not call it") {
  DriverScene scene;
  struct Seen {
    const Driver* driver;
    std::thread::id thread;
    CUresult call = CUDA_SUCCESS;
  } seen{scene.operator->(), {}};
  const CUhostFn look = [](void* data) {
    auto* out = static_cast<Seen*>(data);
    out->thread = std::this_thread::get_id();
    out->call = out->driver->cuCtxSynchronize();
  };
  scene.fake->hold();
  CHECK(scene->cuLaunchHostFunc(nullptr, look, &seen) == CUDA_SUCCESS);
  CHECK(seen.thread == std::thread::id());
  CHECK(scene->cuStreamSynchronize(nullptr) == CUDA_SUCCESS);
  CHECK(seen.thread != std::thread::id());
  CHECK(seen.thread != std::this_thread::get_id());
  CHECK(seen.call == CUDA_ERROR_NOT_PERMITTED);
  scene.expected_misuses = {"cuCtxSynchronize: called inside a host function or a kernel"};
}

TEST_CASE("a callback hears of a broken context, a host function does not run in it") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream();
  int status = -1;
  bool has_run = false;
  scene.fake->hold();
  CHECK(scene->cuLaunchHostFunc(
            stream, [](void* ran) { *static_cast<bool*>(ran) = true; }, &has_run) == CUDA_SUCCESS);
  CHECK(scene->cuStreamAddCallback(
            stream, [](CUstream, CUresult code, void* out) { *static_cast<int*>(out) = code; }, &status, 0) ==
        CUDA_SUCCESS);
  scene.fake->break_context(0, CUDA_ERROR_ILLEGAL_ADDRESS);
  scene.fake->release();
  CHECK(status == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_FALSE(has_run);
}

TEST_CASE("work on a destroyed stream is still done") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(sizeof(int));
  int* out = pinned_int(scene, 0);
  scene.fake->hold();
  touch(scene, data, stream);
  CHECK(scene->cuMemcpyDtoHAsync(out, data, sizeof(int), stream) == CUDA_SUCCESS);
  CHECK(scene->cuStreamDestroy(stream) == CUDA_SUCCESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(*out == 0x01010101);
}
