// Loading PTX: what is taken, what is refused with which code and log, variables, linking.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

struct Loaded {
  CUresult code;
  std::string log;
};

/// Loads with a buffer of that size for errors.
Loaded load(const EmulatorScene& scene, const std::string& text, size_t log_bytes = 512) {
  std::string log(log_bytes, '?');
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), special_pointer<void*>(log_bytes)};
  CUmodule module = nullptr;
  const CUresult code = scene->cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
  CHECK(reinterpret_cast<size_t>(values[1]) < log_bytes);
  return {code, log.substr(0, log.find('\0'))};
}

std::string head(const std::string& version, const std::string& target) {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n";
}

constexpr const char* kVariables = R"(
.visible .global .align 4 .u32 counter = 7;
.visible .const .align 4 .b32 table[3] = {10, 20, 30};
.visible .global .align 8 .u64 where = table;
.visible .entry look(.param .u64 to)
{
.reg .b32 %r<4>;
.reg .b64 %rd<8>;
ld.param.u64 %rd1, [to];
ld.global.u32 %r1, [counter];
st.global.u32 [%rd1], %r1;
ld.const.u32 %r2, [table+4];
st.global.u32 [%rd1+4], %r2;
ld.global.u64 %rd3, [where];
ld.const.u32 %r3, [%rd3+8];
st.global.u32 [%rd1+8], %r3;
ret;
}
)";

}  // namespace

