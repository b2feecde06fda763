// What the driver says of an address.
#include <cstring>

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {
namespace {

template <class Value>
CUresult give(void* out, Value value) {
  std::memcpy(out, &value, sizeof value);
  return CUDA_SUCCESS;
}

CUmemoryPool handle_of(const std::shared_ptr<void>& pool) {
  return pool == nullptr ? nullptr : state().pools.handle_of(static_cast<const Pool*>(pool.get()));
}

CUmemorytype type_of(const Allocation& one) {
  const bool is_on_host = one.owner.kind == MemoryKind::pinned || one.owner.kind == MemoryKind::registered;
  return is_on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

}  // namespace

CUresult do_cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr data) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const AllocationPtr found = state().memory.containing(data);
  if (attribute == CU_POINTER_ATTRIBUTE_MAPPED) return give(value, found == nullptr ? 0 : 1);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const AllocationOwner& owner = found->owner;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return give(value, static_cast<const Context*>(owner.context)->handle);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return give(value, type_of(*found));
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(value, data);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return is_host_memory(owner.kind) ? give(value, data) : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return give(value, static_cast<unsigned>(owner.kind == MemoryKind::managed));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(value, owner.device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return give(value, found->base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return give(value, found->size_bytes);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return give(value, handle_of(owner.pool));
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace jitc::emulator::driver
