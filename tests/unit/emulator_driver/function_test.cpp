// What is told of a kernel, and occupancy.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

int attribute(const EmulatorScene& scene, CUfunction function, CUfunction_attribute which) {
  int value = -1;
  CHECK(scene->cuFuncGetAttribute(&value, which, function) == CUDA_SUCCESS);
  return value;
}

/// A kernel with 4000 bytes of shared memory and blocks of at most 256 threads.
std::string tile_text() {
  return std::string(kPtxHead) +
         ".visible .entry tile()\n.maxntid 256, 1, 1\n{\n.shared .align 4 .b8 buffer[4000];\n.reg .b32 %r<2>;\n"
         "mov.u32 %r1, buffer;\nst.shared.u32 [%r1], 0;\nret;\n}\n";
}

int blocks(const EmulatorScene& scene, CUfunction function, int block_size, size_t shared_bytes = 0) {
  int count = -1;
  CHECK(scene->cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, block_size, shared_bytes) == CUDA_SUCCESS);
  return count;
}

size_t four_per_thread(int block_size) { return size_t{4} * static_cast<size_t>(block_size); }

}  // namespace

TEST_CASE("attributes of a kernel follow from its text") {
  const EmulatorScene scene;
  const CUfunction tile = scene.function(tile_text(), "tile"), axpy = scene.function(axpy_text(), "axpy");
  CHECK(attribute(scene, tile, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 256);
  CHECK(attribute(scene, tile, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) == 4000);
  CHECK(attribute(scene, tile, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 49152 - 4000);
  CHECK(attribute(scene, axpy, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024);
  CHECK(attribute(scene, axpy, CU_FUNC_ATTRIBUTE_PTX_VERSION) == 70);
  CHECK(attribute(scene, axpy, CU_FUNC_ATTRIBUTE_BINARY_VERSION) == 80);
  CHECK(attribute(scene, axpy, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES) == 0);
  const int registers = attribute(scene, axpy, CU_FUNC_ATTRIBUTE_NUM_REGS);
  CHECK((registers >= 8 && registers <= 64));
}

TEST_CASE("dynamic shared memory can be opted into up to the chip's limit") {
  const EmulatorScene scene;
  const CUfunction tile = scene.function(tile_text(), "tile");
  const auto most = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  CHECK(scene->cuFuncSetAttribute(tile, most, 166912 - 4000) == CUDA_SUCCESS);
  CHECK(attribute(scene, tile, most) == 166912 - 4000);
  CHECK(scene->cuFuncSetAttribute(tile, most, 166912 - 3999) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuFuncSetAttribute(tile, CU_FUNC_ATTRIBUTE_NUM_REGS, 8) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuFuncSetAttribute(tile, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50) == CUDA_SUCCESS);
}

TEST_CASE("as many blocks are active as threads, slots and shared memory allow") {
  const EmulatorScene scene;
  const CUfunction tile = scene.function(tile_text(), "tile");
  CHECK(blocks(scene, tile, 256) == 8);
  CHECK(blocks(scene, tile, 32) == 32);
  CHECK(blocks(scene, tile, 32, 50000) == 3);
  CHECK(blocks(scene, tile, 257) == 0);
  int count = 0;
  CHECK(scene->cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, tile, 0, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("the best block fills a multiprocessor, with the shared memory that it asks for") {
  const EmulatorScene scene;
  const CUfunction tile = scene.function(tile_text(), "tile");
  int grid = 0, block = 0;
  CHECK(scene->cuOccupancyMaxPotentialBlockSize(&grid, &block, tile, nullptr, 0, 0) == CUDA_SUCCESS);
  CHECK((grid == 8 * 8 && block == 256));
  CHECK(scene->cuOccupancyMaxPotentialBlockSize(&grid, &block, tile, nullptr, 0, 100) == CUDA_SUCCESS);
  CHECK(block <= 100);
  CHECK(scene->cuOccupancyMaxPotentialBlockSize(&grid, &block, tile, four_per_thread, 0, 0) == CUDA_SUCCESS);
  CHECK(block == 256);
}

TEST_CASE("handles that are no functions are refused") {
  const EmulatorScene scene;
  int value = 0;
  const auto none = special_pointer<CUfunction>(64);
  CHECK(scene->cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, none) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene->cuFuncSetCacheConfig(none, CU_FUNC_CACHE_PREFER_L1) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(scene.launch(none, 1, 1, nullptr) == CUDA_ERROR_INVALID_HANDLE);
}
