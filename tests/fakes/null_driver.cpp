// libnull_cuda.so: a driver that does as little as it can, so that what a measurement sees is the host side of the
// runtime alone. Every call succeeds; handles are constants, memory is malloc's, nothing is copied, nothing runs.
#include <cstdlib>
#include <cstring>

#include "runtime/cuda/driver_abi.hpp"

namespace jitc::tests::null_driver {

using namespace runtime::cuda;  // NOLINT(google-build-using-namespace): the driver's own words

/// What functions do that have nothing to say; those below hide them.
namespace nothing {
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) \
  template <class... Args>                                          \
  CUresult do_##name(Args...) {                                     \
    return CUDA_SUCCESS;                                            \
  }
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
}  // namespace nothing

using namespace nothing;  // NOLINT(google-build-using-namespace): see above

namespace {

constexpr size_t kMemoryBytes = size_t{64} << 30;

template <class Value>
CUresult give(Value* out, Value value) {
  if (out != nullptr) *out = value;
  return CUDA_SUCCESS;
}

template <class Handle>
CUresult give_handle(Handle* out) {
  return give(out, reinterpret_cast<Handle>(uintptr_t{64}));  // NOLINT(performance-no-int-to-ptr): never followed
}

CUresult give_memory(CUdeviceptr* out, size_t size_bytes) {
  return give(out, CUdeviceptr{reinterpret_cast<uintptr_t>(std::malloc(size_bytes))});  // NOLINT
}

CUresult take_memory(CUdeviceptr data) {
  std::free(reinterpret_cast<void*>(data));  // NOLINT
  return CUDA_SUCCESS;
}

CUresult do_cuDriverGetVersion(int* version) { return give(version, 12080); }
CUresult do_cuGetErrorName(CUresult, const char** name) { return give<const char*>(name, "CUDA_SUCCESS"); }
CUresult do_cuGetErrorString(CUresult, const char** text) { return give<const char*>(text, "no error"); }

CUresult do_cuDeviceGetCount(int* count) { return give(count, 1); }
CUresult do_cuDeviceGet(CUdevice* device, int ordinal) { return give(device, ordinal); }
CUresult do_cuDeviceTotalMem(size_t* size_bytes, CUdevice) { return give(size_bytes, kMemoryBytes); }
CUresult do_cuDeviceCanAccessPeer(int* can_access, CUdevice, CUdevice) { return give(can_access, 1); }

CUresult do_cuDeviceGetName(char* name, int size_bytes, CUdevice) {
  std::strncpy(name, "Null GPU", static_cast<size_t>(size_bytes));
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetUuid(CUuuid* uuid, CUdevice) { return give(uuid, CUuuid{}); }

/// Limits that no launch exceeds.
CUresult do_cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return give(value, 9);
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return give(value, 0);
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return give(value, 32);
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: return give(value, 1);
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return give(value, 132);
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return give(value, 2147483647);
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return give(value, 65535);
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return give(value, 49152);
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return give(value, 232448);
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return give(value, 64);
    default: return give(value, 1024);
  }
}

CUresult do_cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return give_handle(context); }
CUresult do_cuCtxPopCurrent(CUcontext* context) { return give_handle(context); }
CUresult do_cuCtxGetCurrent(CUcontext* context) { return give_handle(context); }
CUresult do_cuCtxGetDevice(CUdevice* device) { return give(device, 0); }
CUresult do_cuCtxGetLimit(size_t* value, CUlimit) { return give(value, size_t{1024}); }

CUresult do_cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* active) {
  return give(flags, 0U), give(active, 1);
}

CUresult do_cuCtxGetStreamPriorityRange(int* least, int* greatest) { return give(least, 0), give(greatest, 0); }

CUresult do_cuModuleLoadData(CUmodule* out, const void*) { return give_handle(out); }
CUresult do_cuModuleLoadDataEx(CUmodule* out, const void*, unsigned, CUjit_option*, void**) { return give_handle(out); }
CUresult do_cuModuleGetFunction(CUfunction* function, CUmodule, const char*) { return give_handle(function); }

