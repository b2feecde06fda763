// Device memory: taken and given in the order of queues, given back many at a time, asked for twice.
#include <atomic>
#include <thread>

#include "runtime/cuda/block_pool.hpp"
#include "runtime/cuda/driver_abi.hpp"
#include "tests/unit/runtime_cuda/any_scene.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;

namespace {

constexpr size_t kMiB = size_t{1} << 20;

FakePose small_device(size_t memory_bytes = 64 * kMiB) {
  FakePose pose;
  pose.devices[0].memory_bytes = memory_bytes;
  return pose;
}

FakePose without_pools(size_t memory_bytes = 64 * kMiB) {
  FakePose pose = small_device(memory_bytes);
  pose.devices[0].has_pools = false;
  return pose;
}

int64_t mib(int64_t count) { return count << 20; }

}  // namespace

TEST_CASE("memory comes from a pool of our own, which keeps it") {
  const CudaScene scene;
  { const Array array = scene.empty({1024}); }
  scene->synchronize();
  CHECK(scene.fake->count("cuMemPoolCreate") == 1);
  CHECK(scene.fake->count("cuMemAllocFromPoolAsync") == 1);
  CHECK(scene.fake->count("cuMemAlloc_v2") == 0);
  CHECK(scene->memory_state().reserved_bytes == 4096);
}

TEST_CASE("no memory is asked for zero bytes") {
  const CudaScene scene;
  CHECK(scene->allocate(0, *scene->default_queue()) == nullptr);
  CHECK(scene.fake->count("cuMemAllocFromPoolAsync") == 0);
}

TEST_CASE("frees wait until they are more than ten") {
  const CudaScene scene;
  const auto free_arrays = [&](int count) {
    for (int i = 0; i < count; ++i) scene.empty({16});
  };
  free_arrays(10);
  CHECK(scene->memory_state().pending_frees == 10);
  CHECK(scene->memory_state().pending_bytes == 640);
  CHECK(scene.fake->count("cuMemFreeAsync") == 0);
  free_arrays(1);
  CHECK(scene->memory_state().pending_frees == 0);
  CHECK(scene.fake->count("cuMemFreeAsync") == 11);
}

TEST_CASE("frees do not wait when they are a fifth of the memory") {
  const CudaScene scene(small_device());
  scene.empty({mib(12)}, DType::u1);
  CHECK(scene->memory_state().pending_frees == 1);
  scene.empty({mib(1)}, DType::u1);
  CHECK(scene->memory_state().pending_frees == 0);
}

TEST_CASE("who waits for a stream gives back what was freed") {
  const AnyScene scene(GENERATE(every_driver()));
  scene.empty({16});
  scene.default_stream().synchronize();
  CHECK(scene->memory_state().pending_frees == 0);
}

TEST_CASE("while cleanup is deferred nothing is given back, and all afterwards") {
  const CudaScene scene;
  scene->begin_deferred_cleanup();
  scene->begin_deferred_cleanup();
  for (int i = 0; i < 20; ++i) scene.empty({16});
  scene->synchronize();
  scene->end_deferred_cleanup();
  CHECK(scene->memory_state().pending_frees == 20);
  CHECK(scene.fake->count("cuMemFreeAsync") == 0);
  scene->end_deferred_cleanup();
  CHECK(scene->memory_state().pending_frees == 0);
}

TEST_CASE("memory that is freed while a stream works with it goes back behind the work") {
  for (const bool has_pools : {true, false}) {
    const CudaScene scene(has_pools ? FakePose() : without_pools());
    scene.fake->set_kernel(run_fill);
    scene.fake->hold();
    const Stream stream = scene.make_stream();
    const auto kernel = scene->load(fill_artifact());
    for (int i = 0; i < 20; ++i) {
      const Array array = scene.iota({64}, stream);
      scene->launch(*kernel, {}, fill_params(64, array, i), *stream.queue());
    }
    CHECK(scene.fake->pending() > 0);
    stream.synchronize();
  }
}

TEST_CASE("memory goes back behind the work of every stream that used it, not only its own") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream home = scene.make_stream();
  const Stream other = scene.make_stream();
  const auto kernel = scene->load(fill_artifact());
  for (int i = 0; i < 20; ++i) {
    const Array array = scene.iota({64}, home);
    const Array copy = array.copy(other);
    scene->launch(*kernel, {}, fill_params(64, array, i), *other.queue());
  }
  scene->synchronize();
}

