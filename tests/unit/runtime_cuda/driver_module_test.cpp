// The fake's modules, functions and launches.
#include <cstring>

#include "tests/unit/runtime_cuda/driver_scene.hpp"

using namespace jitc::runtime::cuda;
using jitc::tests::DriverScene;
using jitc::tests::FakeDevice;
using jitc::tests::FakeLaunch;
using jitc::tests::FakePose;
using jitc::tests::kAxpyPtx;

namespace {

/// Loads a text with a buffer for the log.
struct Loaded {
  CUresult code = CUDA_SUCCESS;
  std::string log;
};

Loaded load(const DriverScene& scene, const std::string& text, size_t log_bytes = 256) {
  std::vector<char> buffer(log_bytes, '?');
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {buffer.data(), special_pointer<void*>(log_bytes)};
  CUmodule handle = nullptr;
  const CUresult code = scene->cuModuleLoadDataEx(&handle, text.c_str(), 2, options, values);
  CHECK(reinterpret_cast<size_t>(values[1]) == std::strlen(buffer.data()));
  return {code, buffer.data()};
}

std::string ptx(const std::string& isa, int sm) {
  return ".version " + isa + "\n.target sm_" + std::to_string(sm) + "\n.visible .entry k()\n{\n ret;\n}\n";
}

/// The block that kAxpyPtx takes.
struct AxpyParams {
  float a;
  CUdeviceptr x, y;
  unsigned count;
};

CUresult launch(const DriverScene& scene, CUfunction function, unsigned grid, unsigned block, const AxpyParams& params,
                unsigned shared_bytes = 0) {
  AxpyParams copy = params;
  void* pointers[] = {&copy.a, &copy.x, &copy.y, &copy.count};
  return scene->cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared_bytes, nullptr, pointers, nullptr);
}

}  // namespace

TEST_CASE("a module gives its functions and its variables, which begin as zeros") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();
  CHECK(function != nullptr);
  CUdeviceptr data = 0;
  size_t size_bytes = 0;
  CHECK(scene->cuModuleGetGlobal(&data, &size_bytes, scene.module(), "axpy__fail") == CUDA_SUCCESS);
  CHECK(size_bytes == 64);
  std::vector<char> content(64, 1);
  CHECK(scene->cuMemcpyDtoH(content.data(), data, 64) == CUDA_SUCCESS);
  CHECK(content == std::vector<char>(64));
  CUfunction absent = nullptr;
  CHECK(scene->cuModuleGetFunction(&absent, scene.module(), "absent") == CUDA_ERROR_NOT_FOUND);
  CHECK(scene->cuModuleGetGlobal(&data, &size_bytes, scene.module(), "absent") == CUDA_ERROR_NOT_FOUND);
  CHECK(scene->cuModuleUnload(scene.module()) == CUDA_SUCCESS);
  CHECK(scene->cuModuleUnload(scene.module()) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(launch(scene, function, 1, 1, {}) == CUDA_ERROR_INVALID_HANDLE);
  scene.expected_misuses = {"cuModuleUnload: no module of this context"};
}

TEST_CASE("what is no PTX does not load, and the log says why") {
  const DriverScene scene;
  const Loaded loaded = load(scene,
                             "\x7f"
                             "ELF");
  CHECK(loaded.code == CUDA_ERROR_INVALID_PTX);
  CHECK(loaded.log == "ptxas fatal   : Missing .version directive at start of file '<text>'");
  CHECK(load(scene, ".version 7.0\n").log == "ptxas fatal   : Missing .target directive");
}

TEST_CASE("a log that does not fit is cut") {
  const DriverScene scene;
  CHECK(load(scene, "", 12).log == "ptxas fatal");
  CHECK(load(scene, ptx("7.0", 70)).log.empty());
}

