// Launches that a device cannot do are refused before the driver sees them, with numbers.
#include "runtime/cuda/driver_abi.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;
using namespace jitc::runtime::cuda;

TEST_CASE("more threads than the kernel's registers allow are refused with the registers") {
  const CudaScene scene;
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_NUM_REGS, 128);
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 512);
  const auto kernel = scene->load(fill_artifact());
  scene->check_launch(*kernel, {.block = {512}});
  CHECK_ERROR(scene->check_launch(*kernel, {.block = {1024}}), ErrorCode::launch,
              "kernel 'fill' of case.dsl: a block of 1024 threads with 128 registers each needs 131072 registers, "
              "cuda:0 has 65536 for a block: use at most 512 threads, or give the kernel launch bounds of 1024");
}

TEST_CASE("more threads than the kernel runs with are refused") {
  const CudaScene scene;
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 256);
  const auto kernel = scene->load(fill_artifact());
  CHECK_ERROR(scene->check_launch(*kernel, {.block = {32, 32}}), ErrorCode::launch,
              "kernel 'fill' of case.dsl: a block has 1024 threads, the kernel runs with at most 256 on cuda:0");
}

TEST_CASE("grids and blocks beyond the device's are refused") {
  FakePose pose;
  pose.devices[0].attributes = {{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 1000}, {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 8}};
  const CudaScene scene(pose);
  const auto kernel = scene->load(fill_artifact());
  CHECK_ERROR(scene->check_launch(*kernel, {.grid = {1, 1001}}), ErrorCode::launch,
              "kernel 'fill' of case.dsl: grid.y is 1001, cuda:0 takes up to 1000");
  CHECK_ERROR(scene->check_launch(*kernel, {.block = {1, 1, 9}}), ErrorCode::launch,
              "kernel 'fill' of case.dsl: block.z is 9, cuda:0 takes up to 8");
}

TEST_CASE("shared memory beyond the device's is refused with the kernel's own") {
  const CudaScene scene;
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1024);
  const auto kernel = scene->load(fill_artifact());
  CHECK_ERROR(
      scene->check_launch(*kernel, {.dynamic_shared_bytes = 101376}), ErrorCode::launch,
      "kernel 'fill' of case.dsl: 101376 bytes of dynamic shared memory beside the kernel's own 1024 are 102400 "
      "together, cuda:0 has 101376 for a block: ask for at most 100352");
}

TEST_CASE("shared memory beyond the usual is asked for once") {
  const CudaScene scene;
  const auto kernel = scene->load(fill_artifact());
  const Array array = scene.empty({4});
  scene->check_launch(*kernel, {.dynamic_shared_bytes = 49152});
  CHECK(scene.fake->count("cuFuncSetAttribute") == 0);
  for (const uint32_t size_bytes : {60000U, 101376U, 70000U}) {
    const LaunchConfig config{.dynamic_shared_bytes = size_bytes};
    scene->check_launch(*kernel, config);
    scene->launch(*kernel, config, fill_params(1, array, 1), *scene->default_queue());
  }
  CHECK(scene.fake->count("cuFuncSetAttribute") == 1);
  CHECK(scene.fake->launches().size() == 3);
}

TEST_CASE("a grid that must run at once is refused when the device cannot hold it") {
  FakePose pose;
  pose.devices[0].multiprocessors = 4;
  const CudaScene scene(pose);
  const auto kernel = scene->load(cooperative_artifact());
  scene->check_launch(*kernel, {.grid = {8}, .block = {1024}});
  CHECK_ERROR(scene->check_launch(*kernel, {.grid = {9}, .block = {1024}}), ErrorCode::launch,
              "kernel 'fill' of case.dsl waits for its whole grid, so that all blocks must run at once: 9 were asked "
              "for, and cuda:0 runs at most 8 of 1024 threads (2 on each of 4 multiprocessors); use fewer or smaller "
              "blocks");
}

TEST_CASE("a grid that must run at once is refused by a device that has no such launches") {
  FakePose pose;
  pose.devices[0].has_cooperative_launch = false;
  const CudaScene scene(pose);
  const auto kernel = scene->load(cooperative_artifact());
  CHECK_ERROR(scene->check_launch(*kernel, {}), ErrorCode::launch,
              "kernel 'fill' of case.dsl waits for its whole grid, which cuda:0 (Fake GPU) cannot do: no cooperative "
              "launches");
}

TEST_CASE("the best block is the driver's, within the kernel's limit, and asked for once") {
  const CudaScene scene;
  Artifact artifact = fill_artifact();
  artifact.max_threads_per_block = 192;
  const auto kernel = scene->load(artifact);
  const uint32_t best = scene->best_block(*kernel, 0);
  CHECK(best >= 32);
  CHECK(best <= 192);
  CHECK(scene->best_block(*kernel, 0) == best);
  CHECK(scene.fake->count("cuOccupancyMaxPotentialBlockSize") == 1);
}