TEST_CASE("memory of a stream that is gone goes back all the same") {
  const CudaScene scene;
  scene.fake->hold();
  Array array = scene.iota({64}, scene.make_stream());
  scene->synchronize();
  array = {};
  scene->trim();
  CHECK(scene.fake->live().allocations == 0);
}

TEST_CASE("memory of another thread's own stream goes back when someone waits for the device") {
  const AnyScene scene(GENERATE(every_driver()));
  std::vector<Array> arrays(20);
  std::thread([&] {
    for (Array& array : arrays) array = scene.iota({16}, Stream::of_queue(scene->per_thread_queue()));
  }).join();
  arrays.clear();
  CHECK(scene->memory_state().pending_frees == 20);
  scene->synchronize();
  CHECK(scene->memory_state().pending_frees == 0);
}

TEST_CASE("an allocation that fails is tried again after what was freed went back") {
  for (const bool has_pools : {true, false}) {
    const CudaScene scene(has_pools ? small_device() : without_pools());
    const Array kept = scene.empty({mib(40)}, DType::u1);
    scene.empty({mib(10)}, DType::u1);
    const Array array = scene.empty({mib(24)}, DType::u1);
    CHECK(array.valid());
    CHECK(scene->memory_state().pending_frees == 0);
  }
}

TEST_CASE("also while cleanup is deferred") {
  const CudaScene scene(small_device());
  scene->begin_deferred_cleanup();
  scene.empty({mib(40)}, DType::u1);
  CHECK(scene.empty({mib(50)}, DType::u1).valid());
  scene->end_deferred_cleanup();
}

TEST_CASE("an allocation for which there is no room says how the memory is used") {
  const CudaScene scene(small_device());
  const Array kept = scene.empty({mib(40)}, DType::u1);
  { const Array freed = scene.empty({mib(8)}, DType::u1); }
  CHECK_ERROR(scene.empty({mib(32)}, DType::u1), ErrorCode::memory,
              "allocating 32.0 MiB on cuda:0: cuMemAllocFromPoolAsync returned CUDA_ERROR_OUT_OF_MEMORY (2): out of "
              "memory; 40.0 MiB in use by arrays, 40.0 MiB reserved of which 0 bytes unused, in blocks of at most 0 "
              "bytes, 24.0 MiB of 64.0 MiB free on the device");
  CHECK(scene.empty({mib(16)}, DType::u1).valid());
}

TEST_CASE("another failure of an allocation is not tried again") {
  const CudaScene scene;
  scene.script("cuMemAllocFromPoolAsync", 1);
  CHECK_ERROR(scene.empty({16}), ErrorCode::device,
              "allocating 64 bytes on cuda:0: cuMemAllocFromPoolAsync returned CUDA_ERROR_INVALID_VALUE (1): invalid "
              "argument");
  CHECK(scene.fake->count("cuMemAllocFromPoolAsync") == 1);
}

TEST_CASE("trim gives back what no array uses and says how much") {
  for (const bool has_pools : {true, false}) {
    const CudaScene scene(has_pools ? small_device() : without_pools());
    const Array kept = scene.empty({mib(2)}, DType::u1);
    { const Array freed = scene.empty({mib(4)}, DType::u1); }
    CHECK(scene->trim() == 4 * kMiB);
    CHECK(scene->memory_state().reserved_bytes == 2 * kMiB);
    CHECK(scene->trim() == 0);
  }
}

TEST_CASE("the state of the memory is that of the device") {
  const CudaScene scene(small_device());
  const Array array = scene.empty({mib(4)}, DType::u1);
  const runtime::MemoryState state = scene->memory_state();
  CHECK(state.total_bytes == 64 * kMiB);
  CHECK(state.free_bytes == 60 * kMiB);
  CHECK(state.reserved_bytes == 4 * kMiB);
}