TEST_CASE("PTX newer than the driver does not load") {
  const DriverScene scene({.driver_version = 11080});
  CHECK(load(scene, ptx("7.8", 80)).code == CUDA_SUCCESS);
  const Loaded loaded = load(scene, ptx("8.0", 80));
  CHECK(loaded.code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CHECK(loaded.log == "ptxas fatal   : Unsupported .version 8.0; current version is '7.8'");
}

TEST_CASE("PTX for a newer device does not load") {
  const DriverScene scene({.devices = {{.sm = 75}}});
  CHECK(load(scene, ptx("7.0", 75)).code == CUDA_SUCCESS);
  CHECK(load(scene, ptx("7.0", 80)).code == CUDA_ERROR_INVALID_PTX);
}

TEST_CASE("a scripted failure of the compiler writes its log") {
  const DriverScene scene;
  scene.fake->script({.function = "cuModuleLoadDataEx", .code = CUDA_ERROR_INVALID_PTX, .log = "line 3: no"});
  CHECK(load(scene, ptx("7.0", 70)).log == "line 3: no");
  CHECK(load(scene, ptx("7.0", 70)).code == CUDA_SUCCESS);
}

TEST_CASE("a launch is recorded with its parameter block") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();
  const AxpyParams params{2.0F, scene.allocate(64), scene.allocate(64), 16};
  CHECK(launch(scene, function, 3, 128, params, 512) == CUDA_SUCCESS);
  const std::vector<FakeLaunch> launches = scene.fake->launches();
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].entry == "axpy");
  CHECK(launches[0].grid[0] == 3);
  CHECK(launches[0].block[0] == 128);
  CHECK(launches[0].shared_bytes == 512);
  CHECK_FALSE(launches[0].is_cooperative);
  CHECK(launches[0].param_offsets == std::vector<uint32_t>{0, 8, 16, 24});
  REQUIRE(launches[0].params.size() == 28);
  AxpyParams seen{};
  std::memcpy(&seen, launches[0].params.data(), 28);
  CHECK(seen.a == 2.0F);
  CHECK(seen.y == params.y);
  CHECK(seen.count == 16);
}

