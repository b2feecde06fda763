// Our declarations of the driver's ABI against the real header; only where a cuda.h is found. The header's names are
// global and ours are not, so that the rows of the lists can be read with either meaning: here with the header's.
#include "runtime/cuda/driver_abi.hpp"

#include <catch2/catch.hpp>
#include <type_traits>

namespace ours = jitc::runtime::cuda;

// Macros of the header would hide names of ours: their values are kept before it is included.
namespace kept {
constexpr unsigned kUuidBytes = sizeof(ours::CUuuid);
constexpr uintptr_t kLegacy = ours::kLegacyStream, kPerThread = ours::kPerThreadStream;
}  // namespace kept

#define __CUDA_API_VERSION_INTERNAL  // the header declares the interfaces under the names that the library exports
#include <cuda.h>
#include <cudaTypedefs.h>

namespace {

#define JITC_CUDA_CODE(number, kind, afterwards, name, text) static_assert(::name == number);
#include "runtime/cuda/driver_codes.def"
#undef JITC_CUDA_CODE

#define JITC_CUDA_ENUM(type)
#define JITC_CUDA_END
#define JITC_CUDA_CONSTANT(name, value) static_assert(static_cast<unsigned>(name) == value);
#include "runtime/cuda/driver_constants.def"
#undef JITC_CUDA_CONSTANT
#undef JITC_CUDA_END
#undef JITC_CUDA_ENUM

// The symbol is declared with our parameters, and the header's table of interfaces has it under our `since`.
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args)            \
  static_assert(std::is_same_v<decltype(::symbol), CUresult params>, #symbol); \
  static_assert(std::is_same_v<PFN_##name##_v##since, CUresult(*) params>, #name);
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION

#define SAME_MEMBER(type, member)                                                                  \
  static_assert(offsetof(ours::type, member) == offsetof(::type, member), #type "::" #member);     \
  static_assert(sizeof(ours::type::member) == sizeof(::type::member), #type "::" #member " size"); \
  static_assert(sizeof(ours::type) == sizeof(::type), #type)

SAME_MEMBER(CUDA_MEMCPY2D_v2, srcXInBytes);
SAME_MEMBER(CUDA_MEMCPY2D_v2, srcY);
SAME_MEMBER(CUDA_MEMCPY2D_v2, srcMemoryType);
SAME_MEMBER(CUDA_MEMCPY2D_v2, srcHost);
SAME_MEMBER(CUDA_MEMCPY2D_v2, srcDevice);
SAME_MEMBER(CUDA_MEMCPY2D_v2, srcArray);
SAME_MEMBER(CUDA_MEMCPY2D_v2, srcPitch);
SAME_MEMBER(CUDA_MEMCPY2D_v2, dstXInBytes);
SAME_MEMBER(CUDA_MEMCPY2D_v2, dstY);
SAME_MEMBER(CUDA_MEMCPY2D_v2, dstMemoryType);
SAME_MEMBER(CUDA_MEMCPY2D_v2, dstHost);
SAME_MEMBER(CUDA_MEMCPY2D_v2, dstDevice);
SAME_MEMBER(CUDA_MEMCPY2D_v2, dstArray);
SAME_MEMBER(CUDA_MEMCPY2D_v2, dstPitch);
SAME_MEMBER(CUDA_MEMCPY2D_v2, WidthInBytes);
SAME_MEMBER(CUDA_MEMCPY2D_v2, Height);
SAME_MEMBER(CUlaunchAttribute, id);
SAME_MEMBER(CUlaunchAttribute, value);
SAME_MEMBER(CUlaunchAttributeValue, cooperative);
SAME_MEMBER(CUlaunchAttributeValue, priority);
SAME_MEMBER(CUlaunchAttributeValue, clusterDim);
SAME_MEMBER(CUlaunchConfig, gridDimX);
SAME_MEMBER(CUlaunchConfig, gridDimY);
SAME_MEMBER(CUlaunchConfig, gridDimZ);
SAME_MEMBER(CUlaunchConfig, blockDimX);
SAME_MEMBER(CUlaunchConfig, blockDimY);
SAME_MEMBER(CUlaunchConfig, blockDimZ);
SAME_MEMBER(CUlaunchConfig, sharedMemBytes);
SAME_MEMBER(CUlaunchConfig, hStream);
SAME_MEMBER(CUlaunchConfig, attrs);
SAME_MEMBER(CUlaunchConfig, numAttrs);
SAME_MEMBER(CUmemLocation, type);
SAME_MEMBER(CUmemLocation, id);
SAME_MEMBER(CUmemPoolProps, allocType);
SAME_MEMBER(CUmemPoolProps, handleTypes);
SAME_MEMBER(CUmemPoolProps, location);
SAME_MEMBER(CUmemPoolProps, win32SecurityAttributes);
SAME_MEMBER(CUmemPoolProps, maxSize);
SAME_MEMBER(CUmemPoolProps, usage);
SAME_MEMBER(CUmemPoolProps, reserved);
static_assert(kept::kUuidBytes == sizeof(::CUuuid));

}  // namespace

TEST_CASE("the names of the special streams are those of cuda.h") {
  CHECK(reinterpret_cast<uintptr_t>(CU_STREAM_LEGACY) == kept::kLegacy);
  CHECK(reinterpret_cast<uintptr_t>(CU_STREAM_PER_THREAD) == kept::kPerThread);
}
