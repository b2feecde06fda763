// JITC_EMU_CHECK through the driver: what host calls make of memory that nothing has written.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;
using Catch::Matchers::Contains;

namespace {

/// One more than the first word of `from` goes to `to`.
std::string next_text() {
  return kPtxHead + kernel_text("next", ".param .u64 to, .param .u64 from",
                                "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [from];\nld.global.u32 %r4, [%rd2];\n"
                                "add.u32 %r4, %r4, 1;\nst.global.u32 [%rd1], %r4;");
}

/// What a kernel that computes with the first word of `from` ends with.
CUresult use(const EmulatorScene& scene, CUdeviceptr from) {
  const CUdeviceptr to = scene.allocate(4);
  CHECK(scene.launch(scene.function(next_text(), "next"), 1, 1, nullptr, to, from) == CUDA_SUCCESS);
  return scene->cuCtxSynchronize();
}

const EmulatorSettings kInit = {{"CHECK", "init"}, {"REPORT", "0"}};

}  // namespace

TEST_CASE("with JITC_EMU_CHECK=init fresh memory may not be computed with") {
  const EmulatorScene scene(kInit);
  CHECK(use(scene, scene.allocate(4)) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK_THAT(scene.report(), Contains("uninitialised value in next (PTX line ") &&
                                 Contains("in an allocation of 4 bytes at 0x") &&
                                 Contains(", where nothing has been written"));
}

TEST_CASE("copies from the host, fills and kernels write memory") {
  const EmulatorScene scene(kInit);
  CHECK(use(scene, scene.allocate(std::vector<uint32_t>{5})) == CUDA_SUCCESS);
  const CUdeviceptr filled = scene.allocate(4);
  CHECK(scene->cuMemsetD8(filled, 0, 4) == CUDA_SUCCESS);
  CHECK(use(scene, filled) == CUDA_SUCCESS);
  const CUdeviceptr stored = scene.allocate(4);
  CHECK(scene.launch(scene.function(store_text(), "store"), 1, 1, nullptr, stored) == CUDA_SUCCESS);
  CHECK(use(scene, stored) == CUDA_SUCCESS);
}

TEST_CASE("a copy on the device is as undefined as its source") {
  const EmulatorScene scene(kInit);
  const CUdeviceptr good = scene.allocate(std::vector<uint32_t>{5}), copy = scene.allocate(4);
  CHECK(scene->cuMemcpyDtoD(copy, good, 4) == CUDA_SUCCESS);
  CHECK(use(scene, copy) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyDtoD(copy, scene.allocate(4), 4) == CUDA_SUCCESS);
  CHECK(use(scene, copy) == CUDA_ERROR_LAUNCH_FAILED);
}

TEST_CASE("a fill of part of an allocation leaves the rest undefined") {
  const EmulatorScene scene(kInit);
  const CUdeviceptr data = scene.allocate(64);
  CHECK(scene->cuMemsetD2D8Async(data, 16, 0, 4, 4, nullptr) == CUDA_SUCCESS);
  CHECK(use(scene, data + 16) == CUDA_SUCCESS);
  CHECK(use(scene, data + 20) == CUDA_ERROR_LAUNCH_FAILED);
}

TEST_CASE("memory that the host stores to counts as written") {
  const EmulatorScene scene(kInit);
  CUdeviceptr managed = 0;
  CHECK(scene->cuMemAllocManaged(&managed, 4, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  CHECK(use(scene, managed) == CUDA_SUCCESS);
}

TEST_CASE("without the check fresh memory is a number like others") {
  const EmulatorScene scene(EmulatorSettings{{"CHECK", "race"}});
  CHECK(use(scene, scene.allocate(4)) == CUDA_SUCCESS);
}

TEST_CASE("a race ends the launch and is said with both lines") {
  const EmulatorScene scene({{"CHECK", "race"}, {"REPORT", "0"}});
  const CUdeviceptr data = scene.allocate(4);
  const std::string text =
      kPtxHead + kernel_text("all", ".param .u64 to", "ld.param.u64 %rd1, [to];\nst.global.u32 [%rd1], %i;");
  CHECK(scene.launch(scene.function(text, "all"), 2, 32, nullptr, data) == CUDA_SUCCESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED);
  CHECK_THAT(scene.report(), Contains("race write in all (PTX line 16), block (0, 0, 0), thread (1, 0, 0)") &&
                                 Contains("thread (0, 0, 0) of the same block wrote it in all (PTX line 16)"));
}
