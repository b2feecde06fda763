// Pinned, managed and registered memory.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

/// The first elements after a kernel wrote 1, 2, 3 … through the device's address.
std::vector<int32_t> filled(const EmulatorScene& scene, CUdeviceptr device_data, const void* host_data) {
  const CUfunction store = scene.function(store_text(), "store");
  CHECK(scene.launch(store, 1, 4, nullptr, device_data) == CUDA_SUCCESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
  std::vector<int32_t> elems(4);
  std::memcpy(elems.data(), host_data, 16);
  return elems;
}

const std::vector<int32_t> kFilled = {1, 2, 3, 4};

}  // namespace

TEST_CASE("a kernel writes pinned memory, which the host reads") {
  const EmulatorScene scene;
  void* data = nullptr;
  CUdeviceptr device_data = 0;
  REQUIRE(scene->cuMemHostAlloc(&data, 16, CU_MEMHOSTALLOC_DEVICEMAP) == CUDA_SUCCESS);
  CHECK(scene->cuMemHostGetDevicePointer(&device_data, data, 0) == CUDA_SUCCESS);
  CHECK(filled(scene, device_data, data) == kFilled);
  CHECK(scene->cuMemFreeHost(data) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeHost(data) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("managed memory has one address, and counts for the device") {
  const EmulatorScene scene(EmulatorSettings{{"MEMORY", "64"}});
  CUdeviceptr data = 0, more = 0;
  unsigned managed = 0;
  REQUIRE(scene->cuMemAllocManaged(&data, 64, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  CHECK(scene->cuMemAllocManaged(&more, 1, CU_MEM_ATTACH_GLOBAL) == CUDA_ERROR_OUT_OF_MEMORY);
  scene->cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, data);
  CHECK(managed == 1);
  CHECK(filled(scene, data, special_pointer<void*>(data)) == kFilled);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
}

TEST_CASE("registered memory of the program is the device's too, until it is unregistered") {
  const EmulatorScene scene;
  std::vector<int32_t> own(4);
  CUdeviceptr device_data = 0;
  CHECK(scene->cuMemHostGetDevicePointer(&device_data, own.data(), 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemHostRegister(own.data(), 16, 0) == CUDA_SUCCESS);
  CHECK(scene->cuMemHostRegister(own.data(), 16, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK(scene->cuMemHostGetDevicePointer(&device_data, own.data(), 0) == CUDA_SUCCESS);
  CHECK(filled(scene, device_data, own.data()) == kFilled);
  CHECK(scene->cuMemHostUnregister(own.data()) == CUDA_SUCCESS);
  CHECK(scene->cuMemHostUnregister(own.data()) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_CASE("flags that are not known are refused") {
  const EmulatorScene scene;
  void* data = nullptr;
  CUdeviceptr device_data = 0;
  CHECK(scene->cuMemHostAlloc(&data, 16, 64) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemHostAlloc(&data, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemAllocManaged(&device_data, 16, 0) == CUDA_ERROR_INVALID_VALUE);
}
