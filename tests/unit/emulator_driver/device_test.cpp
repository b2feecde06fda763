// Start, errors and devices.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

TEST_CASE("the emulator is one device of sm_80 and says that it is none") {
  const EmulatorScene scene;
  int count = 0, major = 0, minor = 0, warp = 0, attribute = 0;
  CHECK(scene->cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count == 1);
  scene->cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
  scene->cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
  scene->cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
  CHECK(major * 10 + minor == 80);
  CHECK(warp == 32);
  char name[32] = {};
  CHECK(scene->cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS);
  CHECK(std::string(name) == "jitc emulator");
  CHECK(scene->cuDeviceGetName(name, 5, 0) == CUDA_SUCCESS);
  CHECK(std::string(name) == "jitc");
  CHECK(scene->cuDeviceGetAttribute(&attribute, static_cast<CUdevice_attribute>(9999), 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.driver->version() == 13000);
}

TEST_CASE("devices that are not there are refused") {
  const EmulatorScene scene;
  CUdevice device = 0;
  CUcontext context = nullptr;
  size_t size_bytes = 0;
  CHECK(scene->cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(scene->cuDeviceGet(&device, -1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(scene->cuDeviceTotalMem(&size_bytes, 7) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(scene->cuDevicePrimaryCtxRetain(&context, 1) == CUDA_ERROR_INVALID_DEVICE);
}

TEST_CASE("codes have names and texts") {
  const EmulatorScene scene;
  const char* text = nullptr;
  CHECK(scene->cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "CUDA_ERROR_OUT_OF_MEMORY");
  CHECK(scene->cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "out of memory");
  CHECK(scene->cuGetErrorName(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
}

TEST_CASE("before cuInit only versions and names of errors are told") {
  void* library = dlopen(fresh_library().c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  const auto count_of = reinterpret_cast<CUresult (*)(int*)>(dlsym(library, "cuDeviceGetCount"));
  const auto version_of = reinterpret_cast<CUresult (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
  int number = 0;
  CHECK(count_of(&number) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(version_of(&number) == CUDA_SUCCESS);
}

TEST_CASE("every function of the list is exported, and one more") {
  const EmulatorScene scene;
  void* library = dlopen(JITC_CUDAEMU, RTLD_NOW | RTLD_LOCAL);
  std::vector<std::string> missing;
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) \
  if (dlsym(library, #symbol) == nullptr) missing.push_back(#symbol);
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
  CHECK(missing == std::vector<std::string>{});
  CHECK(dlsym(library, "jitc_emulator_control") != nullptr);
  dlclose(library);
}