TEST_CASE("parameters may come as one block") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();
  AxpyParams params{3.0F, 0, 0, 5};
  size_t size_bytes = 28;
  void* extra[] = {special_pointer<void*>(kLaunchParamBuffer), &params, special_pointer<void*>(kLaunchParamBufferSize),
                   &size_bytes, special_pointer<void*>(kLaunchParamEnd)};
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  CUlaunchConfig config{1, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
  CHECK(scene->cuLaunchKernelEx(&config, function, nullptr, extra) == CUDA_SUCCESS);
  CHECK(scene.fake->launches().back().is_cooperative);
  CHECK(std::memcmp(scene.fake->launches().back().params.data(), &params, 28) == 0);
  size_bytes = 24;
  CHECK(scene->cuLaunchKernelEx(&config, function, nullptr, extra) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuLaunchKernelEx(&config, function, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a function of the test stands for the kernel") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();
  scene.fake->set_kernel([](const FakeLaunch& launched) {
    AxpyParams params{};
    std::memcpy(&params, launched.params.data(), launched.params.size());
    auto* y = reinterpret_cast<float*>(params.y);
    const auto* x = reinterpret_cast<const float*>(params.x);
    for (unsigned i = 0; i < params.count; ++i) y[i] = params.a * x[i] + y[i];
    return 0;
  });
  const float in[] = {1, 2};
  float out[2] = {};
  const CUdeviceptr x = scene.allocate(8), y = scene.allocate(8);
  CHECK(scene->cuMemcpyHtoD(x, in, 8) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyHtoD(y, in, 8) == CUDA_SUCCESS);
  CHECK(launch(scene, function, 1, 2, {10, x, y, 2}) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyDtoH(out, y, 8) == CUDA_SUCCESS);
  CHECK(out[0] == 11);
  CHECK(out[1] == 22);
}

TEST_CASE("a kernel that fails is seen by the next call that waits") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();
  scene.fake->set_kernel([](const FakeLaunch&) { return int{CUDA_ERROR_ILLEGAL_ADDRESS}; });
  CHECK(launch(scene, function, 1, 1, {}) == CUDA_SUCCESS);
  CHECK(scene->cuStreamSynchronize(nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("a launch on freed memory, or on another device's, is noted") {
  DriverScene scene({.devices = {FakeDevice{}, FakeDevice{}}});
  const CUfunction function = scene.load_axpy();
  CUcontext other = nullptr, popped = nullptr;
  CHECK(scene->cuDevicePrimaryCtxRetain(&other, 1) == CUDA_SUCCESS);
  CHECK(scene->cuCtxPushCurrent(other) == CUDA_SUCCESS);
  const CUdeviceptr foreign = scene.allocate(64);
  CHECK(scene->cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
  const CUdeviceptr freed = scene.allocate(64);
  CHECK(scene->cuMemFree(freed) == CUDA_SUCCESS);
  CHECK(launch(scene, function, 1, 1, {1, foreign, freed + 4, 1}) == CUDA_SUCCESS);
  scene.expected_misuses = {"cuLaunchKernel: axpy takes memory of another device",
                            "cuLaunchKernel: axpy takes memory that is free"};
}

TEST_CASE("shapes that the device or the function does not allow are refused") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();  // .maxntid 256, 1024 bytes of shared memory
  CHECK(launch(scene, function, 0, 1, {}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(scene, function, 1, 1025, {}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(scene, function, 1, 257, {}) == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  CHECK(launch(scene, function, 1, 256, {}, 49152 - 1024) == CUDA_SUCCESS);
  CHECK(launch(scene, function, 1, 256, {}, 49152) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 90000) == CUDA_SUCCESS);
  CHECK(launch(scene, function, 1, 256, {}, 90000) == CUDA_SUCCESS);
  CHECK(scene->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 101376) ==
        CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("functions have the attributes that the text or the test gives them") {
  DriverScene scene;
  scene.fake->set_function_attribute("axpy", CU_FUNC_ATTRIBUTE_NUM_REGS, 200);
  const CUfunction function = scene.load_axpy();
  const auto value = [&](CUfunction_attribute attribute) {
    int out = 0;
    CHECK(scene->cuFuncGetAttribute(&out, attribute, function) == CUDA_SUCCESS);
    return out;
  };
  CHECK(value(CU_FUNC_ATTRIBUTE_NUM_REGS) == 200);
  CHECK(value(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 256);
  CHECK(value(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) == 1024);
  int blocks = 0;
  CHECK(scene->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0) == CUDA_SUCCESS);
  CHECK(blocks == 1);  // 65536 registers
}

TEST_CASE("occupancy finds the block size that fills the device") {
  DriverScene scene;
  const CUfunction function = scene.load_axpy();
  int grid = 0, block = 0;
  CHECK(scene->cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 0) == CUDA_SUCCESS);
  CHECK(block == 256);
  CHECK(grid == 8 * 16);
  CHECK(scene->cuOccupancyMaxPotentialBlockSize(&grid, &block, function, nullptr, 0, 64) == CUDA_SUCCESS);
  CHECK(block == 64);
}

TEST_CASE("a cooperative launch must fit on the device at once, which must know such launches") {
  for (const bool can : {true, false}) {
    FakePose pose;
    pose.devices[0].has_cooperative_launch = can;
    DriverScene scene(pose);
    const CUfunction function = scene.load_axpy();
    AxpyParams params{};
    void* pointers[] = {&params.a, &params.x, &params.y, &params.count};
    const auto launch = [&](unsigned grid) {
      return scene->cuLaunchCooperativeKernel(function, grid, 1, 1, 256, 1, 1, 0, nullptr, pointers);
    };
    CHECK(launch(8 * 16) == (can ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED));
    CHECK(launch(8 * 16 + 1) == (can ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_ERROR_NOT_SUPPORTED));
  }
}

TEST_CASE("texts that are linked become one module") {
  const DriverScene scene;
  CUlinkState link = nullptr;
  std::string first = ptx("7.0", 70), second = kAxpyPtx, wrong = "wrong";
  void* image = nullptr;
  size_t size_bytes = 0;
  CUmodule linked = nullptr;
  CUfunction function = nullptr;
  const auto add = [&](std::string& text) {
    return scene->cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "text", 0, nullptr, nullptr);
  };
  CHECK(scene->cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
  CHECK(add(first) == CUDA_SUCCESS);
  CHECK(add(second) == CUDA_SUCCESS);
  CHECK(add(wrong) == CUDA_ERROR_INVALID_PTX);
  CHECK(scene->cuLinkComplete(link, &image, &size_bytes) == CUDA_SUCCESS);
  CHECK(scene->cuModuleLoadData(&linked, image) == CUDA_SUCCESS);
  CHECK(scene->cuLinkDestroy(link) == CUDA_SUCCESS);
  CHECK(scene->cuModuleGetFunction(&function, linked, "k") == CUDA_SUCCESS);
  CHECK(scene->cuModuleGetFunction(&function, linked, "axpy") == CUDA_SUCCESS);
}
