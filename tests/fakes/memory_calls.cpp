// Device memory, plain and of pools.
#include <cstring>

#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

namespace {

CUresult allocate_plain(MemoryKind kind, CUdeviceptr* data, size_t size_bytes) {
  if (data == nullptr || size_bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  AllocationPtr made;
  const CUresult code = world().memory.allocate(kind, size_bytes, current_context(), nullptr, made);
  if (code == CUDA_SUCCESS) *data = made->base;
  return code;
}

bool has_pools(CUdevice device) { return find_device(device) != nullptr && find_device(device)->has_pools; }

/// The memory exists from here on, and may be used by what comes after this work.
CUresult allocate_pooled(Function function, CUdeviceptr* data, size_t size_bytes, CUmemoryPool pool, CUstream handle) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (data == nullptr || size_bytes == 0 || !world().pools.holds(pool)) return CUDA_ERROR_INVALID_VALUE;
  if (!has_pools(pool->device) || stream->capture != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  AllocationPtr made;
  CUresult code = world().memory.allocate(MemoryKind::pooled, size_bytes, current_context(), pool, made);
  if (code != CUDA_SUCCESS) return code;
  Work work{.function = function, .run = [](CUresult) {}, .takes_time = false};
  code = submit(stream, std::move(work));
  if (code != CUDA_SUCCESS) {
    world().memory.release(made);
    return code;
  }
  made->born_on = stream;
  made->born_number = stream->last;
  *data = made->base;
  return CUDA_SUCCESS;
}

/// The live device allocation that begins there and may be freed, or null and a misuse.
AllocationPtr find_to_free(Function function, CUdeviceptr data) {
  AllocationPtr found = world().memory.beginning(data);
  const bool is_ours = found != nullptr && (found->kind == MemoryKind::device || found->kind == MemoryKind::pooled ||
                                            found->kind == MemoryKind::managed);
  if (is_ours && !found->is_free_queued) return found;
  misuse(function, is_ours || world().memory.was_freed(data) ? "frees what is free" : "frees what is no allocation");
  return nullptr;
}

}  // namespace

CUresult do_cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const CUdevice device = current_context()->device;
  *free_bytes = world().memory.free_bytes(device);
  *total_bytes = find_device(device)->memory_bytes;
  return CUDA_SUCCESS;
}

CUresult do_cuMemAlloc(CUdeviceptr* data, size_t size_bytes) {
  return allocate_plain(MemoryKind::device, data, size_bytes);
}

CUresult do_cuMemAllocPitch(CUdeviceptr* data, size_t* pitch_bytes, size_t width_bytes, size_t height,
                            unsigned elem_bytes) {
  if (elem_bytes != 4 && elem_bytes != 8 && elem_bytes != 16) return CUDA_ERROR_INVALID_VALUE;
  const size_t pitch = (width_bytes + 511) / 512 * 512;
  const CUresult code = allocate_plain(MemoryKind::device, data, pitch * height);
  if (code == CUDA_SUCCESS) *pitch_bytes = pitch;
  return code;
}

CUresult do_cuMemAllocManaged(CUdeviceptr* data, size_t size_bytes, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  if (!find_device(current_context()->device)->has_managed_memory) return CUDA_ERROR_NOT_SUPPORTED;
  return allocate_plain(MemoryKind::managed, data, size_bytes);
}

/// Null is nothing to free, as the driver says.
CUresult do_cuMemFree(CUdeviceptr data) {
  if (data == 0) return CUDA_SUCCESS;
  const AllocationPtr found = find_to_free(Function::cuMemFree, data);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  check_unused(Function::cuMemFree, *found);
  world().memory.release(found);
  return CUDA_SUCCESS;
}

CUresult do_cuMemAllocAsync(CUdeviceptr* data, size_t size_bytes, CUstream stream) {
  CUmemoryPool pool = world().default_pools[static_cast<size_t>(current_context()->device)];
  return allocate_pooled(Function::cuMemAllocAsync, data, size_bytes, pool, stream);
}

CUresult do_cuMemAllocFromPoolAsync(CUdeviceptr* data, size_t size_bytes, CUmemoryPool pool, CUstream stream) {
  return allocate_pooled(Function::cuMemAllocFromPoolAsync, data, size_bytes, pool, stream);
}

CUresult do_cuMemFreeAsync(CUdeviceptr data, CUstream handle) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const AllocationPtr found = find_to_free(Function::cuMemFreeAsync, data);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Work work{.function = Function::cuMemFreeAsync,
            .run = [found](CUresult) { world().memory.release(found); },
            .runs_in_broken_context = true,
            .takes_time = false};
  const CUresult code = submit(stream, std::move(work));
  if (code != CUDA_SUCCESS) return code;
  found->is_free_queued = true;
  if (!found->is_freed) check_ordered(Function::cuMemFreeAsync, *found, stream);
  return CUDA_SUCCESS;
}

CUresult do_cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  if (find_device(properties->location.id) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (!has_pools(properties->location.id)) return CUDA_ERROR_NOT_SUPPORTED;
  *pool = world().pools.add();
  (*pool)->device = properties->location.id;
  return CUDA_SUCCESS;
}

CUresult do_cuMemPoolDestroy(CUmemoryPool pool) {
  if (!world().pools.holds(pool) || pool->is_default) return CUDA_ERROR_INVALID_VALUE;
  world().pools.remove(pool);
  Memory::trim(pool, 0);
  return CUDA_SUCCESS;
}

CUresult do_cuMemPoolTrimTo(CUmemoryPool pool, size_t keep_bytes) {
  if (!world().pools.holds(pool)) return CUDA_ERROR_INVALID_VALUE;
  Memory::trim(pool, keep_bytes);
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (!has_pools(device)) return CUDA_ERROR_NOT_SUPPORTED;
  *pool = world().default_pools[static_cast<size_t>(device)];
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
