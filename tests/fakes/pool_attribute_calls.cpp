// The attributes of a pool: a threshold, its books, and three switches that change nothing here.
#include <cstring>

#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

/// The number of the pool behind an attribute; null for the switches.
uint64_t* number_of(CUmemoryPool pool, CUmemPool_attribute attribute) {
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: return &pool->threshold_bytes;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: return &pool->reserved_bytes;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: return &pool->reserved_high_bytes;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT: return &pool->used_bytes;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH: return &pool->used_high_bytes;
    default: return nullptr;
  }
}

bool is_switch(CUmemPool_attribute attribute) {
  return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

/// The current values are the driver's, and a high-water mark can only be put back to zero.
bool may_set(CUmemoryPool pool, CUmemPool_attribute attribute, uint64_t value) {
  const uint64_t* number = number_of(pool, attribute);
  if (number == &pool->threshold_bytes) return true;
  return (number == &pool->used_high_bytes || number == &pool->reserved_high_bytes) && value == 0;
}

}  // namespace

CUresult do_cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  if (!world().pools.holds(pool)) return CUDA_ERROR_INVALID_VALUE;
  if (is_switch(attribute)) {
    std::memcpy(&pool->reuse[attribute], value, sizeof(int));
    return CUDA_SUCCESS;
  }
  uint64_t number = 0;
  std::memcpy(&number, value, sizeof number);
  if (!may_set(pool, attribute, number)) return CUDA_ERROR_INVALID_VALUE;
  *number_of(pool, attribute) = number;
  return CUDA_SUCCESS;
}

CUresult do_cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  if (!world().pools.holds(pool)) return CUDA_ERROR_INVALID_VALUE;
  if (is_switch(attribute)) {
    const int on = pool->reuse.count(attribute) == 0 ? 1 : pool->reuse.at(attribute);
    std::memcpy(value, &on, sizeof on);
    return CUDA_SUCCESS;
  }
  const uint64_t* number = number_of(pool, attribute);
  if (number == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(value, number, sizeof *number);
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
