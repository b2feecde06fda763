// The backend from opening to launching, where nothing goes wrong.
#include "tests/unit/runtime_cuda/any_scene.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;

TEST_CASE("a device says what it is") {
  FakePose pose;
  pose.devices[0] = {.name = "NVIDIA H200", .sm = 90, .memory_bytes = size_t{1430} << 20, .multiprocessors = 132};
  const CudaScene scene(pose);
  CHECK(scene->name() == "cuda:0");
  CHECK(scene->description() == "NVIDIA H200, sm_90, 132 multiprocessors, 1.4 GiB");
  CHECK(scene->target() == "sm_90");
  CHECK_FALSE(scene->is_host());
}

TEST_CASE("a kernel fills an array that comes back") {
  const AnyScene scene(GENERATE(every_driver()));
  const Array array = scene.iota({8});
  const auto kernel = scene->load(fill_artifact());
  const LaunchConfig config{.grid = {1}, .block = {32}};
  scene->check_launch(*kernel, config);
  scene->launch(*kernel, config, fill_params(4, array, 9), *scene->default_queue());
  CHECK(array.to_vector<int32_t>() == std::vector<int32_t>{9, 9, 9, 9, 4, 5, 6, 7});
}

TEST_CASE("the same on a stream of its own") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const Array array = scene.iota({8}, stream);
  const auto kernel = scene->load(fill_artifact());
  scene->launch(*kernel, {.grid = {1}, .block = {32}}, fill_params(4, array, 9), *stream.queue());
  CHECK(array.to_vector<int32_t>(stream) == std::vector<int32_t>{9, 9, 9, 9, 4, 5, 6, 7});
}
