// The fake's contexts: whose objects are whose, and what remains of a broken one.
#include <thread>

#include "tests/unit/runtime_cuda/driver_scene.hpp"

using namespace jitc::runtime::cuda;
using jitc::tests::DriverScene;
using jitc::tests::FakeDevice;
using jitc::tests::FakeLasting;
using jitc::tests::FakeLive;
using jitc::tests::FakePose;

namespace {

FakePose two_devices() { return {.devices = {FakeDevice{}, FakeDevice{.name = "Other GPU", .sm = 90}}}; }

}  // namespace

TEST_CASE("a device answers as it poses") {
  const DriverScene scene(two_devices());
  int count = 0, major = 0, unknown = 0, can_access = 0;
  char name[32] = "", short_name[4] = "";
  CHECK(scene->cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count == 2);
  CHECK(scene->cuDeviceGetName(name, sizeof name, 1) == CUDA_SUCCESS);
  CHECK(name == std::string("Other GPU"));
  CHECK(scene->cuDeviceGetName(short_name, sizeof short_name, 1) == CUDA_SUCCESS);
  CHECK(short_name == std::string("Oth"));
  CHECK(scene->cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 1) == CUDA_SUCCESS);
  CHECK(major == 9);
  CHECK(scene->cuDeviceGetAttribute(&unknown, static_cast<CUdevice_attribute>(999), 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuDeviceGetAttribute(&unknown, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 2) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(scene->cuDeviceCanAccessPeer(&can_access, 0, 1) == CUDA_SUCCESS);
  CHECK(can_access == 1);
}

TEST_CASE("every attribute of the list is known, and can be posed") {
  FakePose pose;
  pose.devices[0].attributes[CU_DEVICE_ATTRIBUTE_WARP_SIZE] = 64;
  const DriverScene scene(pose);
  int value = 0;
#define JITC_CUDA_ENUM(type)
#define JITC_CUDA_END
#define JITC_CUDA_CONSTANT(name, number)                  \
  if (std::is_same_v<decltype(name), CUdevice_attribute>) \
    CHECK(scene->cuDeviceGetAttribute(&value, CUdevice_attribute{number}, 0) == CUDA_SUCCESS);
#include "runtime/cuda/driver_constants.def"
#undef JITC_CUDA_CONSTANT
#undef JITC_CUDA_END
#undef JITC_CUDA_ENUM
  CHECK(scene->cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS);
  CHECK(value == 64);
}

TEST_CASE("calls without a current context fail") {
  const DriverScene scene;
  CUcontext popped = nullptr, current = scene.context;
  CHECK(scene->cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
  CHECK(popped == scene.context);
  CUdeviceptr data = 0;
  CHECK(scene->cuMemAlloc(&data, 64) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(scene->cuCtxPopCurrent(&popped) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(scene->cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == nullptr);
  CHECK(scene->cuCtxSetCurrent(scene.context) == CUDA_SUCCESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("each thread has its own stack of contexts") {
  const DriverScene scene;
  CHECK(scene.fake->context_depth() == 1);
  size_t depth_of_other = 9;
  CUresult of_other = CUDA_SUCCESS;
  std::thread([&] {
    depth_of_other = scene.fake->context_depth();
    of_other = scene->cuCtxSynchronize();
  }).join();
  CHECK(depth_of_other == 0);
  CHECK(of_other == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("objects of another context are no handles in this one") {
  DriverScene scene(two_devices());
  const CUstream stream = scene.make_stream();
  const CUevent event = scene.make_event();
  const CUfunction function = scene.load_axpy();
  CUcontext other = nullptr;
  CHECK(scene->cuDevicePrimaryCtxRetain(&other, 1) == CUDA_SUCCESS);
  CHECK(scene->cuCtxPushCurrent(other) == CUDA_SUCCESS);
  int value = 0;
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuEventRecord(event, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuStreamWaitEvent(nullptr, event, 0) == CUDA_SUCCESS);  // the one thing that crosses contexts
  CHECK(scene->cuDevicePrimaryCtxRelease(1) == CUDA_SUCCESS);
}

TEST_CASE("a context lives as long as someone retains it, and ends empty") {
  DriverScene scene;
  CUcontext again = nullptr;
  unsigned flags = 9;
  int active = 0;
  CHECK(scene->cuDevicePrimaryCtxRetain(&again, 0) == CUDA_SUCCESS);
  CHECK(again == scene.context);
  CHECK(scene.fake->live().contexts == 2);
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
  CHECK(scene->cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS);
  CHECK(active == 1);
  scene.allocate(64);
  scene.make_event();
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
  CHECK(scene.fake->live() == FakeLive{});
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
  scene.expected_misuses = {
      "cuDevicePrimaryCtxRelease_v2: the context ends with 1 allocations and 1 streams, events and modules",
      "cuDevicePrimaryCtxRelease_v2: the context is not retained"};
}

TEST_CASE("a code that breaks the context is returned by every later call in it") {
  const DriverScene scene;
  const CUdeviceptr data = scene.allocate(64);
  scene.fake->script({"cuCtxSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS});
  CUdeviceptr more = 0;
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuMemAlloc(&more, 64) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuStreamQuery(nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
  int count = 0;
  CHECK(scene->cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(scene->cuMemFree(data) == CUDA_ERROR_ILLEGAL_ADDRESS);  // and yet it is free
  CHECK(scene.fake->live().allocations == 0);
  CHECK(scene->cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
}

TEST_CASE("only the context of the broken device is broken") {
  const DriverScene scene(two_devices());
  CUcontext other = nullptr;
  scene.fake->break_context(0, CUDA_ERROR_ASSERT);
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_ASSERT);
  CHECK(scene->cuDevicePrimaryCtxRetain(&other, 1) == CUDA_SUCCESS);
  CHECK(scene->cuCtxPushCurrent(other) == CUDA_SUCCESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("a driver that is gone says so to every call") {
  const DriverScene scene;
  const CUdeviceptr data = scene.allocate(64);
  scene.fake->script({"cuCtxGetCurrent", 1, CUDA_ERROR_DEINITIALIZED});
  CUcontext current = nullptr;
  int count = 0;
  CHECK(scene->cuCtxGetCurrent(&current) == CUDA_ERROR_DEINITIALIZED);
  CHECK(scene->cuDeviceGetCount(&count) == CUDA_ERROR_DEINITIALIZED);
  CHECK(scene->cuMemFree(data) == CUDA_ERROR_DEINITIALIZED);
  CHECK(scene.fake->live().allocations == 0);
}

TEST_CASE("a context has limits") {
  const DriverScene scene;
  size_t value = 0;
  CHECK(scene->cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 4096) == CUDA_SUCCESS);
  CHECK(scene->cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE) == CUDA_SUCCESS);
  CHECK(value == 4096);
  CHECK(scene->cuCtxGetLimit(&value, static_cast<CUlimit>(77)) == CUDA_ERROR_UNSUPPORTED_LIMIT);
}
