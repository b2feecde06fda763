// Streams: asynchrony, order, the default streams, functions of the program.
#include <atomic>
#include <thread>

#include "tests/unit/emulator_driver/emulator_scene.hpp"
#include "tests/unit/emulator_driver/held_stream.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

/// Whether work on `then` waits for what `first` has.
bool waits(const EmulatorScene& scene, CUstream first, CUstream then) {
  HeldStream held(scene, first);
  const CUdeviceptr data = scene.allocate(4);
  CHECK(scene->cuMemsetD8Async(data, 1, 4, then) == CUDA_SUCCESS);
  for (int i = 0; i < 20; ++i) {
    if (scene->cuStreamQuery(then) == CUDA_SUCCESS) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  held.let_go();
  CHECK(scene->cuStreamSynchronize(then) == CUDA_SUCCESS);
  return true;
}

/// The same for work that is surely done at some time.
bool goes_on(const EmulatorScene& scene, CUstream first, CUstream then) {
  HeldStream held(scene, first);
  const CUdeviceptr data = scene.allocate(4);
  scene->cuMemsetD8Async(data, 1, 4, then);
  return scene->cuStreamSynchronize(then) == CUDA_SUCCESS && scene->cuStreamQuery(first) == CUDA_ERROR_NOT_READY;
}

const auto kLegacy = special_pointer<CUstream>(kLegacyStream);
const auto kPerThread = special_pointer<CUstream>(kPerThreadStream);

}  // namespace

TEST_CASE("a launch returns before its work is done") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(std::vector<int>(4, 0));
  const CUfunction store = scene.function(store_text(), "store");
  {
    const HeldStream held(scene, stream);
    CHECK(scene.launch(store, 1, 4, stream, data) == CUDA_SUCCESS);
    CHECK(scene->cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
  }
  CHECK(scene->cuStreamQuery(stream) == CUDA_SUCCESS);
  CHECK(scene.read<int>(data, 4) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("the legacy stream and blocking streams wait for each other, others do not") {
  const EmulatorScene scene;
  const CUstream blocking = scene.make_stream(CU_STREAM_DEFAULT), free = scene.make_stream();
  CHECK(scene->cuStreamSynchronize(nullptr) == CUDA_SUCCESS);
  CHECK(waits(scene, blocking, nullptr));
  CHECK(waits(scene, nullptr, blocking));
  CHECK(waits(scene, kLegacy, kPerThread));
  CHECK(goes_on(scene, free, nullptr));
  CHECK(goes_on(scene, nullptr, free));
  CHECK(goes_on(scene, blocking, free));
  CHECK(goes_on(scene, blocking, kPerThread));
}

TEST_CASE("each thread has a stream of its own") {
  const EmulatorScene scene;
  const HeldStream held(scene, kPerThread);
  std::thread([&] {
    scene->cuCtxSetCurrent(scene.context);
    CHECK(scene->cuStreamSynchronize(kPerThread) == CUDA_SUCCESS);
  }).join();
  CHECK(scene->cuStreamQuery(kPerThread) == CUDA_ERROR_NOT_READY);
}

TEST_CASE("a stream tells its flags, priority and context") {
  const EmulatorScene scene;
  CUstream stream = nullptr;
  unsigned flags = 9;
  int priority = 9, least = 9, greatest = 9;
  CUcontext context = nullptr;
  CHECK(scene->cuCtxGetStreamPriorityRange(&least, &greatest) == CUDA_SUCCESS);
  CHECK(scene->cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -100) == CUDA_SUCCESS);
  CHECK(scene->cuStreamGetFlags(stream, &flags) == CUDA_SUCCESS);
  CHECK(scene->cuStreamGetPriority(stream, &priority) == CUDA_SUCCESS);
  CHECK(scene->cuStreamGetCtx(stream, &context) == CUDA_SUCCESS);
  CHECK((flags == CU_STREAM_NON_BLOCKING && priority == greatest && context == scene.context && least == 0));
  CHECK(scene->cuStreamCreateWithPriority(&stream, 2, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a destroyed stream does its work, and its handle is one no more") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(std::vector<int>(1, 0));
  std::promise<void> open;
  auto gate = open.get_future().share();
  scene->cuLaunchHostFunc(
      stream, [](void* at) { static_cast<std::shared_future<void>*>(at)->wait(); }, &gate);
  scene->cuMemsetD8Async(data, 1, 4, stream);
  CHECK(scene->cuStreamDestroy(stream) == CUDA_SUCCESS);
  CHECK(scene->cuStreamDestroy(stream) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_ERROR_INVALID_HANDLE);
  open.set_value();
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(scene.read<int>(data, 1)[0] == 0x01010101);
}

TEST_CASE("the streams of the context cannot be destroyed") {
  const EmulatorScene scene;
  CHECK(scene->cuStreamDestroy(nullptr) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuStreamDestroy(kPerThread) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("functions of the program run in order on another thread, and must not call the driver") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream();
  struct Seen {
    const EmulatorScene* scene;
    std::thread::id thread;
    CUresult code = CUDA_SUCCESS;
    int order = 0, callback_order = 0, count = 0;
  } seen = {&scene, {}};
  const auto function = [](void* data) {
    auto& s = *static_cast<Seen*>(data);
    s.thread = std::this_thread::get_id();
    s.code = (*s.scene)->cuCtxSynchronize();
    s.order = ++s.count;
  };
  const auto callback = [](CUstream, CUresult, void* data) {
    auto& s = *static_cast<Seen*>(data);
    s.callback_order = ++s.count;
  };
  CHECK(scene->cuLaunchHostFunc(stream, function, &seen) == CUDA_SUCCESS);
  CHECK(scene->cuStreamAddCallback(stream, callback, &seen, 0) == CUDA_SUCCESS);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(seen.code == CUDA_ERROR_NOT_PERMITTED);
  CHECK(seen.thread != std::this_thread::get_id());
  CHECK((seen.order == 1 && seen.callback_order == 2));
}

TEST_CASE("many threads work on streams of their own") {
  const EmulatorScene scene;
  const CUfunction store = scene.function(store_text(), "store");
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      CUstream stream = nullptr;
      CUdeviceptr data = 0;
      std::vector<int> out(64);
      bool is_good = scene->cuCtxSetCurrent(scene.context) == CUDA_SUCCESS &&
                     scene->cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0) == CUDA_SUCCESS;
      for (int i = 0; i < 20 && is_good; ++i) {
        is_good = scene->cuMemAllocAsync(&data, 256, stream) == CUDA_SUCCESS &&
                  scene.launch(store, 2, 32, stream, data) == CUDA_SUCCESS &&
                  scene->cuMemcpyDtoHAsync(out.data(), data, 256, stream) == CUDA_SUCCESS &&
                  scene->cuMemFreeAsync(data, stream) == CUDA_SUCCESS && out[63] == 64;
        out[63] = 0;
      }
      good += is_good && scene->cuStreamDestroy(stream) == CUDA_SUCCESS ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 4);
}
