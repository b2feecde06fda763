// Host memory that a device reaches.
#include "runtime/common/buffer.hpp"
#include "runtime/common/host_block.hpp"
#include "runtime/cuda/driver_abi.hpp"
#include "tests/unit/runtime_cuda/any_scene.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;

namespace {

HostArray make_host_array(const BackendScene& scene, HostMemoryKind kind, const HostMemoryOptions& options = {}) {
  return {std::make_shared<runtime::HostBlock>(scene.backend, 64, kind, options), DType::i4, {16}};
}

}  // namespace

TEST_CASE("pinned memory is page-locked, and freed with the others") {
  const AnyScene scene(GENERATE(every_driver()));
  {
    const HostArray array = make_host_array(scene, HostMemoryKind::pinned, {.portable = true, .write_combined = true});
    array.as<int32_t>()[15] = 1;
    CHECK(scene.driver->pinned() == 1);
  }
  scene->synchronize();
  CHECK(scene.driver->pinned() == 0);
}

TEST_CASE("kernels use mapped and managed memory where it lies") {
  const AnyScene scene(GENERATE(every_driver()));
  for (const HostMemoryKind kind : {HostMemoryKind::mapped, HostMemoryKind::managed}) {
    const HostArray host = make_host_array(scene, kind);
    const auto kernel = scene->load(fill_artifact());
    const Array array = host.on_device();
    scene->launch(*kernel, {}, fill_params(16, array, 5), *scene->default_queue());
    scene->synchronize();
    CHECK(host.as<int32_t>()[0] == 5);
    CHECK(host.as<int32_t>()[15] == 5);
  }
}

TEST_CASE("mapped memory is not freed before a stream is done with it") {
  const CudaScene scene;
  scene.fake->set_kernel(run_fill);
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const auto kernel = scene->load(fill_artifact());
  {
    const HostArray host = make_host_array(scene, HostMemoryKind::mapped);
    const Array array = host.on_device();
    array.buffer()->use_on(stream.queue());
    scene->launch(*kernel, {}, fill_params(16, array, 5), *stream.queue());
  }
  CHECK(scene.fake->live().pinned == 1);
  stream.synchronize();
  scene->synchronize();
  CHECK(scene.fake->live().pinned == 0);
}

TEST_CASE("a device without managed memory says so") {
  FakePose pose;
  pose.devices[0].has_managed_memory = false;
  const CudaScene scene(pose);
  CHECK_ERROR(make_host_array(scene, HostMemoryKind::managed), ErrorCode::device,
              "cuda:0 (Fake GPU) has no managed memory");
}

TEST_CASE("host memory that the driver does not give is an error of memory") {
  const CudaScene scene;
  scene.script("cuMemHostAlloc", 2);
  CHECK_ERROR(make_host_array(scene, HostMemoryKind::pinned), ErrorCode::memory,
              "allocating 64 bytes of page-locked memory on cuda:0: cuMemHostAlloc returned CUDA_ERROR_OUT_OF_MEMORY "
              "(2): out of memory");
}

TEST_CASE("memory of the caller is page-locked for a while") {
  const CudaScene scene;
  std::vector<int32_t> memory(1024);
  {
    const PinnedScope pinned(scene.backend, memory.data(), 4096);
    CHECK(scene.fake->live().registered == 1);
  }
  CHECK(scene.fake->live().registered == 0);
}
