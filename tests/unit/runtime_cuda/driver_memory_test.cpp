// The fake's memory: real bytes, strict books.
#include <array>
#include <cstring>
#include <numeric>

#include "tests/unit/runtime_cuda/driver_scene.hpp"

using namespace jitc::runtime::cuda;
using jitc::tests::DriverScene;
using jitc::tests::FakeDevice;
using jitc::tests::FakeLive;

namespace {

std::vector<unsigned char> numbers(size_t count) {
  std::vector<unsigned char> out(count);
  std::iota(out.begin(), out.end(), static_cast<unsigned char>(1));
  return out;
}

std::vector<unsigned char> read(const DriverScene& scene, CUdeviceptr data, size_t count) {
  std::vector<unsigned char> out(count);
  CHECK(scene->cuMemcpyDtoH(out.data(), data, count) == CUDA_SUCCESS);
  return out;
}

CUmemoryPool default_pool(const DriverScene& scene) {
  CUmemoryPool pool = nullptr;
  REQUIRE(scene->cuDeviceGetDefaultMemPool(&pool, 0) == CUDA_SUCCESS);
  return pool;
}

size_t free_bytes(const DriverScene& scene) {
  size_t free = 0, total = 0;
  CHECK(scene->cuMemGetInfo(&free, &total) == CUDA_SUCCESS);
  return free;
}

}  // namespace

TEST_CASE("copies move bytes to the device, inside it, and back") {
  const DriverScene scene;
  const auto bytes = numbers(100);
  const CUdeviceptr a = scene.allocate(100), b = scene.allocate(100);
  CHECK(scene->cuMemcpyHtoD(a, bytes.data(), 100) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyDtoD(b + 10, a, 90) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8(b, 7, 10) == CUDA_SUCCESS);
  const auto result = read(scene, b, 100);
  CHECK(result[9] == 7);
  CHECK(std::equal(result.begin() + 10, result.end(), bytes.begin()));
  CHECK(scene->cuMemFree(a) == CUDA_SUCCESS);
  CHECK(scene->cuMemFree(b) == CUDA_SUCCESS);
}

TEST_CASE("new memory does not hold zeros") {
  const DriverScene scene;
  const CUdeviceptr data = scene.allocate(8);
  CHECK(read(scene, data, 8) == std::vector<unsigned char>(8, 0xA5));
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
}

