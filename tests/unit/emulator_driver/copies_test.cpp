// Copies and fills: ranges, order, rectangles.
#include "tests/unit/emulator_driver/emulator_scene.hpp"
#include "tests/unit/emulator_driver/held_stream.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

using Bytes = std::vector<uint8_t>;

TEST_CASE("bytes come back as they went") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(Bytes{1, 2, 3, 4});
  CHECK(scene.read<uint8_t>(data, 4) == Bytes{1, 2, 3, 4});
  CHECK(scene.read<uint8_t>(data + 2, 2) == Bytes{3, 4});
}

TEST_CASE("copies beyond an allocation are refused with numbers") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(64);
  Bytes host(128);
  CHECK(scene->cuMemcpyHtoD(data, host.data(), 65) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "the destination: 65 bytes at offset 0 leave an allocation of 64");
  CHECK(scene->cuMemcpyDtoH(host.data(), data + 60, 5) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "the source: 5 bytes at offset 60 leave an allocation of 64");
  CHECK(scene->cuMemsetD8(data, 0, 65) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemcpyHtoD(0x1234, host.data(), 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "the destination at 0x1234 is no memory of a device");
  CHECK(scene->cuMemcpyHtoD(data, nullptr, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemcpyHtoD(0, nullptr, 0) == CUDA_SUCCESS);
}

TEST_CASE("memory of a device is not taken for the host's") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(64);
  CHECK(scene->cuMemcpyHtoD(data, special_pointer<void*>(data), 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "the source is memory of a device");
  scene->cuMemFree(data);
  CHECK(scene->cuMemcpyHtoD(scene.allocate(64), special_pointer<void*>(data), 4) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("pageable memory is read when the copy is asked for") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(4);
  const CUstream stream = scene.make_stream();
  Bytes host = {1, 2, 3, 4};
  {
    const HeldStream held(scene, stream);
    CHECK(scene->cuMemcpyHtoDAsync(data, host.data(), 4, stream) == CUDA_SUCCESS);
    host = {9, 9, 9, 9};
  }
  CHECK(scene.read<uint8_t>(data, 4) == Bytes{1, 2, 3, 4});
}

TEST_CASE("pinned memory is read in the copy's turn") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(4);
  const CUstream stream = scene.make_stream();
  void* pinned = nullptr;
  REQUIRE(scene->cuMemHostAlloc(&pinned, 4, 0) == CUDA_SUCCESS);
  std::memset(pinned, 1, 4);
  {
    const HeldStream held(scene, stream);
    CHECK(scene->cuMemcpyHtoDAsync(data, pinned, 4, stream) == CUDA_SUCCESS);
    std::memset(pinned, 7, 4);
  }
  CHECK(scene.read<uint8_t>(data, 4) == Bytes(4, 7));
}

TEST_CASE("a copy into pageable memory is done when the call returns") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(Bytes{1, 2, 3, 4});
  Bytes host(4);
  CHECK(scene->cuMemcpyDtoHAsync(host.data(), data, 4, scene.make_stream()) == CUDA_SUCCESS);
  CHECK(host == Bytes{1, 2, 3, 4});
}

TEST_CASE("copies and fills within a device are done in order") {
  const EmulatorScene scene;
  const CUdeviceptr from = scene.allocate(Bytes{1, 2, 3, 4}), to = scene.allocate(Bytes(4, 0));
  CHECK(scene->cuMemcpyDtoD(to, from + 1, 2) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8(to + 3, 8, 1) == CUDA_SUCCESS);
  CHECK(scene.read<uint8_t>(to, 4) == Bytes{2, 3, 0, 8});
}

TEST_CASE("a rectangle goes row by row, its pitches may differ") {
  const EmulatorScene scene;
  const Bytes host = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const CUdeviceptr data = scene.allocate(Bytes(16, 0));
  CUDA_MEMCPY2D_v2 copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcXInBytes = 1;
  copy.srcPitch = 3;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = data;
  copy.dstY = 1;
  copy.dstPitch = 4;
  copy.WidthInBytes = 2;
  copy.Height = 3;
  CHECK(scene->cuMemcpy2DUnaligned(&copy) == CUDA_SUCCESS);
  CHECK(scene.read<uint8_t>(data, 16) == Bytes{0, 0, 0, 0, 2, 3, 0, 0, 5, 6, 0, 0, 8, 9, 0, 0});
  copy.dstY = 2;
  CHECK(scene->cuMemcpy2DAsync(&copy, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene.report() == "the destination: 10 bytes at offset 8 leave an allocation of 16");
  copy.srcPitch = 2;
  CHECK(scene->cuMemcpy2DUnaligned(&copy) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a fill of a rectangle leaves what is beside it") {
  const EmulatorScene scene;
  const CUdeviceptr data = scene.allocate(Bytes(8, 0));
  CHECK(scene->cuMemsetD2D8Async(data + 1, 4, 5, 2, 2, nullptr) == CUDA_SUCCESS);
  CHECK(scene.read<uint8_t>(data, 8) == Bytes{0, 5, 5, 0, 0, 5, 5, 0});
  CHECK(scene->cuMemsetD2D8Async(data, 1, 5, 2, 2, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("memory goes from device to device, where the contexts are right") {
  const EmulatorScene scene(EmulatorSettings{{"DEVICES", "2"}});
  const CUdeviceptr here = scene.allocate(Bytes{1, 2, 3, 4});
  CUcontext other = nullptr;
  REQUIRE(scene->cuDevicePrimaryCtxRetain(&other, 1) == CUDA_SUCCESS);
  scene->cuCtxPushCurrent(other);
  const CUdeviceptr there = scene.allocate(Bytes(4, 0));
  scene->cuCtxPopCurrent(nullptr);
  CHECK(scene->cuMemcpyPeerAsync(there, scene.context, here, scene.context, 4, nullptr) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(scene->cuMemcpyPeerAsync(there, other, here, scene.context, 4, nullptr) == CUDA_SUCCESS);
  CHECK(scene.read<uint8_t>(there, 4) == Bytes{1, 2, 3, 4});
  CHECK(scene->cuDevicePrimaryCtxRelease(1) == CUDA_SUCCESS);
}
