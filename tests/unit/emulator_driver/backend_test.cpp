// The runtime on the emulator, with nothing else faked: what a program of jitc does.
#include <cstring>
#include <numeric>

#include "jitc/array.hpp"
#include "jitc/cpu_abi.hpp"
#include "runtime/common/backend.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cuda/cuda_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc;
using namespace jitc::tests;
using Catch::Matchers::Contains;

namespace {

/// The device "cuda:0" of an emulator.
struct BackendScene {
  explicit BackendScene(const EmulatorSettings& settings = {}) {
    const SettingsScope scope(settings);
    backend = runtime::cuda::make_cuda_backend(runtime::cuda::Driver::load(fresh_library()), 0);
  }

  runtime::Backend* operator->() const { return backend.get(); }
  Array array(const std::vector<float>& elems) const {
    Array made =
        runtime::make_array(backend, {static_cast<int64_t>(elems.size())}, DType::f4, backend->default_queue());
    made.copy_from_host(elems);
    return made;
  }

  std::shared_ptr<runtime::Backend> backend;
};

Artifact axpy_artifact() {
  Artifact artifact;
  artifact.target = "sm_70";
  artifact.ptx_isa = 70;
  artifact.name = artifact.symbol = "axpy";
  artifact.file = "case.dsl";
  artifact.code = axpy_text();
  artifact.params = {{ParamSlot::Part::scalar, 0, 0, 0, 4},
                     {ParamSlot::Part::data, 1, 0, 8, 8},
                     {ParamSlot::Part::data, 2, 0, 16, 8},
                     {ParamSlot::Part::scalar, 3, 0, 24, 4}};
  artifact.params_size_bytes = 28;
  return artifact;
}

std::vector<std::byte> axpy_params(float a, const Array& x, const Array& y, uint32_t n) {
  std::vector<std::byte> block(28);
  const std::byte *dx = x.data(), *dy = y.data();
  std::memcpy(block.data(), &a, 4);
  std::memcpy(block.data() + 8, &dx, 8);
  std::memcpy(block.data() + 16, &dy, 8);
  std::memcpy(block.data() + 24, &n, 4);
  return block;
}

/// axpy() that fails at the index n: thread n fills in the record.
Artifact checked_artifact() {
  Artifact artifact = axpy_artifact();
  artifact.fail_sites = {{.kind = FailKind::index, .subject = "x", .line = 7, .column = 5, .axis = 0}};
  std::string& code = artifact.code;
  const std::string head = ".address_size 64\n", fails = "setp.ge.u32 %p1, %i, %r4;\n";
  code.insert(code.find(head) + head.size(), ".visible .global .align 8 .b8 axpy__fail[48];\n");
  code.insert(code.find(fails) + fails.size(), R"(setp.ne.u32 %p2, %i, %r4;
@%p2 bra GOOD;
cvt.u64.u32 %rd7, %r4;
st.global.u64 [axpy__fail+8], %rd7;
st.global.u64 [axpy__fail+16], %rd7;
st.global.u32 [axpy__fail+24], %r3;
st.global.u32 [axpy__fail+36], %r1;
atom.global.exch.b32 %r9, [axpy__fail], 2;
GOOD:
)");
  return artifact;
}

std::vector<float> iota(size_t count) {
  std::vector<float> elems(count);
  std::iota(elems.begin(), elems.end(), 0.0F);
  return elems;
}

}  // namespace

TEST_CASE("the backend says what the emulator is") {
  const BackendScene scene(EmulatorSettings{{"SM", "90"}, {"MULTIPROCESSORS", "4"}, {"MEMORY", "1073741824"}});
  CHECK(scene->description() == "jitc emulator, sm_90, 4 multiprocessors, 1.0 GiB");
  CHECK(scene->target() == "sm_90");
}

TEST_CASE("arrays go there and back, a kernel computes between") {
  const BackendScene scene;
  const Array x = scene.array(iota(1000)), y = scene.array(std::vector<float>(1000, 1));
  const auto kernel = scene->load(axpy_artifact());
  const LaunchConfig config{.grid = {4}, .block = {256}};
  scene->check_launch(*kernel, config);
  scene->launch(*kernel, config, axpy_params(2.5F, x, y, 1000), *scene->default_queue());
  std::vector<float> expected = iota(1000);
  for (float& one : expected) one = 2.5F * one + 1;
  CHECK(y.to_vector<float>() == expected);
}

TEST_CASE("a checked kernel that fails is an error with its numbers") {
  const BackendScene scene;
  const Array x = scene.array(iota(100)), y = scene.array(iota(100));
  const auto kernel = scene->load(checked_artifact());
  const LaunchConfig config{.grid = {2}, .block = {64}};
  CHECK_ERROR(scene->launch(*kernel, config, axpy_params(1, x, y, 100), *scene->default_queue()), ErrorCode::kernel,
              "case.dsl:7:5: index 100 is outside array 'x' (axis 0 has extent 100) in kernel 'axpy', thread (36,0,0) "
              "block (1,0,0)");
  const LaunchConfig small{.grid = {1}, .block = {64}};
  scene->launch(*kernel, small, axpy_params(1, x, y, 100), *scene->default_queue());
  CHECK(x.to_vector<float>() == iota(100));
}

TEST_CASE("PTX that the emulator does not know is refused with its log") {
  const BackendScene scene;
  Artifact artifact = axpy_artifact();
  artifact.code.insert(artifact.code.find("fma.rn"), "frobnicate %r1;\n");
  CHECK_ERROR(scene->load(artifact), ErrorCode::target,
              "loading kernel 'axpy' of case.dsl on cuda:0: cuModuleLoadDataEx returned CUDA_ERROR_INVALID_PTX (218): "
              "the PTX does not compile; its log:\nptx line 27, column 1; error: unknown instruction 'frobnicate'");
}

TEST_CASE("memory that is not there is an error of its own") {
  const BackendScene scene(EmulatorSettings{{"MEMORY", "1048576"}});
  CHECK(error_of([&] { scene.array(std::vector<float>(300000)); }).code == ErrorCode::memory);
  const Array fits = scene.array(std::vector<float>(200000, 3));
  CHECK(fits.to_vector<float>() == std::vector<float>(200000, 3));
}

TEST_CASE("a kernel that leaves its memory ends the device, with the driver's code") {
  const BackendScene scene(EmulatorSettings{{"REPORT", "0"}});
  const Array x = scene.array(iota(8)), y = scene.array(iota(8));
  const auto kernel = scene->load(axpy_artifact());
  const LaunchConfig config{.grid = {64}, .block = {1024}};
  scene->launch(*kernel, config, axpy_params(1, x, y, UINT32_MAX), *scene->default_queue());
  const ThrownError error = error_of([&] { y.to_vector<float>(); });
  CHECK(error.code == ErrorCode::device);
  CHECK_THAT(error.text, Contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
}
