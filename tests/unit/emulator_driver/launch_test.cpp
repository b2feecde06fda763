// Launches: what runs, with which numbers, and what is refused.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

using Floats = std::vector<float>;

/// Each thread writes the special registers into its row of `to`.
std::string specials_text() {
  return kPtxHead + kernel_text("specials", ".param .u64 to", R"(
ld.param.u64 %rd1, [to];
mov.u32 %r4, %tid.y;
mov.u32 %r5, %ntid.y;
mad.lo.u32 %r6, %r4, %r2, %r3;
mul.lo.u32 %r7, %r2, %r5;
mad.lo.u32 %r6, %r1, %r7, %r6;
mul.wide.u32 %rd2, %r6, 16;
add.s64 %rd1, %rd1, %rd2;
mov.u32 %r8, %laneid;
mov.u32 %r9, %warpid;
mov.u32 %r10, %nctaid.x;
st.global.v4.u32 [%rd1], {%r8, %r9, %r4, %r10};)");
}

/// Odd threads leave early; each lane of a warp goes round as often as its number says.
std::string loop_text() {
  return kPtxHead + kernel_text("loop", ".param .u64 to", R"(
ld.param.u64 %rd1, [to];
and.b32 %r4, %i, 1;
setp.ne.u32 %p1, %r4, 0;
@%p1 bra DONE;
mov.u32 %r5, 0;
mov.u32 %r6, 0;
AGAIN:
add.u32 %r6, %r6, %r5;
add.u32 %r5, %r5, 1;
setp.le.u32 %p2, %r5, %i;
@%p2 bra AGAIN;
mul.wide.u32 %rd2, %i, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r6;)");
}

CUresult launch(const EmulatorScene& scene, CUfunction function, std::array<unsigned, 3> grid,
                std::array<unsigned, 3> block, unsigned shared_bytes = 0) {
  return scene->cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, nullptr,
                               nullptr, nullptr);
}

std::string empty_text(const std::string& directives = "") {
  return std::string(kPtxHead) + ".visible .entry empty()\n" + directives + "\n{\nret;\n}\n";
}

}  // namespace

TEST_CASE("a kernel computes what its text says, in every block, and leaves the rest") {
  const EmulatorScene scene;
  Floats x(1000), y(1000), expected(1000);
  for (size_t i = 0; i < 1000; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 1;
    expected[i] = i < 777 ? 2.5F * x[i] + 1 : 1;
  }
  const CUdeviceptr dx = scene.allocate(x), dy = scene.allocate(y);
  const CUfunction axpy = scene.function(axpy_text(), "axpy");
  CHECK(scene.launch(axpy, 8, 128, nullptr, 2.5F, dx, dy, 777U) == CUDA_SUCCESS);
  CHECK(scene.read<float>(dy, 1000) == expected);
}

