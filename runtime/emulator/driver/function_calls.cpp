// Attributes of kernels, and occupancy.
#include <algorithm>

#include "runtime/emulator/driver/kernel_needs.hpp"

namespace jitc::emulator::driver {
namespace {

constexpr int kWarp = 32;

bool may_set(const Kernel& kernel, CUfunction_attribute attribute, int value) {
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) return value >= -1 && value <= 100;
  const int optin = device_value(kernel, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 &&
         value <= optin - attribute_of(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
}

bool is_attribute(CUfunction_attribute attribute) {
  return attribute <= CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
}

/// What the program says of a block's shared memory; it must not call the driver meanwhile.
size_t shared_bytes_of(CUoccupancyB2DSize asked, int block_size, size_t otherwise) {
  return asked == nullptr ? otherwise : asked(block_size);
}

}  // namespace

CUresult do_cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const auto kernel = find_kernel(function);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (value == nullptr || !is_attribute(attribute)) return CUDA_ERROR_INVALID_VALUE;
  *value = attribute_of(*kernel, attribute);
  return CUDA_SUCCESS;
}

CUresult do_cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  const auto kernel = find_kernel(function);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!may_set(*kernel, attribute, value)) return CUDA_ERROR_INVALID_VALUE;
  kernel->attributes[attribute] = value;
  return CUDA_SUCCESS;
}

CUresult do_cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  if (find_kernel(function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return config <= CU_FUNC_CACHE_PREFER_EQUAL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult do_cuOccupancyMaxActiveBlocksPerMultiprocessor(int* block_count, CUfunction function, int block_size,
                                                        size_t dynamic_shared_bytes) {
  const auto kernel = find_kernel(function);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (block_count == nullptr || block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
  *block_count = active_blocks(*kernel, block_size, dynamic_shared_bytes);
  return CUDA_SUCCESS;
}

/// The largest block among those that fill a multiprocessor best.
CUresult do_cuOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, CUfunction function,
                                             CUoccupancyB2DSize shared_bytes_of_block, size_t dynamic_shared_bytes,
                                             int max_block_size) {
  const auto kernel = find_kernel(function);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (min_grid_size == nullptr || block_size == nullptr || max_block_size < 0) return CUDA_ERROR_INVALID_VALUE;
  const int most = attribute_of(*kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  const int multiprocessors = device_value(*kernel, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  int best_threads = 0;
  for (int size = max_block_size == 0 ? most : std::min(most, max_block_size); size > 0; size -= kWarp) {
    const int blocks = active_blocks(*kernel, size, shared_bytes_of(shared_bytes_of_block, size, dynamic_shared_bytes));
    if (blocks * size <= best_threads) continue;
    best_threads = blocks * size;
    *block_size = size;
    *min_grid_size = blocks * multiprocessors;
  }
  return best_threads == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