TEST_CASE("a module loads with an empty log, and its kernels have names") {
  const EmulatorScene scene;
  const Loaded loaded = load(scene, axpy_text());
  CHECK(loaded.code == CUDA_SUCCESS);
  CHECK(loaded.log.empty());
  CUfunction function = nullptr;
  const CUmodule module = scene.load(axpy_text());
  CHECK(scene->cuModuleGetFunction(&function, module, "axpy") == CUDA_SUCCESS);
  CHECK(scene->cuModuleGetFunction(&function, module, "other") == CUDA_ERROR_NOT_FOUND);
  CHECK(scene->cuModuleUnload(module) == CUDA_SUCCESS);
  CHECK(scene->cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuModuleGetFunction(&function, module, "axpy") == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("an unknown instruction is refused with its line in the log") {
  const EmulatorScene scene;
  const Loaded loaded = load(scene, kPtxHead + kernel_text("k", "", "frobnicate.u32 %r1, %r2;"));
  CHECK(loaded.code == CUDA_ERROR_INVALID_PTX);
  CHECK(loaded.log == "ptx line 15, column 1; error: unknown instruction 'frobnicate.u32'");
  CHECK(scene.report() == loaded.log);
}

TEST_CASE("a log is cut to its buffer") {
  const EmulatorScene scene;
  CHECK(load(scene, kPtxHead + kernel_text("k", "", "frobnicate.u32 %r1, %r2;"), 9).log == "ptx line");
}

TEST_CASE("PTX that is newer than the driver, or for a newer device, is refused") {
  const EmulatorScene scene(EmulatorSettings{{"DRIVER_VERSION", "12010"}});
  const Loaded version = load(scene, head("8.2", "sm_70"));
  CHECK(version.code == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  CHECK(version.log == "ptx fatal: PTX ISA 8.2 is newer than the driver's 8.1");
  const Loaded target = load(scene, head("7.8", "sm_90"));
  CHECK(target.code == CUDA_ERROR_INVALID_PTX);
  CHECK(target.log == "ptx fatal: the text is for sm_90, the device is sm_80");
}

TEST_CASE("what is no PTX is refused") {
  const EmulatorScene scene;
  CUmodule module = nullptr;
  CHECK(load(scene, "hello").code == CUDA_ERROR_INVALID_IMAGE);
  CHECK(load(scene, "").code == CUDA_ERROR_INVALID_IMAGE);
  CHECK(load(scene,
             "\x7f"
             "ELF")
            .code == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(scene->cuModuleLoadData(&module, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("variables have first values, addresses among them, and the program finds them") {
  const EmulatorScene scene;
  const CUmodule module = scene.load(kPtxHead + std::string(kVariables));
  CUdeviceptr counter = 0, table = 0, where = 0;
  size_t size_bytes = 0;
  CHECK(scene->cuModuleGetGlobal(&counter, &size_bytes, module, "counter") == CUDA_SUCCESS);
  CHECK(size_bytes == 4);
  CHECK(scene->cuModuleGetGlobal(&table, &size_bytes, module, "table") == CUDA_SUCCESS);
  CHECK(size_bytes == 12);
  CHECK(scene->cuModuleGetGlobal(&where, nullptr, module, "where") == CUDA_SUCCESS);
  CHECK(scene.read<CUdeviceptr>(where, 1)[0] == table);
  CHECK(scene->cuModuleGetGlobal(&counter, nullptr, module, "none") == CUDA_ERROR_NOT_FOUND);
  const CUdeviceptr out = scene.allocate(12);
  CHECK(scene.launch(scene.function(module, "look"), 1, 1, nullptr, out) == CUDA_SUCCESS);
  CHECK(scene.read<int>(out, 3) == std::vector<int>{7, 20, 30});
}

TEST_CASE("each module has variables of its own, which the program may write") {
  const EmulatorScene scene;
  const CUmodule one = scene.load(kPtxHead + std::string(kVariables)),
                 other = scene.load(kPtxHead + std::string(kVariables));
  CUdeviceptr counter = 0, others = 0;
  scene->cuModuleGetGlobal(&counter, nullptr, one, "counter");
  scene->cuModuleGetGlobal(&others, nullptr, other, "counter");
  const int five = 5;
  CHECK(scene->cuMemcpyHtoD(counter, &five, 4) == CUDA_SUCCESS);
  CHECK(scene.read<int>(counter, 1)[0] == 5);
  CHECK(scene.read<int>(others, 1)[0] == 7);
}

TEST_CASE("a module that does not fit the device is refused, and leaves nothing") {
  const EmulatorScene scene(EmulatorSettings{{"MEMORY", "1000"}});
  const std::string text = std::string(kPtxHead) + ".global .b8 large[990];\n.const .b8 table[20];\n";
  CHECK(load(scene, text).code == CUDA_ERROR_OUT_OF_MEMORY);
  size_t free = 0, total = 0;
  scene->cuMemGetInfo(&free, &total);
  CHECK(free == 1000);
}

TEST_CASE("texts are linked to an image that loads") {
  const EmulatorScene scene;
  CUlinkState link = nullptr;
  REQUIRE(scene->cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
  void* image = nullptr;
  CHECK(scene->cuLinkComplete(link, &image, nullptr) == CUDA_ERROR_INVALID_VALUE);
  for (std::string text : {axpy_text(), store_text()}) {
    CHECK(scene->cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "text", 0, nullptr, nullptr) ==
          CUDA_SUCCESS);
  }
  std::string wrong = "nonsense";
  CHECK(scene->cuLinkAddData(link, CU_JIT_INPUT_PTX, wrong.data(), wrong.size(), "wrong", 0, nullptr, nullptr) ==
        CUDA_ERROR_INVALID_PTX);
  CHECK(scene->cuLinkAddData(link, CU_JIT_INPUT_CUBIN, wrong.data(), wrong.size(), "wrong", 0, nullptr, nullptr) ==
        CUDA_ERROR_INVALID_IMAGE);
  size_t size_bytes = 0;
  CHECK(scene->cuLinkComplete(link, &image, &size_bytes) == CUDA_SUCCESS);
  CUmodule module = nullptr;
  CHECK(scene->cuModuleLoadData(&module, image) == CUDA_SUCCESS);
  scene.function(module, "axpy");
  scene.function(module, "store");
  CHECK(scene->cuLinkDestroy(link) == CUDA_SUCCESS);
  CHECK(scene->cuLinkDestroy(link) == CUDA_ERROR_INVALID_HANDLE);
}
