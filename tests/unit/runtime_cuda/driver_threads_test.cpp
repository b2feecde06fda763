// The fake under eight threads at once: what ThreadSanitizer watches.
#include <atomic>
#include <cstring>
#include <thread>

#include "tests/unit/runtime_cuda/driver_scene.hpp"

using namespace jitc::runtime::cuda;
using jitc::tests::DriverScene;
using jitc::tests::FakeLaunch;

namespace {

constexpr int kThreads = 8, kRounds = 100;

void on_all_threads(const std::function<void(int)>& action) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(action, i);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("eight threads allocate, copy, launch, wait and free at once") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();
  std::atomic<int> kernels = 0, host_functions = 0, failures = 0;
  scene.fake->set_kernel([&](const FakeLaunch&) {
    ++kernels;
    return 0;
  });
  const auto require = [&](CUresult code) { failures += code == CUDA_SUCCESS ? 0 : 1; };
  on_all_threads([&](int) {
    require(scene->cuCtxPushCurrent(scene.context));
    CUstream stream = nullptr;
    require(scene->cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
    for (int round = 0; round < kRounds; ++round) {
      CUdeviceptr data = 0;
      int in = round, out = -1;
      require(scene->cuMemAllocAsync(&data, sizeof in, stream));
      require(scene->cuMemcpyHtoDAsync(data, &in, sizeof in, stream));
      float a = 1;
      CUdeviceptr none = 0;
      unsigned count = 1;
      void* params[] = {&a, &data, &none, &count};
      require(scene->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, nullptr));
      require(scene->cuLaunchHostFunc(
          stream, [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); }, &host_functions));
      require(scene->cuMemcpyDtoHAsync(&out, data, sizeof out, stream));
      require(scene->cuMemFreeAsync(data, stream));
      require(scene->cuStreamSynchronize(stream));
      failures += out == in ? 0 : 1;
    }
    require(scene->cuStreamDestroy(stream));
  });
  CHECK(failures == 0);
  CHECK(kernels == kThreads * kRounds);
  CHECK(host_functions == kThreads * kRounds);
  CHECK(scene.fake->live().allocations == 0);
}

TEST_CASE("threads that wait for each other's held work all get it done") {
  DriverScene scene;
  const CUdeviceptr data = scene.allocate(kThreads);
  std::vector<CUevent> events;
  for (int i = 0; i < kThreads; ++i) events.push_back(scene.make_event());
  std::atomic<int> failures = 0, host_functions = 0;
  const auto require = [&](CUresult code) { failures += code == CUDA_SUCCESS ? 0 : 1; };
  scene.fake->hold();
  on_all_threads([&](int i) {
    require(scene->cuCtxPushCurrent(scene.context));
    CUstream stream = nullptr;
    require(scene->cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
    for (int round = 0; round < kRounds; ++round) {
      require(scene->cuStreamWaitEvent(stream, events[static_cast<size_t>((i + 1) % kThreads)], 0));
      require(scene->cuLaunchHostFunc(
          stream, [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); }, &host_functions));
      require(scene->cuMemsetD8Async(data + static_cast<CUdeviceptr>(i), 1, 1, stream));
      require(scene->cuEventRecord(events[static_cast<size_t>(i)], stream));
      if (round % 8 == 0) require(scene->cuStreamSynchronize(stream));
    }
    require(scene->cuStreamSynchronize(stream));
  });
  CHECK(failures == 0);
  CHECK(host_functions == kThreads * kRounds);
  CHECK(scene.fake->pending() == 0);
}
