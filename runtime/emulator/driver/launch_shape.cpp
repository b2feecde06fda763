#include "runtime/emulator/driver/launch_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jitc::emulator::driver {
namespace {

uint64_t product(const std::array<uint32_t, 3>& sizes) { return uint64_t{sizes[0]} * sizes[1] * sizes[2]; }

bool exceeds(const Kernel& kernel, const std::array<uint32_t, 3>& sizes, const CUdevice_attribute (&limits)[3]) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (sizes[axis] == 0 || sizes[axis] > static_cast<uint32_t>(device_value(kernel, limits[axis]))) return true;
  }
  return false;
}

bool is_impossible(const Kernel& kernel, const LaunchShape& shape) {
  constexpr CUdevice_attribute kGrid[] = {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
                                          CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z};
  constexpr CUdevice_attribute kBlock[] = {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
                                           CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z};
  const auto most = static_cast<uint64_t>(device_value(kernel, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  return exceeds(kernel, shape.grid, kGrid) || exceeds(kernel, shape.block, kBlock) || product(shape.block) > most;
}

/// .reqntid asks for one shape and no other.
bool is_refused_by_kernel(const Kernel& kernel, const LaunchShape& shape) {
  const LaunchBounds& bounds = kernel.program->bounds;
  if (!bounds.is_exact) return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (shape.block[axis] != std::max(bounds.max_threads[axis], 1u)) return true;
  }
  return false;
}

/// All blocks of a cooperative launch must run at once.
CUresult check_cooperative(const Kernel& kernel, const LaunchShape& shape, int blocks) {
  if (device_value(kernel, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0) return CUDA_ERROR_NOT_SUPPORTED;
  const int multiprocessors = device_value(kernel, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const uint64_t at_once = uint64_t{static_cast<uint32_t>(blocks)} * static_cast<uint32_t>(multiprocessors);
  if (product(shape.grid) <= at_once) return CUDA_SUCCESS;
  return report(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                fmt::format("{} blocks cannot run at once, {} can", product(shape.grid), at_once));
}

std::string text_of(const Kernel& kernel, const LaunchShape& shape) {
  return fmt::format("kernel {}: grid ({}, {}, {}), block ({}, {}, {}), {} bytes of dynamic shared memory",
                     kernel.program->name, shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0], shape.block[1],
                     shape.block[2], shape.dynamic_shared_bytes);
}

}  // namespace

CUresult check_shape(const Kernel& kernel, const LaunchShape& shape) {
  const int most_shared = attribute_of(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  if (is_impossible(kernel, shape) || shape.dynamic_shared_bytes > static_cast<uint32_t>(most_shared))
    return report(CUDA_ERROR_INVALID_VALUE, "beyond the limits: " + text_of(kernel, shape));
  const int blocks = active_blocks(kernel, static_cast<int>(product(shape.block)), shape.dynamic_shared_bytes);
  if (blocks == 0) return report(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "does not fit: " + text_of(kernel, shape));
  if (is_refused_by_kernel(kernel, shape))
    return report(CUDA_ERROR_INVALID_VALUE, "not .reqntid: " + text_of(kernel, shape));
  return shape.is_cooperative ? check_cooperative(kernel, shape, blocks) : CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
