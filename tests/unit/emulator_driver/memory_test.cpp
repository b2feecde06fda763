// Device memory: plain, pitched, of pools, and its limit.
#include "runtime/emulator/memory/address_ranges.hpp"
#include "tests/unit/emulator_driver/emulator_scene.hpp"
#include "tests/unit/emulator_driver/held_stream.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

size_t free_bytes(const EmulatorScene& scene) {
  size_t free = 0, total = 0;
  CHECK(scene->cuMemGetInfo(&free, &total) == CUDA_SUCCESS);
  return free;
}

CUmemoryPool make_pool(const EmulatorScene& scene) {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr;
  REQUIRE(scene->cuMemPoolCreate(&pool, &properties) == CUDA_SUCCESS);
  return pool;
}

uint64_t pool_number(const EmulatorScene& scene, CUmemoryPool pool, CUmemPool_attribute attribute) {
  uint64_t value = 0;
  CHECK(scene->cuMemPoolGetAttribute(pool, attribute, &value) == CUDA_SUCCESS);
  return value;
}

const EmulatorSettings kSmall = {{"MEMORY", "65536"}};

}  // namespace

TEST_CASE("memory is out at the device's limit, and there again when it is freed") {
  const EmulatorScene scene(kSmall);
  CUdeviceptr all = 0, more = 0;
  CHECK(scene->cuMemAlloc(&all, 65536) == CUDA_SUCCESS);
  CHECK(free_bytes(scene) == 0);
  CHECK(scene->cuMemAlloc(&more, 1) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(scene->cuMemFree(all) == CUDA_SUCCESS);
  CHECK(free_bytes(scene) == 65536);
  CHECK(scene->cuMemAlloc(&more, 65537) == CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_CASE("nothing is allocated for zero bytes, and null is nothing to free") {
  const EmulatorScene scene;
  CUdeviceptr data = 0;
  CHECK(scene->cuMemAlloc(&data, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemAlloc(nullptr, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemFree(0) == CUDA_SUCCESS);
}

TEST_CASE("what is freed twice, or is no allocation, is refused with a reason") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(64);
  CHECK(scene->cuMemFree(data + 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "freed what is no allocation of a device");
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  CHECK(scene->cuMemFree(data) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "freed a second time");
}

TEST_CASE("new memory holds no zeros") {
  const EmulatorScene scene;
  CHECK(scene.read<uint8_t>(scene.allocate(4), 4) == std::vector<uint8_t>(4, 0xA5));
}

TEST_CASE("rows of pitched memory begin at multiples of 512") {
  const EmulatorScene scene(kSmall);
  CUdeviceptr data = 0;
  size_t pitch = 0;
  CHECK(scene->cuMemAllocPitch(&data, &pitch, 100, 3, 4) == CUDA_SUCCESS);
  CHECK(pitch == 512);
  CHECK(free_bytes(scene) == 65536 - 3 * 512);
  CHECK(scene->cuMemAllocPitch(&data, &pitch, 100, 3, 3) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemAllocPitch(&data, &pitch, 512, SIZE_MAX / 8, 4) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("memory of a pool is freed in its stream's turn") {
  const EmulatorScene scene(kSmall);
  const CUmemoryPool pool = make_pool(scene);
  const CUstream stream = scene.make_stream();
  CUdeviceptr data = 0;
  CHECK(scene->cuMemAllocFromPoolAsync(&data, 4096, pool, stream) == CUDA_SUCCESS);
  CHECK(pool_number(scene, pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 4096);
  {
    const HeldStream held(scene, stream);
    CHECK(scene->cuMemFreeAsync(data, stream) == CUDA_SUCCESS);
    CHECK(pool_number(scene, pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 4096);
  }
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(pool_number(scene, pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT) == 0);
  CHECK(pool_number(scene, pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) == 4096);
  CHECK(scene->cuMemFreeAsync(data, stream) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemPoolDestroy(pool) == CUDA_SUCCESS);
  CHECK(scene->cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a pool keeps what its threshold says, until it is trimmed") {
  const EmulatorScene scene(kSmall);
  const CUmemoryPool pool = make_pool(scene);
  uint64_t threshold = UINT64_MAX;
  CHECK(scene->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold) == CUDA_SUCCESS);
  CUdeviceptr data = 0;
  scene->cuMemAllocFromPoolAsync(&data, 4096, pool, nullptr);
  scene->cuMemFreeAsync(data, nullptr);
  scene->cuStreamSynchronize(nullptr);
  CHECK(free_bytes(scene) == 65536 - 4096);
  CHECK(scene->cuMemPoolTrimTo(pool, 0) == CUDA_SUCCESS);
  CHECK(free_bytes(scene) == 65536);
  CHECK(pool_number(scene, pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH) == 4096);
}

TEST_CASE("frees that are on their way count before memory is out") {
  const EmulatorScene scene(kSmall);
  const CUstream stream = scene.make_stream();
  CUdeviceptr data = 0;
  for (int i = 0; i < 100; ++i) {
    REQUIRE(scene->cuMemAllocAsync(&data, 40000, stream) == CUDA_SUCCESS);
    REQUIRE(scene->cuMemFreeAsync(data, stream) == CUDA_SUCCESS);
  }
  CHECK(scene->cuMemAllocAsync(&data, 65537, stream) == CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_CASE("the driver's books of a pool cannot be written") {
  const EmulatorScene scene;
  CUmemoryPool pool = nullptr;
  CHECK(scene->cuDeviceGetDefaultMemPool(&pool, 0) == CUDA_SUCCESS);
  uint64_t value = 5;
  int on = 0;
  CHECK(scene->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &on) == CUDA_SUCCESS);
  on = 1;
  CHECK(scene->cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &on) == CUDA_SUCCESS);
  CHECK(on == 0);
  CHECK(scene->cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("the driver tells what it knows of an address") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(64);
  CUmemorytype type = {};
  CUdeviceptr base = 0;
  size_t size_bytes = 0;
  CUcontext context = nullptr;
  int mapped = 1;
  CHECK(scene->cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, data + 8) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  scene->cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, data + 8);
  scene->cuPointerGetAttribute(&size_bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, data + 8);
  scene->cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, data + 8);
  CHECK((base == data && size_bytes == 64 && context == scene.context));
  CHECK(scene->cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_HOST_POINTER, data) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0x1234) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, 0x1234) == CUDA_SUCCESS);
  CHECK(mapped == 0);
}
