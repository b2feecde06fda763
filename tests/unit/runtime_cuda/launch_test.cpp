// Launches of plain, cooperative and checked kernels, and of those with large parameter blocks.
#include "jitc/cpu_abi.hpp"
#include "runtime/cuda/cuda_kernel.hpp"
#include "tests/unit/runtime_cuda/any_scene.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;

namespace {

using Parts = std::vector<std::byte>;

/// On the fake: where it keeps the record of the kernel that was loaded last.
FailRecord* fail_record = nullptr;

/// Fails when the value is negative: "index <n> of <value>".
int run_checked(const FakeLaunch& launch) {
  int32_t n = 0;
  int32_t value = 0;
  std::memcpy(&n, launch.params.data(), 4);
  std::memcpy(&value, launch.params.data() + 16, 4);
  CHECK(fail_record->state == 0);
  if (value >= 0) return run_fill(launch);
  *fail_record = {.state = 2, .values = {n, -value}};
  return 0;
}

/// A scene with a checked kernel, whose record is found by asking the driver for it.
struct CheckedScene : AnyScene {
  explicit CheckedScene(const std::string& name) : AnyScene(name) {
    driver->set_kernel(run_checked);
    kernel = backend->load(checked_artifact());
    array = iota({8});
    fail_record = find_record();
  }
  ~CheckedScene() {
    array = {};
    kernel.reset();
  }
  void run(int32_t value, const Stream& stream) {
    backend->launch(*kernel, {}, fill_params(8, array, value), *stream.queue());
  }
  FailRecord* find_record() const {
    const auto& loaded = static_cast<const runtime::cuda::CudaKernel&>(*kernel);
    return reinterpret_cast<FailRecord*>(static_cast<uintptr_t>(loaded.parts().fail_record));
  }

  std::shared_ptr<runtime::LoadedKernel> kernel;
  Array array;
};

std::string index_error(int extent) {
  return fmt::format(
      "case.dsl:7:5: index 8 is outside array 'data' (axis 0 has extent {}) in kernel 'fill', thread (0,0,0) block "
      "(0,0,0)",
      extent);
}

}  // namespace

TEST_CASE("a launch has the shape, the shared memory, the stream and the parameters that were given") {
  const CudaScene scene;
  const Stream stream = scene.make_stream();
  const Array array = scene.empty({8});
  const auto kernel = scene->load(fill_artifact());
  const auto params = fill_params(8, array, 3);
  scene->launch(*kernel, {.grid = {2, 3, 4}, .block = {8, 4, 2}, .dynamic_shared_bytes = 64}, params, *stream.queue());
  const std::vector<FakeLaunch> launches = scene.fake->launches();
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].entry == "fill");
  CHECK(std::vector<unsigned>(launches[0].grid, launches[0].grid + 3) == std::vector<unsigned>{2, 3, 4});
  CHECK(std::vector<unsigned>(launches[0].block, launches[0].block + 3) == std::vector<unsigned>{8, 4, 2});
  CHECK(launches[0].shared_bytes == 64);
  CHECK(launches[0].stream == stream.native_handle());
  CHECK(launches[0].params == params);
  CHECK_FALSE(launches[0].is_cooperative);
}

TEST_CASE("a plain launch is one call of the driver beside those of the context") {
  const CudaScene scene;
  const Array array = scene.empty({8});
  const auto kernel = scene->load(fill_artifact());
  const uint64_t before = scene.fake->count("*");
  scene->launch(*kernel, {}, fill_params(8, array, 3), *scene->default_queue());
  CHECK(scene.fake->count("*") == before + 4);
}

TEST_CASE("a kernel without parameters is launched") {
  const CudaScene scene;
  Artifact artifact = fill_artifact();
  artifact.code = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry fill()\n{\n  ret;\n}\n";
  const auto kernel = scene->load(artifact);
  scene->launch(*kernel, {}, {}, *scene->default_queue());
  CHECK(scene.fake->launches().size() == 1);
}

TEST_CASE("a launch that the driver refuses names the kernel and its file") {
  const CudaScene scene;
  const auto kernel = scene->load(fill_artifact());
  const Array array = scene.empty({8});
  scene.script("cuLaunchKernel", 701);
  CHECK_ERROR(scene->launch(*kernel, {}, fill_params(8, array, 3), *scene->default_queue()), ErrorCode::launch,
              "launching kernel 'fill' of case.dsl on cuda:0: cuLaunchKernel returned "
              "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701): not enough registers or shared memory");
}

TEST_CASE("a kernel of one device is not launched on another, nor on its streams") {
  FakePose pose;
  pose.devices.resize(2);
  const CudaScene scene(pose);
  const auto other = runtime::cuda::make_cuda_backend(scene.driver, 1);
  const auto kernel = scene->load(fill_artifact());
  const Array array = scene.empty({8});
  CHECK_ERROR(other->launch(*kernel, {}, fill_params(8, array, 3), *other->default_queue()), ErrorCode::argument,
              "kernel 'fill' of case.dsl was loaded on cuda:0, not on cuda:1");
  CHECK_ERROR(scene->launch(*kernel, {}, fill_params(8, array, 3), *other->default_queue()), ErrorCode::argument,
              "a stream of cuda:1 is used on cuda:0");
}

