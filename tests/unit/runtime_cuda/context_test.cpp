// The primary context: current around every call and no longer, dead once something broke it.
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/cuda/driver_abi.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;
using Catch::Contains;
using runtime::cuda::CUcontext;

namespace {

CUcontext current(const CudaScene& scene) {
  CUcontext context = nullptr;
  REQUIRE(scene.driver->cuCtxGetCurrent(&context) == runtime::cuda::CUDA_SUCCESS);
  return context;
}

void use_everything(const CudaScene& scene) {
  const Stream stream = scene.make_stream();
  const Array array = scene.iota({4}, stream);
  const auto event = scene.make_event();
  event->record(*stream.queue());
  event->synchronize();
  const auto kernel = scene->load(fill_artifact());
  scene->launch(*kernel, {}, fill_params(1, array, 1), *stream.queue());
  stream.synchronize();
  scene->synchronize();
  scene->trim();
}

/// The exit code of a child process that runs `action`: 0 when that returns true.
template <class Action>
int run_in_child(const Action& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a caller without a current context has none afterwards") {
  const CudaScene scene;
  use_everything(scene);
  CHECK(current(scene) == nullptr);
  CHECK(scene.fake->context_depth() == 0);
}

TEST_CASE("a caller's current context of another device stays current") {
  FakePose pose;
  pose.devices.resize(2);
  const CudaScene scene(pose);
  CUcontext other = nullptr;
  REQUIRE(scene.driver->cuDevicePrimaryCtxRetain(&other, 1) == runtime::cuda::CUDA_SUCCESS);
  REQUIRE(scene.driver->cuCtxPushCurrent(other) == runtime::cuda::CUDA_SUCCESS);
  use_everything(scene);
  CHECK(current(scene) == other);
  CHECK(scene.fake->context_depth() == 1);
  CHECK(scene.driver->cuCtxPopCurrent(&other) == runtime::cuda::CUDA_SUCCESS);
  CHECK(scene.driver->cuDevicePrimaryCtxRelease(1) == runtime::cuda::CUDA_SUCCESS);
}

TEST_CASE("a context that is current already is not pushed again") {
  const CudaScene scene;
  const Array array = scene.empty({4});
  CUcontext own = nullptr;
  REQUIRE(scene.driver->cuDevicePrimaryCtxRetain(&own, 0) == runtime::cuda::CUDA_SUCCESS);
  REQUIRE(scene.driver->cuCtxPushCurrent(own) == runtime::cuda::CUDA_SUCCESS);
  const uint64_t pushes = scene.fake->count("cuCtxPushCurrent_v2");
  array.copy_from_host(std::vector<int32_t>(4));
  CHECK(scene.fake->count("cuCtxPushCurrent_v2") == pushes);
  CHECK(current(scene) == own);
  CHECK(scene.driver->cuCtxPopCurrent(&own) == runtime::cuda::CUDA_SUCCESS);
  CHECK(scene.driver->cuDevicePrimaryCtxRelease(0) == runtime::cuda::CUDA_SUCCESS);
}

TEST_CASE("the caller's current context is the same after a call that failed") {
  const CudaScene scene;
  scene.script("cuMemcpyHtoD_v2", 1);
  CHECK_ERROR(
      scene.iota({4}), ErrorCode::device,
      "copying 16 bytes to the device on cuda:0: cuMemcpyHtoD_v2 returned CUDA_ERROR_INVALID_VALUE (1): invalid "
      "argument");
  CHECK(scene.fake->context_depth() == 0);
}

TEST_CASE("a context that cannot be popped is replaced by what was current") {
  const CudaScene scene;
  scene.script("cuCtxPopCurrent_v2", 1);
  const Array array = scene.iota({4});
  CHECK(scene.fake->context_depth() == 0);
}

TEST_CASE("the primary context is neither configured nor reset") {
  { use_everything(CudaScene()); }
  FakeDriver fake(JITC_FAKE_CUDA);
  const CudaScene scene;
  use_everything(scene);
  CHECK(scene.fake->count("cuDevicePrimaryCtxSetFlags_v2") == 0);
  CHECK(scene.fake->count("cuDevicePrimaryCtxReset_v2") == 0);
  CHECK(scene.fake->count("cuCtxSetLimit") == 0);
}

TEST_CASE("a device that jitc cannot use is refused with its name") {
  FakeDriver fake(JITC_FAKE_CUDA);
  FakePose pose;
  pose.devices[0].name = "Tesla K40m";
  pose.devices[0].sm = 35;
  fake->pose(pose);
  const auto driver = runtime::cuda::Driver::load(JITC_FAKE_CUDA);
  CHECK_ERROR(runtime::cuda::make_cuda_backend(driver, 0), ErrorCode::device,
              "cuda:0 (Tesla K40m) is an sm_35 device, and jitc needs sm_50 or newer");
  CHECK(fake->live().contexts == 0);
}

TEST_CASE("a device that there is not is refused with how many there are") {
  FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = runtime::cuda::Driver::load(JITC_FAKE_CUDA);
  CHECK_ERROR(runtime::cuda::make_cuda_backend(driver, 3), ErrorCode::device,
              "there is no cuda:3: the driver has 1 device");
}

TEST_CASE("a device whose context cannot be made says why") {
  FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = runtime::cuda::Driver::load(JITC_FAKE_CUDA);
  fake->script({.function = "cuDevicePrimaryCtxRetain", .code = 2});
  CHECK_ERROR(runtime::cuda::make_cuda_backend(driver, 0), ErrorCode::memory,
              "opening cuda:0: cuDevicePrimaryCtxRetain returned CUDA_ERROR_OUT_OF_MEMORY (2): out of memory");
  CHECK(fake->live() == FakeLive{});
}

TEST_CASE("a broken context is reported with what broke it, by every later call") {
  CudaScene scene;
  scene.is_dead = true;
  const auto kernel = scene->load(fill_artifact());
  const Array array = scene.empty({4});
  scene.script("cuLaunchKernel", 700);
  const std::string reason =
      "launching kernel 'fill' of case.dsl on cuda:0: cuLaunchKernel returned CUDA_ERROR_ILLEGAL_ADDRESS (700): a "
      "kernel accessed memory it must not";
  CHECK_ERROR(scene->launch(*kernel, {}, fill_params(1, array, 1), *scene->default_queue()), ErrorCode::device, reason);
  const std::string dead = "device cuda:0 cannot be used any more: " + reason + "; the process must be restarted";
  CHECK_ERROR(scene->launch(*kernel, {}, fill_params(1, array, 1), *scene->default_queue()), ErrorCode::device, dead);
  CHECK_ERROR(scene.empty({4}), ErrorCode::device, dead);
  CHECK_ERROR(array.to_vector<int32_t>(), ErrorCode::device, dead);
  CHECK_ERROR(scene->make_queue({}), ErrorCode::device, dead);
  CHECK_ERROR(scene->synchronize(), ErrorCode::device, dead);
  CHECK_ERROR(scene->load(fill_artifact()), ErrorCode::device, dead);
  CHECK_ERROR(scene->trim(), ErrorCode::device, dead);
  CHECK(scene.fake->context_depth() == 0);
}

TEST_CASE("what breaks the context is laid to the kernel that was launched last") {
  CudaScene scene;
  scene.is_dead = true;
  const Array array = scene.empty({4});
  scene->launch(*scene->load(fill_artifact()), {}, fill_params(1, array, 1), *scene->default_queue());
  scene.script("cuCtxSynchronize", 719);
  const std::string reason =
      "waiting for the device on cuda:0: cuCtxSynchronize returned CUDA_ERROR_LAUNCH_FAILED (719): a kernel failed; "
      "the last launch before was of kernel 'fill' of case.dsl";
  CHECK_ERROR(scene->synchronize(), ErrorCode::device, reason);
  CHECK_ERROR(scene->synchronize(), ErrorCode::device,
              "device cuda:0 cannot be used any more: " + reason + "; the process must be restarted");
}

TEST_CASE("a context that a kernel broke is found out by the next wait") {
  CudaScene scene;
  scene.is_dead = true;
  scene.fake->break_context(0, 719);
  CHECK_ERROR(scene->synchronize(), ErrorCode::device,
              "waiting for the device on cuda:0: cuCtxSynchronize returned CUDA_ERROR_LAUNCH_FAILED (719): a kernel "
              "failed");
  CHECK_ERROR(scene->synchronize(), ErrorCode::device,
              "device cuda:0 cannot be used any more: waiting for the device on cuda:0: cuCtxSynchronize returned "
              "CUDA_ERROR_LAUNCH_FAILED (719): a kernel failed; the process must be restarted");
}

TEST_CASE("what belongs to a dead context is let go in silence") {
  CudaScene scene;
  scene.is_dead = true;
  std::vector<Array> arrays;
  for (int i = 0; i < 30; ++i) arrays.push_back(scene.empty({4}));
  const auto kernel = scene->load(fill_artifact());
  Stream stream = scene.make_stream();
  scene.fake->break_context(0, 700);
  CHECK_THROWS_AS(stream.synchronize(), Error);
  const uint64_t calls = scene.fake->count("*");
  arrays.clear();
  stream = {};
  CHECK(scene.fake->count("*") == calls);
}

TEST_CASE("a driver that shuts down is silence for who frees and an error for who asks") {
  CudaScene scene;
  scene.is_dead = true;
  Array array = scene.empty({4});
  scene.script("cuMemFreeAsync", 4);
  array = {};
  scene.backend->synchronize();
  CHECK_ERROR(scene.empty({4}), ErrorCode::device,
              "device cuda:0 cannot be used any more: freeing device memory on cuda:0: cuMemFreeAsync returned "
              "CUDA_ERROR_DEINITIALIZED (4): the driver is shutting down; the process must be restarted");
}

TEST_CASE("a forked child is told that it has no CUDA") {
  const CudaScene scene;
  const Array array = scene.empty({4});
  const std::string text =
      "cuda:0 cannot be used: CUDA does not work in a child process that was made by fork() after CUDA was started; "
      "start the child with exec(), or open devices in the children only";
  CHECK(run_in_child([&] {
          const ThrownError thrown = error_of([&] { array.to_vector<int32_t>(); });
          return thrown.code == ErrorCode::device && thrown.text == text;
        }) == 0);
  CHECK(array.to_vector<int32_t>().size() == 4);
}

TEST_CASE("a forked child frees nothing of its parent") {
  const CudaScene scene;
  std::vector<Array> arrays;
  for (int i = 0; i < 30; ++i) arrays.push_back(scene.empty({4}));
  CHECK(run_in_child([&] {
          const uint64_t calls = scene.fake->count("*");
          arrays.clear();
          scene->begin_deferred_cleanup();
          scene->end_deferred_cleanup();
          return scene.fake->count("*") == calls;
        }) == 0);
}
