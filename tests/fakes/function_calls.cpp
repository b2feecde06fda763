// Attributes of functions, and occupancy.
#include <algorithm>
#include <iterator>

#include "tests/fakes/device_attributes.hpp"
#include "tests/fakes/function_attributes.hpp"
#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

constexpr int kRegisters = 32;       // per thread, unless a test says otherwise
constexpr int kStaticLimit = 49152;  // shared bytes of a block without opting in
constexpr int kWarp = 32;

int device_value(CUfunction function, CUdevice_attribute attribute) {
  return device_attribute(*find_device(function->context->device), attribute).value_or(0);
}

int shared_bytes(CUfunction function) { return function_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES); }

int initial_value(CUfunction function, CUfunction_attribute attribute) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return function->entry->max_threads;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return static_cast<int>(function->entry->shared_bytes);
    case CU_FUNC_ATTRIBUTE_NUM_REGS: return kRegisters;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return find_device(function->context->device)->sm;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return std::max(0, kStaticLimit - shared_bytes(function));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return -1;
    default: return 0;
  }
}

bool may_set(CUfunction function, CUfunction_attribute attribute, int value) {
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) return value >= -1 && value <= 100;
  const int optin = device_value(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 &&
         value <= optin - shared_bytes(function);
}

}  // namespace

bool is_function(CUfunction function) {
  return world().functions.holds(function) && function->context == current_context();
}

int function_attribute(CUfunction function, CUfunction_attribute attribute) {
  const auto set = function->attributes.find(attribute);
  return set == function->attributes.end() ? initial_value(function, attribute) : set->second;
}

int active_blocks(CUfunction function, int block_size, size_t dynamic_shared_bytes) {
  const auto limit = [&](CUdevice_attribute attribute, int per_block) {
    return per_block == 0 ? block_size * 64 : device_value(function, attribute) / per_block;
  };
  const int threads = (block_size + kWarp - 1) / kWarp * kWarp;
  const int shared = shared_bytes(function) + static_cast<int>(dynamic_shared_bytes);
  if (threads > function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) return 0;
  return std::min({limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, threads),
                   limit(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
                         threads * function_attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS)),
                   limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, shared),
                   device_value(function, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR)});
}

CUresult do_cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  if (!is_function(function)) return CUDA_ERROR_INVALID_HANDLE;
  *value = function_attribute(function, attribute);
  return CUDA_SUCCESS;
}

CUresult do_cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  if (!is_function(function)) return CUDA_ERROR_INVALID_HANDLE;
  if (!may_set(function, attribute, value)) return CUDA_ERROR_INVALID_VALUE;
  function->attributes[attribute] = value;
  return CUDA_SUCCESS;
}

CUresult do_cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return is_function(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult do_cuOccupancyMaxActiveBlocksPerMultiprocessor(int* block_count, CUfunction function, int block_size,
                                                        size_t dynamic_shared_bytes) {
  if (!is_function(function)) return CUDA_ERROR_INVALID_HANDLE;
  if (block_size <= 0) return CUDA_ERROR_INVALID_VALUE;
  *block_count = active_blocks(function, block_size, dynamic_shared_bytes);
  return CUDA_SUCCESS;
}

/// The largest block among those that fill a multiprocessor best.
CUresult do_cuOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, CUfunction function,
                                             CUoccupancyB2DSize shared_bytes_of_block, size_t dynamic_shared_bytes,
                                             int max_block_size) {
  if (!is_function(function)) return CUDA_ERROR_INVALID_HANDLE;
  const int most = function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  int best_threads = 0;
  for (int size = max_block_size == 0 ? most : std::min(most, max_block_size); size > 0; size -= kWarp) {
    const size_t shared = shared_bytes_of_block == nullptr ? dynamic_shared_bytes : shared_bytes_of_block(size);
    const int blocks = active_blocks(function, size, shared);
    if (blocks * size <= best_threads) continue;
    best_threads = blocks * size;
    *block_size = size;
    *min_grid_size = blocks * device_value(function, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  }
  return best_threads == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