/// One place for all variables of all modules.
CUresult do_cuModuleGetGlobal(CUdeviceptr* data, size_t* size_bytes, CUmodule, const char*) {
  static char storage[4096];
  return give(data, CUdeviceptr{reinterpret_cast<uintptr_t>(storage)}), give(size_bytes, sizeof storage);
}

CUresult do_cuFuncGetAttribute(int* value, CUfunction_attribute, CUfunction) { return give(value, 1024); }

CUresult do_cuOccupancyMaxActiveBlocksPerMultiprocessor(int* block_count, CUfunction, int, size_t) {
  return give(block_count, 2);
}

CUresult do_cuOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, CUfunction, CUoccupancyB2DSize,
                                             size_t, int) {
  return give(min_grid_size, 264), give(block_size, 1024);
}

CUresult do_cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return give(free_bytes, kMemoryBytes), give(total_bytes, kMemoryBytes);
}

CUresult do_cuMemAlloc(CUdeviceptr* data, size_t size_bytes) { return give_memory(data, size_bytes); }
CUresult do_cuMemAllocAsync(CUdeviceptr* data, size_t size_bytes, CUstream) { return give_memory(data, size_bytes); }
CUresult do_cuMemAllocManaged(CUdeviceptr* data, size_t size_bytes, unsigned) { return give_memory(data, size_bytes); }
CUresult do_cuMemFree(CUdeviceptr data) { return take_memory(data); }
CUresult do_cuMemFreeAsync(CUdeviceptr data, CUstream) { return take_memory(data); }

CUresult do_cuMemAllocFromPoolAsync(CUdeviceptr* data, size_t size_bytes, CUmemoryPool, CUstream) {
  return give_memory(data, size_bytes);
}

CUresult do_cuMemAllocPitch(CUdeviceptr* data, size_t* pitch_bytes, size_t width_bytes, size_t height, unsigned) {
  return give(pitch_bytes, width_bytes), give_memory(data, width_bytes * height);
}

CUresult do_cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps*) { return give_handle(pool); }
CUresult do_cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice) { return give_handle(pool); }

/// The switches are int, the numbers 64 bits wide.
CUresult do_cuMemPoolGetAttribute(CUmemoryPool, CUmemPool_attribute attribute, void* value) {
  if (attribute < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) return give(static_cast<int*>(value), 0);
  return give(static_cast<uint64_t*>(value), uint64_t{0});
}

CUresult do_cuMemHostAlloc(void** data, size_t size_bytes, unsigned) { return give(data, std::malloc(size_bytes)); }
CUresult do_cuMemFreeHost(void* data) { return take_memory(reinterpret_cast<uintptr_t>(data)); }

CUresult do_cuMemHostGetDevicePointer(CUdeviceptr* device_data, void* data, unsigned) {
  return give(device_data, CUdeviceptr{reinterpret_cast<uintptr_t>(data)});
}

CUresult do_cuStreamCreateWithPriority(CUstream* stream, unsigned, int) { return give_handle(stream); }
CUresult do_cuStreamGetCtx(CUstream, CUcontext* context) { return give_handle(context); }
CUresult do_cuStreamGetFlags(CUstream, unsigned* flags) { return give(flags, 0U); }
CUresult do_cuStreamGetPriority(CUstream, int* priority) { return give(priority, 0); }

CUresult do_cuEventCreate(CUevent* event, unsigned) { return give_handle(event); }
CUresult do_cuEventElapsedTime(float* milliseconds, CUevent, CUevent) { return give(milliseconds, 0.0F); }

CUresult do_cuStreamEndCapture(CUstream, CUgraph* graph) { return give_handle(graph); }
CUresult do_cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph, unsigned long long) { return give_handle(exec); }

CUresult do_cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  return give(status, CU_STREAM_CAPTURE_STATUS_NONE);
}

CUresult do_cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState* link) { return give_handle(link); }
CUresult do_cuLinkComplete(CUlinkState, void** image, size_t* size_bytes) {
  static char text[] = "";
  return give<void*>(image, text), give(size_bytes, sizeof text);
}

}  // namespace

#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) \
  extern "C" __attribute__((visibility("default"))) CUresult symbol params { return do_##name args; }
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION

}  // namespace jitc::tests::null_driver
