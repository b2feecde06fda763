// Device memory, plain and of pools.
#include "runtime/emulator/driver/device_memory.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

CUresult allocate_plain(MemoryKind kind, CUdeviceptr* data, size_t size_bytes) {
  if (data == nullptr || size_bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const AllocationPtr made = allocate(*current_context(), kind, size_bytes);
  if (made == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *data = made->base;
  return CUDA_SUCCESS;
}

/// Frees that have been asked for count before memory is said to be out.
AllocationPtr allocate_pooled_or_wait(Context& context, size_t size_bytes, const std::shared_ptr<Pool>& pool) {
  AllocationPtr made = allocate(context, MemoryKind::pooled, size_bytes, pool);
  if (made != nullptr) return made;
  drain(context);
  return allocate(context, MemoryKind::pooled, size_bytes, pool);
}

/// The memory exists from here on, so that it can be used by what comes behind this call on the stream.
CUresult allocate_pooled(CUdeviceptr* data, size_t size_bytes, CUmemoryPool handle, CUstream stream_handle) {
  const StreamPtr stream = find_stream(stream_handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const std::shared_ptr<Pool> pool = state().pools.find(handle);
  if (data == nullptr || size_bytes == 0 || pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (stream->capture != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const AllocationPtr made = allocate_pooled_or_wait(*current_context(), size_bytes, pool);
  if (made == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *data = made->base;
  return CUDA_SUCCESS;
}

/// The live device allocation that begins there and may be freed, or null with a report.
AllocationPtr find_to_free(CUdeviceptr data) {
  AllocationPtr found = state().memory.beginning(data);
  const bool is_ours =
      found != nullptr && (found->owner.kind == MemoryKind::device || found->owner.kind == MemoryKind::pooled ||
                           found->owner.kind == MemoryKind::managed);
  if (is_ours) return found;
  const bool was_freed = state().memory.was_freed(data);
  report(CUDA_ERROR_INVALID_VALUE, was_freed ? "freed a second time" : "freed what is no allocation of a device");
  return nullptr;
}

}  // namespace

CUresult do_cuMemGetInfo(size_t* free, size_t* total) {
  if (free == nullptr || total == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *free = free_bytes(*current_context());
  *total = current_context()->device.memory_bytes;
  return CUDA_SUCCESS;
}

CUresult do_cuMemAlloc(CUdeviceptr* data, size_t size_bytes) {
  return allocate_plain(MemoryKind::device, data, size_bytes);
}

CUresult do_cuMemAllocPitch(CUdeviceptr* data, size_t* pitch_bytes, size_t width_bytes, size_t height,
                            unsigned elem_bytes) {
  if (elem_bytes != 4 && elem_bytes != 8 && elem_bytes != 16) return CUDA_ERROR_INVALID_VALUE;
  const size_t pitch = (width_bytes + 511) / 512 * 512;
  size_t size_bytes = 0;
  if (pitch_bytes == nullptr || __builtin_mul_overflow(pitch, height, &size_bytes)) return CUDA_ERROR_INVALID_VALUE;
  const CUresult code = allocate_plain(MemoryKind::device, data, size_bytes);
  if (code == CUDA_SUCCESS) *pitch_bytes = pitch;
  return code;
}

CUresult do_cuMemAllocManaged(CUdeviceptr* data, size_t size_bytes, unsigned flags) {
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return allocate_plain(MemoryKind::managed, data, size_bytes);
}

/// Null is nothing to free, as the driver says. Waits for the context's work, which may use the memory.
CUresult do_cuMemFree(CUdeviceptr data) {
  if (data == 0) return CUDA_SUCCESS;
  const AllocationPtr found = find_to_free(data);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  drain(*find_context(found->owner.device));
  release(found);
  return CUDA_SUCCESS;
}

CUresult do_cuMemAllocAsync(CUdeviceptr* data, size_t size_bytes, CUstream stream) {
  return allocate_pooled(data, size_bytes, current_context()->default_pool, stream);
}

CUresult do_cuMemAllocFromPoolAsync(CUdeviceptr* data, size_t size_bytes, CUmemoryPool pool, CUstream stream) {
  return allocate_pooled(data, size_bytes, pool, stream);
}

CUresult do_cuMemFreeAsync(CUdeviceptr data, CUstream handle) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const AllocationPtr found = find_to_free(data);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto run = [found](CUresult) {
    const std::lock_guard lock(state().mutex);
    release(found);
    return CUDA_SUCCESS;
  };
  return submit(stream, {.run = run, .runs_in_broken_context = true, .after = {}});
}

}  // namespace jitc::emulator::driver
