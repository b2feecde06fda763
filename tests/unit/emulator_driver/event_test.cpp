// Events: order between streams, and time.
#include <thread>

#include "tests/unit/emulator_driver/emulator_scene.hpp"
#include "tests/unit/emulator_driver/held_stream.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

TEST_CASE("an event has happened when all before it on its stream is done") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream();
  const CUevent event = scene.make_event();
  CHECK(scene->cuEventQuery(event) == CUDA_SUCCESS);
  {
    const HeldStream held(scene, stream);
    CHECK(scene->cuEventRecord(event, stream) == CUDA_SUCCESS);
    CHECK(scene->cuEventQuery(event) == CUDA_ERROR_NOT_READY);
  }
  CHECK(scene->cuEventSynchronize(event) == CUDA_SUCCESS);
  CHECK(scene->cuEventQuery(event) == CUDA_SUCCESS);
}

TEST_CASE("a stream waits for an event of another, as it was when it was told to") {
  const EmulatorScene scene;
  const CUstream first = scene.make_stream(), then = scene.make_stream();
  const CUevent event = scene.make_event(CU_EVENT_DISABLE_TIMING);
  const CUdeviceptr data = scene.allocate(std::vector<int>(1, 0));
  HeldStream held(scene, first);
  scene->cuMemsetD8Async(data, 1, 4, first);
  CHECK(scene->cuEventRecord(event, first) == CUDA_SUCCESS);
  CHECK(scene->cuStreamWaitEvent(then, event, 0) == CUDA_SUCCESS);
  scene->cuMemsetD8Async(data, 2, 4, then);
  CHECK(scene->cuStreamQuery(then) == CUDA_ERROR_NOT_READY);
  held.let_go();
  CHECK(scene->cuStreamSynchronize(then) == CUDA_SUCCESS);
  CHECK(scene.read<int>(data, 1)[0] == 0x02020202);
}

TEST_CASE("the time between events is the time that passed") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream();
  const CUevent start = scene.make_event(), end = scene.make_event(),
                timeless = scene.make_event(CU_EVENT_DISABLE_TIMING);
  float milliseconds = -1;
  CHECK(scene->cuEventElapsedTime(&milliseconds, start, end) == CUDA_ERROR_INVALID_HANDLE);
  scene->cuEventRecord(start, stream);
  scene->cuLaunchHostFunc(
      stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }, nullptr);
  scene->cuEventRecord(end, stream);
  scene->cuEventRecord(timeless, stream);
  scene->cuStreamSynchronize(stream);
  CHECK(scene->cuEventElapsedTime(&milliseconds, start, end) == CUDA_SUCCESS);
  CHECK(milliseconds >= 3);
  CHECK(scene->cuEventElapsedTime(&milliseconds, start, timeless) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("events that are gone, or never were, are refused") {
  const EmulatorScene scene;
  const CUevent event = scene.make_event();
  CUevent made = nullptr;
  CHECK(scene->cuEventDestroy(event) == CUDA_SUCCESS);
  CHECK(scene->cuEventDestroy(event) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuEventRecord(event, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuStreamWaitEvent(nullptr, event, 0) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuEventCreate(&made, CU_EVENT_INTERPROCESS) == CUDA_ERROR_INVALID_VALUE);
}
