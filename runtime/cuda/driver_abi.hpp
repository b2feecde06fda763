// The binary interface of the CUDA driver, in our own words: types, constants, layouts. No header of CUDA is needed to
// build; where there is one, a test compares every name, number and offset. Source: the driver API's page of data
// types.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jitc::runtime::cuda {

/// What every function of the driver returns; newer drivers may return numbers that have no name here.
enum CUresult : int {
#define JITC_CUDA_CODE(number, kind, afterwards, name, text) name = (number),
#include "runtime/cuda/driver_codes.def"
#undef JITC_CUDA_CODE
};

#define JITC_CUDA_ENUM(type) enum type : unsigned {
#define JITC_CUDA_CONSTANT(name, value) name = (value),
#define JITC_CUDA_END \
  }                   \
  ;
#include "runtime/cuda/driver_constants.def"
#undef JITC_CUDA_ENUM
#undef JITC_CUDA_CONSTANT
#undef JITC_CUDA_END

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUarray = struct CUarray_st*;
using CUmemoryPool = struct CUmemPoolHandle_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUlinkState = struct CUlinkState_st*;

using CUhostFn = void (*)(void* user_data);
using CUstreamCallback = void (*)(CUstream stream, CUresult status, void* user_data);
using CUoccupancyB2DSize = size_t (*)(int block_size);

/// Streams that are no objects: the null stream, which is the legacy one here; the legacy stream by name; the calling
/// thread's own stream.
inline constexpr uintptr_t kNullStream = 0, kLegacyStream = 1, kPerThreadStream = 2;

/// Keys in the `extra` of a launch: the parameters as one block of bytes.
inline constexpr uintptr_t kLaunchParamEnd = 0, kLaunchParamBuffer = 1, kLaunchParamBufferSize = 2;

/// The handle or key behind one of the numbers above.
template <class Pointer>
Pointer special_pointer(uintptr_t number) {
  return reinterpret_cast<Pointer>(number);
}

struct CUuuid {
  char bytes[16];
};
static_assert(sizeof(CUuuid) == 16);

/// A rectangle between host and device memory; the pitches are the bytes from row to row.
struct CUDA_MEMCPY2D_v2 {  // NOLINT(readability-identifier-naming): the driver's name
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
};
static_assert(sizeof(CUDA_MEMCPY2D_v2) == 128 && offsetof(CUDA_MEMCPY2D_v2, srcPitch) == 48 &&
              offsetof(CUDA_MEMCPY2D_v2, dstMemoryType) == 72 && offsetof(CUDA_MEMCPY2D_v2, WidthInBytes) == 112);

union CUlaunchAttributeValue {
  char pad[64];
  int cooperative;
  int priority;
  struct {
    unsigned x, y, z;
  } clusterDim;
};

struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  char pad[4];
  CUlaunchAttributeValue value;
};
static_assert(sizeof(CUlaunchAttribute) == 72 && offsetof(CUlaunchAttribute, value) == 8);

struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned numAttrs;
};
static_assert(sizeof(CUlaunchConfig) == 56 && offsetof(CUlaunchConfig, hStream) == 32 &&
              offsetof(CUlaunchConfig, numAttrs) == 48);

struct CUmemLocation {
  CUmemLocationType type;
  int id;
};

struct CUmemPoolProps {
  CUmemAllocationType allocType;
  CUmemAllocationHandleType handleTypes;
  CUmemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
static_assert(sizeof(CUmemPoolProps) == 88 && offsetof(CUmemPoolProps, location) == 8 &&
              offsetof(CUmemPoolProps, maxSize) == 24 && offsetof(CUmemPoolProps, usage) == 32);

}  // namespace jitc::runtime::cuda
