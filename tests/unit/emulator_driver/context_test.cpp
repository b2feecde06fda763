// Primary contexts, each thread's stack of them, and limits.
#include <thread>

#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

TEST_CASE("a primary context is active as long as someone retains it") {
  const EmulatorScene scene(EmulatorSettings{}, true);
  CUcontext again = nullptr;
  unsigned flags = 1;
  int active = 0;
  CHECK(scene->cuDevicePrimaryCtxRetain(&again, 0) == CUDA_SUCCESS);
  CHECK(again == scene.context);
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
  CHECK(scene->cuDevicePrimaryCtxGetState(0, &flags, &active) == CUDA_SUCCESS);
  CHECK((flags == 0 && active == 1));
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
  scene->cuDevicePrimaryCtxGetState(0, &flags, &active);
  CHECK(active == 0);
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK(scene->cuDevicePrimaryCtxRetain(&again, 0) == CUDA_SUCCESS);
}

TEST_CASE("what belonged to a context is gone when it is reset") {
  const EmulatorScene scene(EmulatorSettings{}, true);
  const CUdeviceptr data = scene.allocate(64);
  const CUstream stream = scene.make_stream();
  const CUmodule module = scene.load(store_text());
  size_t before = 0, after = 0, total = 0;
  scene->cuMemGetInfo(&before, &total);
  CHECK(scene->cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
  CUcontext context = nullptr;
  scene->cuDevicePrimaryCtxRetain(&context, 0);
  scene->cuDevicePrimaryCtxRelease(0);
  scene->cuMemGetInfo(&after, &total);
  CHECK(after == total);
  CHECK(before == total - 64);
  CHECK(scene->cuMemFree(data) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("each thread has a stack of contexts of its own") {
  const EmulatorScene scene;
  std::thread([&] {
    CUcontext current = scene.context;
    CHECK(scene->cuCtxGetCurrent(&current) == CUDA_SUCCESS);
    CHECK(current == nullptr);
    CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(scene->cuCtxPopCurrent(&current) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(scene->cuCtxSetCurrent(scene.context) == CUDA_SUCCESS);
    CHECK(scene->cuCtxPushCurrent(scene.context) == CUDA_SUCCESS);
    CHECK(scene->cuCtxPopCurrent(&current) == CUDA_SUCCESS);
    CHECK(current == scene.context);
    CHECK(scene->cuCtxSetCurrent(nullptr) == CUDA_SUCCESS);
    CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
  }).join();
}

TEST_CASE("a number that is no context is refused") {
  const EmulatorScene scene;
  CHECK(scene->cuCtxPushCurrent(special_pointer<CUcontext>(0x1234)) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(scene->cuCtxSetCurrent(special_pointer<CUcontext>(0x1234)) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("limits are kept and told") {
  const EmulatorScene scene(EmulatorSettings{}, true);
  size_t value = 0;
  CHECK(scene->cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS);
  CHECK(value == 1024);
  CHECK(scene->cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096) == CUDA_SUCCESS);
  scene->cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE);
  CHECK(value == 4096);
  CHECK(scene->cuCtxGetLimit(&value, static_cast<CUlimit>(99)) == CUDA_ERROR_UNSUPPORTED_LIMIT);
}