TEST_CASE("rectangles are copied with the pitch of each side") {
  DriverScene scene;
  const auto host = numbers(12);  // 3 rows of 4
  const CUdeviceptr data = scene.allocate(3 * 16);
  CHECK(scene->cuMemsetD8(data, 0, 3 * 16) == CUDA_SUCCESS);
  CUDA_MEMCPY2D_v2 copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = 4;
  copy.srcXInBytes = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = data;
  copy.dstPitch = 16;
  copy.dstY = 1;
  copy.WidthInBytes = 2;
  copy.Height = 2;
  CHECK(scene->cuMemcpy2DUnaligned(&copy) == CUDA_SUCCESS);
  auto expected = std::vector<unsigned char>(3 * 16);
  expected[16] = 2, expected[17] = 3, expected[32] = 6, expected[33] = 7;
  CHECK(read(scene, data, 3 * 16) == expected);
  copy.Height = 3;  // the third row of the destination would be its fourth
  CHECK(scene->cuMemcpy2DAsync(&copy, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemsetD2D8Async(data, 16, 9, 1, 3, nullptr) == CUDA_SUCCESS);
  CHECK(read(scene, data + 32, 2) == std::vector<unsigned char>{9, 7});
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  scene.expected_misuses = {"cuMemcpy2DAsync_v2: the destination: 34 bytes at offset 16 leave an allocation of 48"};
}

TEST_CASE("a copy past the end of an allocation is refused and noted") {
  DriverScene scene;
  const CUdeviceptr data = scene.allocate(32);
  const auto bytes = numbers(64);
  CHECK(scene->cuMemcpyHtoD(data + 8, bytes.data(), 32) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  scene.expected_misuses = {"cuMemcpyHtoD_v2: the destination: 32 bytes at offset 8 leave an allocation of 32"};
}

TEST_CASE("freeing twice, or what never was, is refused and noted") {
  DriverScene scene;
  const CUdeviceptr data = scene.allocate(32);
  CHECK(scene->cuMemFree(data + 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  CHECK(scene->cuMemFree(data) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemFree(0) == CUDA_SUCCESS);
  scene.expected_misuses = {"cuMemFree_v2: frees what is no allocation", "cuMemFree_v2: frees what is free"};
}

TEST_CASE("host and device addresses must not be mixed up") {
  DriverScene scene;
  const CUdeviceptr data = scene.allocate(16);
  std::array<char, 16> host{};
  CHECK(scene->cuMemcpyHtoD(reinterpret_cast<uintptr_t>(host.data()), host.data(), 16) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemcpyDtoH(reinterpret_cast<void*>(data), data, 16) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  scene.expected_misuses = {"cuMemcpyHtoD_v2: the destination is no device memory",
                            "cuMemcpyDtoH_v2: the destination is device memory"};
}

TEST_CASE("a device has as much memory as it poses with") {
  const DriverScene scene({.devices = {{.memory_bytes = 1000}}});
  const CUdeviceptr data = scene.allocate(600);
  CUdeviceptr more = 0;
  CHECK(free_bytes(scene) == 400);
  CHECK(scene->cuMemAlloc(&more, 401) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  CHECK(scene->cuMemAlloc(&more, 1000) == CUDA_SUCCESS);
  CHECK(scene->cuMemFree(more) == CUDA_SUCCESS);
  CHECK(scene->cuMemAlloc(&more, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("what is alive is counted") {
  DriverScene scene;
  const CUdeviceptr data = scene.allocate(100);
  void* pinned = nullptr;
  CHECK(scene->cuMemHostAlloc(&pinned, 10, 0) == CUDA_SUCCESS);
  const CUstream stream = scene.make_stream();
  const CUevent event = scene.make_event();
  scene.load_axpy();
  CHECK(scene.fake->live() ==
        FakeLive{.allocations = 1, .bytes = 100, .pinned = 1, .streams = 1, .events = 1, .modules = 1, .contexts = 1});
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeHost(pinned) == CUDA_SUCCESS);
  CHECK(scene->cuStreamDestroy(stream) == CUDA_SUCCESS);
  CHECK(scene->cuEventDestroy(event) == CUDA_SUCCESS);
  CHECK(scene->cuModuleUnload(scene.module()) == CUDA_SUCCESS);
  CHECK(scene->cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
  CHECK(scene.fake->live() == FakeLive{});
}

TEST_CASE("a pool keeps freed memory up to its threshold, until it is trimmed") {
  const DriverScene scene({.devices = {{.memory_bytes = 1000}}});
  CUmemoryPool pool = default_pool(scene);
  uint64_t threshold = 1000, reserved = 0, used = 0;
  CHECK(scene->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold) == CUDA_SUCCESS);
  CUdeviceptr data = 0, more = 0;
  CHECK(scene->cuMemAllocAsync(&data, 700, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeAsync(data, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuStreamSynchronize(nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved) == CUDA_SUCCESS);
  CHECK(scene->cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) == CUDA_SUCCESS);
  CHECK(reserved == 700);
  CHECK(used == 0);
  CHECK(scene->cuMemAlloc(&more, 400) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(scene->cuMemPoolTrimTo(pool, 0) == CUDA_SUCCESS);
  CHECK(scene->cuMemAlloc(&more, 400) == CUDA_SUCCESS);
  CHECK(scene->cuMemFree(more) == CUDA_SUCCESS);
}

TEST_CASE("a pool without a threshold gives memory back when someone waits") {
  const DriverScene scene({.devices = {{.memory_bytes = 1000}}});
  CUdeviceptr data = 0;
  CHECK(scene->cuMemAllocAsync(&data, 700, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeAsync(data, nullptr) == CUDA_SUCCESS);
  CHECK(free_bytes(scene) == 300);
  CHECK(scene->cuStreamSynchronize(nullptr) == CUDA_SUCCESS);
  CHECK(free_bytes(scene) == 1000);
}

TEST_CASE("pools are made, used and destroyed") {
  const DriverScene scene;
  CUmemPoolProps properties{};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemoryPool pool = nullptr;
  CUdeviceptr data = 0;
  CHECK(scene->cuMemPoolCreate(&pool, &properties) == CUDA_SUCCESS);
  CHECK(scene.fake->live().pools == 1);
  CHECK(scene->cuMemAllocFromPoolAsync(&data, 64, pool, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuMemPoolDestroy(pool) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeAsync(data, nullptr) == CUDA_SUCCESS);
  CHECK(scene->cuMemAllocFromPoolAsync(&data, 64, pool, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemPoolDestroy(default_pool(scene)) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a device without pools has none") {
  const DriverScene scene({.devices = {{.has_pools = false}}});
  CUmemoryPool pool = nullptr;
  CUdeviceptr data = 0;
  CHECK(scene->cuDeviceGetDefaultMemPool(&pool, 0) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(scene->cuMemAllocAsync(&data, 64, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("registered memory is known until it is unregistered") {
  DriverScene scene;
  std::array<char, 256> host{};
  CUdeviceptr device_data = 0;
  CHECK(scene->cuMemHostRegister(host.data(), host.size(), 0) == CUDA_SUCCESS);
  CHECK(scene->cuMemHostRegister(host.data() + 8, 8, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK(scene->cuMemHostGetDevicePointer(&device_data, host.data() + 8, 0) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8(device_data, 5, 1) == CUDA_SUCCESS);
  CHECK(host[8] == 5);
  CHECK(scene->cuMemHostUnregister(host.data()) == CUDA_SUCCESS);
  CHECK(scene->cuMemHostUnregister(host.data()) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  scene.expected_misuses = {"cuMemHostUnregister: the memory is not registered"};
}

TEST_CASE("the driver tells what an address is") {
  DriverScene scene;
  CUdeviceptr managed = 0;
  CHECK(scene->cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  const CUdeviceptr data = scene.allocate(64);
  unsigned is_managed = 9, type = 0;
  size_t size_bytes = 0;
  CHECK(scene->cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed) == CUDA_SUCCESS);
  CHECK(is_managed == 1);
  CHECK(scene->cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, data + 5) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  CHECK(scene->cuPointerGetAttribute(&size_bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, data + 5) == CUDA_SUCCESS);
  CHECK(size_bytes == 64);
  CHECK(scene->cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 64) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemFree(managed) == CUDA_SUCCESS);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
}
