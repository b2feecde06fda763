// Kernels that do what they must not: the code stays, and the report says where.
#include "tests/unit/emulator_driver/emulator_scene.hpp"
#include "tests/unit/emulator_driver/held_stream.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const EmulatorSettings kQuiet = {{"REPORT", "0"}};

/// Runs one thread of a kernel with this body and the address; what the context has then.
CUresult run(const EmulatorScene& scene, const std::string& body, CUdeviceptr data) {
  const std::string text = kPtxHead + kernel_text("k", ".param .u64 to", "ld.param.u64 %rd1, [to];\n" + body);
  CHECK(scene.launch(scene.function(text, "k"), 1, 1, nullptr, data) == CUDA_SUCCESS);
  return scene->cuCtxSynchronize();
}

}  // namespace

TEST_CASE("a kernel that leaves its memory breaks the context for good") {
  const EmulatorScene scene(kQuiet);
  const CUdeviceptr data = scene.allocate(64);
  const CUstream stream = scene.make_stream();
  CHECK(scene.launch(scene.function(store_text(), "store"), 1, 32, stream, data) == CUDA_SUCCESS);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr more = 0;
  CHECK(scene->cuMemAlloc(&more, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuStreamSynchronize(nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuMemFree(data) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_THAT(scene.report(),
             StartsWith("freed") || StartsWith("kernel store: out of bounds write in store (PTX line "));
  CHECK(scene->cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
}

TEST_CASE("a report names kernel, line, block, thread, address and allocation") {
  const EmulatorScene scene(kQuiet);
  const CUdeviceptr data = scene.allocate(64);
  CHECK(scene.launch(scene.function(store_text(), "store"), 5, 4, nullptr, data) == CUDA_SUCCESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_THAT(scene.report(), StartsWith("kernel store: out of bounds write in store (PTX line 20), block (4, 0, 0), "
                                        "thread (0, 0, 0): 4 bytes at 0x"));
  CHECK_THAT(scene.report(), Contains(": right behind the end of an allocation of 64 bytes at 0x"));
}

TEST_CASE("faults have the codes of the driver") {
  const CUdeviceptr nowhere = 0x1000;
  const struct {
    std::string body;
    CUresult code;
  } rows[] = {{"ld.global.u32 %r4, [%rd1+2];", CUDA_ERROR_MISALIGNED_ADDRESS},
              {"add.u64 %rd2, %rd1, 4096;\nld.global.u32 %r4, [%rd2];", CUDA_ERROR_ILLEGAL_ADDRESS},
              {"mov.u64 %rd2, 0;\nst.u32 [%rd2], %r1;", CUDA_ERROR_ILLEGAL_ADDRESS},
              {"shfl.sync.idx.b32 %r4, %r1, 0, 31, 0;", CUDA_ERROR_ILLEGAL_INSTRUCTION},
              {"L: bra L;", CUDA_ERROR_LAUNCH_TIMEOUT},
              {"trap;", CUDA_ERROR_LAUNCH_FAILED}};
  for (const auto& row : rows) {
    const EmulatorScene scene(kQuiet);
    CHECK(run(scene, row.body, scene.allocate(64)) == row.code);
  }
  const EmulatorScene scene(kQuiet);
  CHECK(run(scene, "ld.global.u32 %r4, [%rd1];", nowhere) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("a use of freed memory is named as one") {
  const EmulatorScene scene(kQuiet);
  const CUdeviceptr data = scene.allocate(64);
  scene->cuMemFree(data);
  CHECK(run(scene, "ld.global.u32 %r4, [%rd1+8];", data) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_THAT(scene.report(), Contains("at offset 8 of an allocation of 64 bytes") && Contains("now free"));
}

TEST_CASE("memory of another device, and of the host, is none of a kernel's") {
  EmulatorSettings settings = kQuiet;
  settings["DEVICES"] = "2";
  const EmulatorScene scene(settings);
  CUcontext other = nullptr;
  scene->cuDevicePrimaryCtxRetain(&other, 1);
  scene->cuCtxPushCurrent(other);
  const CUdeviceptr there = scene.allocate(64);
  scene->cuCtxPopCurrent(nullptr);
  CHECK(run(scene, "ld.global.u32 %r4, [%rd1];", there) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_THAT(scene.report(), Contains("which belongs to device 1"));
  scene->cuCtxPushCurrent(other);
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
  scene->cuCtxPopCurrent(nullptr);
  CHECK(scene->cuDevicePrimaryCtxRelease(1) == CUDA_SUCCESS);
}

TEST_CASE("a context that was reset works again") {
  const EmulatorScene scene(kQuiet);
  CHECK(run(scene, "trap;", 0) == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(scene->cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
  CUcontext context = nullptr;
  CHECK(scene->cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
  CHECK(run(scene, "add.u32 %r4, %r1, 1;", 0) == CUDA_SUCCESS);
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
}

TEST_CASE("work behind a fault is not done, and those who wait are not left waiting") {
  const EmulatorScene scene(kQuiet);
  const CUdeviceptr data = scene.allocate(64);
  const CUstream stream = scene.make_stream(), behind = scene.make_stream();
  const CUevent event = scene.make_event();
  static bool was_called = false;
  static std::promise<CUresult> told;
  const std::string text = kPtxHead + kernel_text("k", "", "trap;");
  const CUfunction trap = scene.function(text, "k");
  HeldStream held(scene, stream);  // until all is on its way: behind a fault nothing is taken
  scene.launch(trap, 1, 1, stream);
  scene->cuLaunchHostFunc(
      stream, [](void*) { was_called = true; }, nullptr);
  const auto tell = [](CUstream, CUresult code, void*) { told.set_value(code); };
  scene->cuStreamAddCallback(stream, tell, nullptr, 0);
  scene->cuEventRecord(event, stream);
  scene->cuStreamWaitEvent(behind, event, 0);
  scene->cuMemsetD8Async(data, 1, 64, behind);
  held.let_go();
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED);
  CHECK(told.get_future().get() == CUDA_ERROR_LAUNCH_FAILED);  // which may come later than the code
  CHECK_FALSE(was_called);
}