TEST_CASE("parameters come one by one or as one block") {
  const EmulatorScene scene;
  const CUdeviceptr x = scene.allocate(Floats{1, 2}), y = scene.allocate(Floats{3, 4});
  const CUfunction axpy = scene.function(axpy_text(), "axpy");
  struct {
    float a;
    CUdeviceptr x, y;
    unsigned n;
  } block = {10, x, y, 2};
  size_t size_bytes = 28;
  void* extra[] = {special_pointer<void*>(kLaunchParamBuffer), &block, special_pointer<void*>(kLaunchParamBufferSize),
                   &size_bytes, special_pointer<void*>(kLaunchParamEnd)};
  CHECK(scene->cuLaunchKernel(axpy, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) == CUDA_SUCCESS);
  CHECK(scene.read<float>(y, 2) == Floats{13, 24});
  size_bytes = 27;
  CHECK(scene->cuLaunchKernel(axpy, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "the parameters of kernel axpy are incomplete");
  CHECK(scene->cuLaunchKernel(axpy, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("threads know where they are") {
  const EmulatorScene scene;
  const CUdeviceptr out = scene.allocate(2 * 48 * 16);
  const CUfunction specials = scene.function(specials_text(), "specials");
  CUdeviceptr param = out;
  void* params[] = {&param};
  CHECK(scene->cuLaunchKernel(specials, 2, 1, 1, 16, 3, 1, 0, nullptr, params, nullptr) == CUDA_SUCCESS);
  const auto rows = scene.read<std::array<unsigned, 4>>(out, 96);
  CHECK(rows[0] == std::array<unsigned, 4>{0, 0, 0, 2});
  CHECK(rows[31] == std::array<unsigned, 4>{31, 0, 1, 2});
  CHECK(rows[32] == std::array<unsigned, 4>{0, 1, 2, 2});
  CHECK(rows[48 + 47] == std::array<unsigned, 4>{15, 1, 2, 2});
}

TEST_CASE("threads of a warp go ways of their own") {
  const EmulatorScene scene;
  std::vector<unsigned> expected(64, 9);
  for (unsigned i = 0; i < 64; i += 2) expected[i] = i * (i + 1) / 2;
  const CUdeviceptr out = scene.allocate(std::vector<unsigned>(64, 9));
  CHECK(scene.launch(scene.function(loop_text(), "loop"), 1, 64, nullptr, out) == CUDA_SUCCESS);
  CHECK(scene.read<unsigned>(out, 64) == expected);
}

TEST_CASE("shapes beyond the device's limits are refused") {
  const EmulatorScene scene;
  const CUfunction empty = scene.function(empty_text(), "empty");
  CHECK(launch(scene, empty, {1, 1, 1}, {1024, 1, 1}) == CUDA_SUCCESS);
  CHECK(launch(scene, empty, {1, 1, 1}, {1025, 1, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(scene, empty, {1, 1, 1}, {32, 33, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(scene, empty, {1, 1, 1}, {1, 1, 65}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(scene, empty, {1, 65536, 1}, {1, 1, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(scene, empty, {0, 1, 1}, {1, 1, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(scene, empty, {1, 1, 1}, {1, 0, 1}) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("more dynamic shared memory than was opted into is refused") {
  const EmulatorScene scene;
  const CUfunction empty = scene.function(empty_text(), "empty");
  CHECK(launch(scene, empty, {1, 1, 1}, {1, 1, 1}, 49152) == CUDA_SUCCESS);
  CHECK(launch(scene, empty, {1, 1, 1}, {1, 1, 1}, 49153) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() ==
        "beyond the limits: kernel empty: grid (1, 1, 1), block (1, 1, 1), 49153 bytes of dynamic shared memory");
  scene->cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000);
  CHECK(launch(scene, empty, {1, 1, 1}, {1, 1, 1}, 100000) == CUDA_SUCCESS);
}

TEST_CASE("the kernel's own bounds hold") {
  const EmulatorScene scene;
  const CUfunction most = scene.function(empty_text(".maxntid 64, 1, 1"), "empty");
  CHECK(launch(scene, most, {1, 1, 1}, {64, 1, 1}) == CUDA_SUCCESS);
  CHECK(launch(scene, most, {1, 1, 1}, {65, 1, 1}) == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  const CUfunction exact = scene.function(empty_text(".reqntid 64, 1, 1"), "empty");
  CHECK(launch(scene, exact, {1, 1, 1}, {64, 1, 1}) == CUDA_SUCCESS);
  CHECK(launch(scene, exact, {1, 1, 1}, {32, 1, 1}) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a cooperative launch fits the device at once, or is refused") {
  const EmulatorScene scene(EmulatorSettings{{"MULTIPROCESSORS", "2"}});
  const CUfunction empty = scene.function(empty_text(), "empty");
  CHECK(scene->cuLaunchCooperativeKernel(empty, 4, 1, 1, 1024, 1, 1, 0, nullptr, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuLaunchCooperativeKernel(empty, 5, 1, 1, 1024, 1, 1, 0, nullptr, nullptr) ==
        CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK(scene.report() == "5 blocks cannot run at once, 4 can");
}

TEST_CASE("the launch with attributes is the same launch") {
  const EmulatorScene scene(EmulatorSettings{{"MULTIPROCESSORS", "2"}});
  const CUdeviceptr out = scene.allocate(std::vector<int>(4, 0));
  const CUfunction store = scene.function(store_text(), "store");
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  CUlaunchConfig config = {2, 1, 1, 2, 1, 1, 0, nullptr, &attribute, 1};
  CUdeviceptr param = out;
  void* params[] = {&param};
  CHECK(scene->cuLaunchKernelEx(&config, store, params, nullptr) == CUDA_SUCCESS);
  CHECK(scene.read<int>(out, 4) == std::vector<int>{1, 2, 3, 4});
  config.gridDimX = 1000;
  CHECK(scene->cuLaunchKernelEx(&config, store, params, nullptr) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {2, 1, 1};
  CHECK(scene->cuLaunchKernelEx(&config, store, params, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
}
