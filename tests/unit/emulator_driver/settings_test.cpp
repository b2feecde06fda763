// The machine that the environment asks for.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

int attribute(const EmulatorScene& scene, CUdevice_attribute which, CUdevice device = 0) {
  int value = -1;
  CHECK(scene->cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS);
  return value;
}

/// What cuInit returns with these settings.
CUresult start(const EmulatorSettings& settings) {
  const SettingsScope scope(settings);
  void* library = dlopen(fresh_library().c_str(), RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<CUresult (*)(unsigned)>(dlsym(library, "cuInit"))(0);
}

}  // namespace

TEST_CASE("the environment chooses chip, memory, multiprocessors, devices and version") {
  const EmulatorScene scene(
      {{"SM", "90"}, {"MEMORY", "1048576"}, {"MULTIPROCESSORS", "3"}, {"DEVICES", "2"}, {"DRIVER_VERSION", "12040"}});
  int count = 0;
  size_t total = 0;
  scene->cuDeviceGetCount(&count);
  CHECK(count == 2);
  CHECK(attribute(scene, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 1) == 9);
  CHECK(attribute(scene, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) == 3);
  CHECK(attribute(scene, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) == 232448);
  scene->cuDeviceTotalMem(&total, 0);
  CHECK(total == 1048576);
  CHECK(scene.driver->version() == 12040);
}

TEST_CASE("chips differ as their table says") {
  const EmulatorScene scene(EmulatorSettings{{"SM", "75"}});
  CHECK(attribute(scene, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) == 1024);
  CHECK(attribute(scene, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR) == 16);
  CHECK(attribute(scene, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) == 65536);
}

TEST_CASE("a machine without devices is one without a driver to start") {
  CHECK(start({{"DEVICES", "0"}}) == CUDA_ERROR_NO_DEVICE);
}

TEST_CASE("settings that cannot be read stop the start") {
  CHECK(start({{"SM", "81"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"SM", "eighty"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"MEMORY", "0"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"MEMORY", "1G"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"DRIVER_VERSION", "9000"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"THREADS", "0"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"CHECK", "init,speed"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"FAIL", "cuNoSuchCall:1:2"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"FAIL", "cuMemAlloc:0:2"}}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(start({{"FAIL", "cuMemAlloc:1"}}) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("the nth call of a function fails as it is told, and the others do not") {
  const EmulatorScene scene(EmulatorSettings{{"FAIL", "cuMemAlloc:2:2;cuMemAlloc_v2:4:801"}});
  CUdeviceptr data = 0;
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_SUCCESS);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_SUCCESS);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_SUCCESS);
}

TEST_CASE("a code that breaks contexts breaks the context when it is planned") {
  const EmulatorScene scene(EmulatorSettings{{"FAIL", "cuMemAlloc:1:700"}});
  CUdeviceptr data = 0;
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuDevicePrimaryCtxReset(0) == CUDA_SUCCESS);
}