TEST_CASE("a kernel that waits for its grid is launched as such, with each parameter in its place") {
  const CudaScene scene;
  const auto kernel = scene->load(cooperative_artifact());
  const Array array = scene.empty({8});
  const auto params = fill_params(8, array, 3);
  scene->launch(*kernel, {.grid = {2}}, params, *scene->default_queue());
  const FakeLaunch launch = scene.fake->launches()[0];
  CHECK(launch.is_cooperative);
  const auto part = [](const Parts& block, int begin, int end) {
    return Parts(block.begin() + begin, block.begin() + end);
  };
  CHECK(part(launch.params, 0, 4) == part(params, 0, 4));
  CHECK(part(launch.params, 8, 20) == part(params, 8, 20));
}

TEST_CASE("launches of one kernel that waits for its grid come one after the other, on any streams") {
  const AnyScene scene(GENERATE(every_driver()));
  const auto kernel = scene->load(cooperative_artifact());
  const Stream first = scene.make_stream();
  const Stream second = scene.make_stream();
  const Array array = scene.empty({8});
  scene->synchronize();
  scene->launch(*kernel, {}, fill_params(8, array, 1), *first.queue());
  scene->launch(*kernel, {}, fill_params(4, array, 2), *second.queue());
  second.synchronize();
  CHECK(array.to_vector<int32_t>() == std::vector<int32_t>{2, 2, 2, 2, 1, 1, 1, 1});
}

TEST_CASE("a checked kernel that fails on the default stream throws at once") {
  CheckedScene scene(GENERATE(every_driver()));
  scene.run(3, scene.default_stream());
  CHECK_ERROR(scene.run(-5, scene.default_stream()), ErrorCode::kernel, index_error(5));
  scene.run(4, scene.default_stream());
  scene->synchronize();
  CHECK(scene.array.to_vector<int32_t>()[7] == 4);
}

TEST_CASE("a checked kernel that fails on a stream throws at its next synchronize, the first one first") {
  CheckedScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  scene.array.to_vector<int32_t>(stream);
  scene.run(-5, stream);
  scene.run(1, stream);
  scene.run(-6, stream);
  CHECK_ERROR(stream.synchronize(), ErrorCode::kernel, index_error(5));
  stream.synchronize();
}

TEST_CASE("a checked kernel that fails throws at the wait for an event behind it, not for one before it") {
  CheckedScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const auto before = scene.make_event();
  const auto behind = scene.make_event();
  before->record(*stream.queue());
  scene.run(-5, stream);
  behind->record(*stream.queue());
  before->synchronize();
  CHECK_ERROR(behind->synchronize(), ErrorCode::kernel, index_error(5));
  stream.synchronize();
}

TEST_CASE("the device's synchronize throws what failed on any stream, once") {
  CheckedScene scene(GENERATE(every_driver()));
  scene.run(-5, scene.make_stream());
  CHECK_ERROR(scene->synchronize(), ErrorCode::kernel, index_error(5));
  scene->synchronize();
}

TEST_CASE("launches of one checked kernel on several streams do not share a record") {
  CheckedScene scene(GENERATE(every_driver()));
  const Stream first = scene.make_stream();
  const Stream second = scene.make_stream();
  for (int i = 1; i < 10; ++i) {
    scene.run(-i, first);
    scene.run(i, second);
  }
  second.synchronize();
  CHECK_ERROR(first.synchronize(), ErrorCode::kernel, index_error(1));
}

TEST_CASE("any number of checked launches may go without a wait") {
  CheckedScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  scene.run(-5, stream);
  for (int i = 0; i < 300; ++i) scene.run(1, stream);
  CHECK(scene.driver->pinned() < 100);
  CHECK_ERROR(stream.synchronize(), ErrorCode::kernel, index_error(5));
}

TEST_CASE("a large parameter block reaches the kernel by device memory") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const Array array = scene.iota({8}, stream);
  const auto kernel = scene->load(memory_artifact());
  for (int i = 0; i < 20; ++i) scene->launch(*kernel, {}, fill_params(4, array, i), *stream.queue());
  CHECK(array.to_vector<int32_t>(stream) == std::vector<int32_t>{19, 19, 19, 19, 4, 5, 6, 7});
}

TEST_CASE("page-locked blocks of parameters are used again when their copies are done") {
  const AnyScene scene(GENERATE(every_driver()));
  const Array array = scene.iota({8});
  const auto kernel = scene->load(memory_artifact());
  for (int i = 0; i < 20; ++i) {
    scene->launch(*kernel, {}, fill_params(4, array, i), *scene->default_queue());
    scene->synchronize();
  }
  CHECK(scene.driver->pinned() == 1);
}

TEST_CASE("a launch for whose parameters there is no memory says so") {
  const CudaScene scene;
  const Array array = scene.iota({8});
  const auto kernel = scene->load(memory_artifact());
  scene.script("cuMemAllocFromPoolAsync", 2, 1, FakeLasting::forever);
  CHECK_THROWS_WITH(scene->launch(*kernel, {}, fill_params(4, array, 1), *scene->default_queue()),
                    Catch::StartsWith("allocating 20 bytes on cuda:0: cuMemAllocFromPoolAsync returned "
                                      "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory; 32 bytes in use by arrays"));
}
