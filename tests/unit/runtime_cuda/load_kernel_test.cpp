// From PTX to a kernel on a device, and why not.
#include "runtime/cuda/driver_abi.hpp"
#include "runtime/cuda/ptx_isa.hpp"
#include "tests/unit/runtime_cuda/any_scene.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;

TEST_CASE("a loaded kernel tells what it takes") {
  using namespace runtime::cuda;
  const CudaScene scene;
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_NUM_REGS, 40);
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1024);
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 16);
  scene.fake->set_function_attribute("fill", CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 8);
  Artifact artifact = fill_artifact();
  artifact.max_threads_per_block = 512;
  const KernelResources resources = scene->load(artifact)->resources();
  CHECK(resources.registers_per_thread == 40);
  CHECK(resources.static_shared_bytes == 1024);
  CHECK(resources.local_bytes_per_thread == 16);
  CHECK(resources.const_bytes == 8);
  CHECK(resources.max_threads_per_block == 512);
}

TEST_CASE("code for the CPU is refused") {
  const AnyScene scene(GENERATE(every_driver()));
  Artifact artifact = fill_artifact();
  artifact.kind = Artifact::Kind::cpu_object;
  artifact.target = "znver4";
  CHECK_ERROR(scene->load(artifact), ErrorCode::target,
              "kernel 'fill' of case.dsl was compiled for znver4, not for cuda:0");
}

TEST_CASE("PTX that is newer than the driver is refused with the driver that it needs") {
  FakePose pose;
  pose.driver_version = 11040;
  const CudaScene scene(pose);
  Artifact artifact = fill_artifact();
  artifact.ptx_isa = 80;
  CHECK_ERROR(scene->load(artifact), ErrorCode::target,
              "kernel 'fill' of case.dsl needs PTX ISA 8.0, the driver (CUDA 11.4) takes up to 7.4: install a driver "
              "for CUDA 12.0 or newer");
  CHECK(scene.fake->count("cuModuleLoadDataEx") == 0);
}

TEST_CASE("PTX that no known driver takes asks for a newer one") {
  const CudaScene scene;
  Artifact artifact = fill_artifact();
  artifact.ptx_isa = 990;
  CHECK_ERROR(scene->load(artifact), ErrorCode::target,
              "kernel 'fill' of case.dsl needs PTX ISA 99.0, the driver (CUDA 12.8) takes up to 8.7: install a newer "
              "driver");
}

TEST_CASE("code for a newer device is refused with both names") {
  FakePose pose;
  pose.devices[0].name = "Tesla T4";
  pose.devices[0].sm = 75;
  const CudaScene scene(pose);
  Artifact artifact = fill_artifact();
  artifact.target = "sm_90";
  CHECK_ERROR(scene->load(artifact), ErrorCode::target,
              "kernel 'fill' of case.dsl was compiled for sm_90, cuda:0 (Tesla T4) is an sm_75 device: compile it for "
              "sm_75 or older");
}

TEST_CASE("PTX that the driver does not take is reported with the call, the code and the JIT's log") {
  const CudaScene scene;
  scene.fake->script(
      {.function = "cuModuleLoadDataEx", .code = 218, .log = "ptxas application ptx input, line 9; fatal"});
  CHECK_ERROR(scene->load(fill_artifact()), ErrorCode::target,
              "loading kernel 'fill' of case.dsl on cuda:0: cuModuleLoadDataEx returned CUDA_ERROR_INVALID_PTX (218): "
              "the PTX does not compile; its log:\nptxas application ptx input, line 9; fatal");
}

TEST_CASE("a module without the kernel is unloaded again") {
  const CudaScene scene;
  Artifact artifact = fill_artifact();
  artifact.symbol = "other";
  CHECK_ERROR(scene->load(artifact), ErrorCode::device,
              "looking for 'other' in kernel 'fill' of case.dsl on cuda:0: cuModuleGetFunction returned "
              "CUDA_ERROR_NOT_FOUND (500): no such symbol");
  scene->synchronize();
  CHECK(scene.fake->live().modules == 0);
}

TEST_CASE("code goes when its kernel does, after the work that uses it") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const Array array = scene.iota({4}, stream);
  {
    const auto kernel = scene->load(fill_artifact());
    scene->launch(*kernel, {}, fill_params(4, array, 1), *stream.queue());
  }
  CHECK(scene.fake->live().modules == 1);
  scene->synchronize();
  CHECK(scene.fake->live().modules == 0);
}

TEST_CASE("kernels that come and go do not pile up") {
  const CudaScene scene;
  for (int i = 0; i < 40; ++i) scene->load(fill_artifact());
  CHECK(scene.fake->live().modules <= 11);
}

TEST_CASE("a kernel may outlive its device's handle") {
  CudaScene scene;
  auto kernel = scene->load(fill_artifact());
  scene.backend.reset();
  CHECK(scene.fake->live().modules == 1);
  kernel.reset();
  CHECK(scene.fake->live() == FakeLive{});
}

TEST_CASE("the PTX that drivers take grows with them") {
  using runtime::cuda::newest_ptx_isa;
  using runtime::cuda::oldest_driver_for;
  CHECK(newest_ptx_isa(11000) == 70);
  CHECK(newest_ptx_isa(12060) == 85);
  CHECK(newest_ptx_isa(13000) == 90);
  CHECK(newest_ptx_isa(99000) == 91);
  CHECK(oldest_driver_for(60) == 9000);
  CHECK(oldest_driver_for(78) == 11080);
  CHECK(oldest_driver_for(85) == 12050);
  CHECK(oldest_driver_for(200) == 0);
}
