// Host memory that the driver knows: pinned and registered.
#include "runtime/emulator/driver/device_memory.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

uint64_t address(const void* data) { return reinterpret_cast<uint64_t>(data); }

/// The live allocation of the kind that begins there, or null.
AllocationPtr find_host(MemoryKind kind, const void* data) {
  AllocationPtr found = state().memory.beginning(address(data));
  return found != nullptr && found->owner.kind == kind ? found : nullptr;
}

/// When the work of all devices is done: it may use the memory.
CUresult release_host(const AllocationPtr& found) {
  for (Context& context : state().contexts) drain(context);
  release(found);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult do_cuMemHostAlloc(void** data, size_t size_bytes, unsigned flags) {
  const unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if (data == nullptr || size_bytes == 0 || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  const AllocationPtr made = allocate(*current_context(), MemoryKind::pinned, size_bytes);
  if (made == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *data = made->bytes;
  return CUDA_SUCCESS;
}

CUresult do_cuMemFreeHost(void* data) {
  const AllocationPtr found = find_host(MemoryKind::pinned, data);
  return found == nullptr ? CUDA_ERROR_INVALID_VALUE : release_host(found);
}

CUresult do_cuMemHostRegister(void* data, size_t size_bytes, unsigned flags) {
  const unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
  if (data == nullptr || size_bytes == 0 || (flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  AllocationOwner owner = {MemoryKind::registered, current_context()->device.ordinal};
  owner.is_read_only = (flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0;
  owner.context = current_context();
  const AllocationPtr made = state().memory.add_registered(static_cast<std::byte*>(data), size_bytes, owner);
  return made == nullptr ? CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED : CUDA_SUCCESS;
}

CUresult do_cuMemHostUnregister(void* data) {
  const AllocationPtr found = find_host(MemoryKind::registered, data);
  return found == nullptr ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : release_host(found);
}

/// One address space: the address is the same on both sides.
CUresult do_cuMemHostGetDevicePointer(CUdeviceptr* device_data, void* data, unsigned flags) {
  const AllocationPtr found = state().memory.containing(address(data));
  if (device_data == nullptr || flags != 0 || found == nullptr || !is_host_memory(found->owner.kind))
    return CUDA_ERROR_INVALID_VALUE;
  *device_data = address(data);
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