TEST_CASE("a driver that makes no pool is used without one") {
  FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = runtime::cuda::Driver::load(JITC_FAKE_CUDA);
  fake->script({.function = "cuMemPoolCreate", .code = 801});
  auto backend = runtime::cuda::make_cuda_backend(driver, 0);
  { const Array array = runtime::make_array(backend, {16}, DType::i4, backend->default_queue()); }
  CHECK(fake->count("cuMemAlloc_v2") == 1);
  backend.reset();
  CHECK(fake->live() == FakeLive{});
}

TEST_CASE("a pool that cannot be set up is not used") {
  FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = runtime::cuda::Driver::load(JITC_FAKE_CUDA);
  fake->script({.function = "cuMemPoolSetAttribute", .code = 1});
  auto backend = runtime::cuda::make_cuda_backend(driver, 0);
  CHECK(fake->live().pools == 0);
  backend.reset();
}

TEST_CASE("an old driver without pools serves arrays") {
  const CudaScene scene({}, JITC_FAKE_CUDA_OLD);
  const Array array = scene.iota({4});
  CHECK(array.to_vector<int32_t>() == std::vector<int32_t>{0, 1, 2, 3});
  CHECK(scene.fake->count("cuMemAlloc_v2") == 1);
}

TEST_CASE("classes of blocks waste a quarter at most and never more than the driver's unit") {
  using runtime::cuda::BlockPool;
  CHECK(BlockPool::class_bytes(1) == 512);
  CHECK(BlockPool::class_bytes(512) == 512);
  CHECK(BlockPool::class_bytes(513) == 640);
  CHECK(BlockPool::class_bytes(1024) == 1024);
  CHECK(BlockPool::class_bytes(1025) == 1280);
  CHECK(BlockPool::class_bytes(100 * kMiB + 1) == 102 * kMiB);
  for (size_t size = 1; size < 70 * kMiB; size += size / 7 + 1) {
    const size_t block = BlockPool::class_bytes(size);
    CHECK(block >= size);
    CHECK(block <= std::max(size + size / 4, size_t{512}));
    CHECK(BlockPool::class_bytes(block) == block);
  }
}

TEST_CASE("without the driver's pools a block is used again at once on its own stream") {
  const CudaScene scene(without_pools());
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  std::byte* first = nullptr;
  {
    const Array array = scene.iota({64}, stream);
    first = array.data();
  }
  for (int i = 0; i < 11; ++i) scene.empty({1024 * (i + 2)}, DType::u1, stream);
  CHECK(scene.iota({64}, stream).data() == first);
}

TEST_CASE("without the driver's pools a block is used on another stream when its work is done") {
  const CudaScene scene(without_pools());
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const Stream other = scene.make_stream();
  std::byte* first = nullptr;
  {
    const Array array = scene.iota({64}, stream);
    first = array.data();
  }
  for (int i = 0; i < 11; ++i) scene.empty({1024 * (i + 2)}, DType::u1, stream);
  const Array kept = scene.empty({64}, DType::i4, other);
  CHECK(kept.data() != first);
  stream.synchronize();
  CHECK(scene.empty({64}, DType::i4, other).data() == first);
}

TEST_CASE("a free that the driver refuses is silent and tried once more") {
  const CudaScene scene;
  scene.script("cuMemFreeAsync", 1);
  scene.empty({16});
  scene->synchronize();
  CHECK(scene.fake->live().allocations == 1);
  scene->synchronize();
  CHECK(scene.fake->live().allocations == 0);
}

TEST_CASE("streams that cannot be ordered for a free are waited for") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream home = scene.make_stream();
  const Stream other = scene.make_stream();
  {
    const Array array = scene.iota({64}, home);
    const Array copy = array.copy(other);
  }
  scene.script("cuEventRecord", 2);
  const uint64_t waits = scene.fake->count("cuCtxSynchronize");
  home.synchronize();
  CHECK(scene.fake->count("cuCtxSynchronize") == waits + 1);
}

TEST_CASE("eight threads allocate, copy and free at once") {
  const AnyScene scene(GENERATE(every_driver()));
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const Stream stream = t % 2 == 0 ? scene.make_stream() : Stream::of_queue(scene->per_thread_queue());
      for (int i = 0; i < 50; ++i) {
        const Array array = scene.iota({16 + i}, stream);
        if (array.to_vector<int32_t>(stream).back() != 15 + i) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(scene->memory_state().pending_bytes < 64 * kMiB / 5);
}
