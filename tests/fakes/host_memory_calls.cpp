// Host memory that the driver knows: pinned, registered; and what it says of an address.
#include <cstring>

#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

namespace {

/// The live allocation of the kind that begins there, or null and a misuse.
AllocationPtr find_host(Function function, MemoryKind kind, const void* data) {
  AllocationPtr found = world().memory.beginning(reinterpret_cast<uintptr_t>(data));
  if (found != nullptr && found->kind == kind) return found;
  misuse(function, kind == MemoryKind::pinned ? "frees what is no pinned memory" : "the memory is not registered");
  return nullptr;
}

CUresult release_host(Function function, const AllocationPtr& found) {
  check_unused(function, *found);
  world().memory.release(found);
  return CUDA_SUCCESS;
}

template <class Value>
CUresult give(void* out, Value value) {
  std::memcpy(out, &value, sizeof value);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult do_cuMemHostAlloc(void** data, size_t size_bytes, unsigned flags) {
  const unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if (size_bytes == 0 || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  AllocationPtr made;
  const CUresult code = world().memory.allocate(MemoryKind::pinned, size_bytes, current_context(), nullptr, made);
  if (code == CUDA_SUCCESS) *data = reinterpret_cast<void*>(made->base);  // NOLINT(performance-no-int-to-ptr)
  return code;
}

CUresult do_cuMemFreeHost(void* data) {
  const AllocationPtr found = find_host(Function::cuMemFreeHost, MemoryKind::pinned, data);
  return found == nullptr ? CUDA_ERROR_INVALID_VALUE : release_host(Function::cuMemFreeHost, found);
}

CUresult do_cuMemHostRegister(void* data, size_t size_bytes, unsigned) {
  if (data == nullptr || size_bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const bool is_new = world().memory.register_range(data, size_bytes, current_context());
  return is_new ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult do_cuMemHostUnregister(void* data) {
  const AllocationPtr found = find_host(Function::cuMemHostUnregister, MemoryKind::registered, data);
  return found == nullptr ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : release_host(Function::cuMemHostUnregister, found);
}

/// One address space: the address is the same on both sides.
CUresult do_cuMemHostGetDevicePointer(CUdeviceptr* device_data, void* data, unsigned flags) {
  const AllocationPtr found = world().memory.containing(reinterpret_cast<uintptr_t>(data));
  if (flags != 0 || found == nullptr || !is_host_memory(*found)) return CUDA_ERROR_INVALID_VALUE;
  *device_data = reinterpret_cast<uintptr_t>(data);
  return CUDA_SUCCESS;
}

CUresult do_cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr data) {
  const AllocationPtr found = world().memory.containing(data);
  if (attribute == CU_POINTER_ATTRIBUTE_MAPPED) return give(value, found == nullptr ? 0 : 1);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const bool is_on_host = found->kind == MemoryKind::pinned || found->kind == MemoryKind::registered;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return give(value, found->context);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return give(value, is_on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(value, data);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return is_host_memory(*found) ? give(value, data) : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return give(value, static_cast<unsigned>(found->kind == MemoryKind::managed));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(value, found->context->device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return give(value, found->base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return give(value, found->size_bytes);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return give(value, found->pool);
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace jitc::tests::fake
