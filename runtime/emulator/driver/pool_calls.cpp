// Pools and their attributes: a threshold, their books, and three switches that change nothing here.
#include <cstring>

#include "runtime/emulator/driver/pools.hpp"

namespace jitc::emulator::driver {
namespace {

/// The number of the pool behind an attribute; null for the switches.
uint64_t* number_of(Pool& pool, CUmemPool_attribute attribute) {
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: return &pool.threshold_bytes;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: return &pool.reserved_bytes;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: return &pool.reserved_high_bytes;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: return &pool.used_bytes;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: return &pool.used_high_bytes;
    default: return nullptr;
  }
}

bool is_switch(CUmemPool_attribute attribute) {
  return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

/// The current values are the driver's, and a high-water mark can only be put back to zero.
bool may_set(const Pool& pool, const uint64_t* number, uint64_t value) {
  if (number == &pool.threshold_bytes) return true;
  return (number == &pool.used_high_bytes || number == &pool.reserved_high_bytes) && value == 0;
}

}  // namespace

CUresult do_cuMemPoolCreate(CUmemoryPool* handle, const CUmemPoolProps* properties) {
  if (handle == nullptr || properties == nullptr || properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  if (find_context(properties->location.id) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const auto pool = std::make_shared<Pool>();
  pool->device = properties->location.id;
  state().all_pools.push_back(pool);
  *handle = state().pools.add(pool);
  return CUDA_SUCCESS;
}

/// Its memory stays until it is freed.
CUresult do_cuMemPoolDestroy(CUmemoryPool handle) {
  const auto pool = state().pools.find(handle);
  if (pool == nullptr || pool->is_default) return CUDA_ERROR_INVALID_VALUE;
  state().pools.remove(handle);
  pool->threshold_bytes = 0;
  trim(*pool, 0);
  return CUDA_SUCCESS;
}

CUresult do_cuMemPoolTrimTo(CUmemoryPool handle, size_t keep_bytes) {
  const auto pool = state().pools.find(handle);
  if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  trim(*pool, keep_bytes);
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetDefaultMemPool(CUmemoryPool* handle, CUdevice device) {
  const Context* context = find_context(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *handle = context->default_pool;
  return CUDA_SUCCESS;
}

CUresult do_cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  const auto pool = state().pools.find(handle);
  if (pool == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (is_switch(attribute)) {
    std::memcpy(&pool->switches[attribute], value, sizeof(int));
    return CUDA_SUCCESS;
  }
  uint64_t number = 0;
  std::memcpy(&number, value, sizeof number);
  uint64_t* place = number_of(*pool, attribute);
  if (place == nullptr || !may_set(*pool, place, number)) return CUDA_ERROR_INVALID_VALUE;
  *place = number;
  return CUDA_SUCCESS;
}

CUresult do_cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  const auto pool = state().pools.find(handle);
  if (pool == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (is_switch(attribute)) {
    const auto set = pool->switches.find(attribute);
    const int on = set == pool->switches.end() ? 1 : set->second;
    std::memcpy(value, &on, sizeof on);
    return CUDA_SUCCESS;
  }
  const uint64_t* number = number_of(*pool, attribute);
  if (number == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(value, number, sizeof *number);
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
