// Copies and fills, waiting and on streams.
#include "tests/fakes/copies.hpp"
#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

namespace {

uintptr_t address(const void* data) { return reinterpret_cast<uintptr_t>(data); }

Side device_side(uintptr_t base, size_t size_bytes) { return {one_row(base, size_bytes), false, nullptr}; }
Side host_side(uintptr_t base, size_t size_bytes) { return {one_row(base, size_bytes), true, nullptr}; }

bool find_sides(Function function, Copy& copy) {
  return find_side(function, "destination", copy.dst) && find_side(function, "source", copy.src);
}

CUresult copy_now(Function function, Copy copy) {
  if (!find_sides(function, copy)) return CUDA_ERROR_INVALID_VALUE;
  return submit_and_wait(work_of(function, copy));
}

CUresult copy_on(Function function, Copy copy, CUstream handle) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!find_sides(function, copy)) return CUDA_ERROR_INVALID_VALUE;
  const CUresult code = submit(stream, work_of(function, copy));
  return code == CUDA_SUCCESS && waits_for_host(copy) && stream->capture == nullptr ? synchronise(stream) : code;
}

CUresult fill_on(Function function, CUstream stream, Side dst, unsigned char value) {
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!find_side(function, "destination", dst)) return CUDA_ERROR_INVALID_VALUE;
  return submit(stream, work_of_fill(function, dst, value));
}

/// One side of a rectangle of the driver's form.
bool side_of(const CUDA_MEMCPY2D_v2& copy, bool is_dst, Side& side) {
  const CUmemorytype type = is_dst ? copy.dstMemoryType : copy.srcMemoryType;
  const size_t pitch = is_dst ? copy.dstPitch : copy.srcPitch;
  const size_t x = is_dst ? copy.dstXInBytes : copy.srcXInBytes, y = is_dst ? copy.dstY : copy.srcY;
  const uintptr_t host = is_dst ? address(copy.dstHost) : address(copy.srcHost);
  const uintptr_t device = is_dst ? copy.dstDevice : copy.srcDevice;
  side.is_host = type == CU_MEMORYTYPE_HOST;
  side.rows = {(side.is_host ? host : device) + y * pitch + x, pitch, copy.WidthInBytes, copy.Height};
  if (copy.WidthInBytes == 0) side.rows.height = 0;
  if (type == CU_MEMORYTYPE_ARRAY) return false;
  return copy.Height < 2 || (pitch != 0 && pitch >= x + copy.WidthInBytes);
}

bool sides_of(const CUDA_MEMCPY2D_v2* copy, Copy& out) {
  return copy != nullptr && side_of(*copy, true, out.dst) && side_of(*copy, false, out.src);
}

}  // namespace

CUresult do_cuMemcpyHtoD(CUdeviceptr dst, const void* src, size_t size_bytes) {
  return copy_now(Function::cuMemcpyHtoD, {device_side(dst, size_bytes), host_side(address(src), size_bytes)});
}

CUresult do_cuMemcpyDtoH(void* dst, CUdeviceptr src, size_t size_bytes) {
  return copy_now(Function::cuMemcpyDtoH, {host_side(address(dst), size_bytes), device_side(src, size_bytes)});
}

/// Between places of a device the driver does not wait.
CUresult do_cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t size_bytes) {
  return copy_on(Function::cuMemcpyDtoD, {device_side(dst, size_bytes), device_side(src, size_bytes)}, nullptr);
}

CUresult do_cuMemcpyHtoDAsync(CUdeviceptr dst, const void* src, size_t size_bytes, CUstream stream) {
  return copy_on(Function::cuMemcpyHtoDAsync, {device_side(dst, size_bytes), host_side(address(src), size_bytes)},
                 stream);
}

CUresult do_cuMemcpyDtoHAsync(void* dst, CUdeviceptr src, size_t size_bytes, CUstream stream) {
  return copy_on(Function::cuMemcpyDtoHAsync, {host_side(address(dst), size_bytes), device_side(src, size_bytes)},
                 stream);
}

CUresult do_cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t size_bytes, CUstream stream) {
  return copy_on(Function::cuMemcpyDtoDAsync, {device_side(dst, size_bytes), device_side(src, size_bytes)}, stream);
}

CUresult do_cuMemcpy2DUnaligned(const CUDA_MEMCPY2D_v2* copy) {
  Copy sides;
  return sides_of(copy, sides) ? copy_now(Function::cuMemcpy2DUnaligned, sides) : CUDA_ERROR_INVALID_VALUE;
}

CUresult do_cuMemcpy2DAsync(const CUDA_MEMCPY2D_v2* copy, CUstream stream) {
  Copy sides;
  return sides_of(copy, sides) ? copy_on(Function::cuMemcpy2DAsync, sides, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult do_cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                              size_t size_bytes, CUstream stream) {
  Copy copy{device_side(dst, size_bytes), device_side(src, size_bytes)};
  if (!find_sides(Function::cuMemcpyPeerAsync, copy)) return CUDA_ERROR_INVALID_VALUE;
  const auto belongs = [](const Side& side, CUcontext context) {
    return side.allocation == nullptr || side.allocation->context == context;
  };
  if (!belongs(copy.dst, dst_context) || !belongs(copy.src, src_context)) return CUDA_ERROR_INVALID_CONTEXT;
  return copy_on(Function::cuMemcpyPeerAsync, copy, stream);
}

/// On the legacy stream; the driver does not wait for a fill of device memory.
CUresult do_cuMemsetD8(CUdeviceptr dst, unsigned char value, size_t count) {
  return fill_on(Function::cuMemsetD8, find_stream(nullptr), device_side(dst, count), value);
}

CUresult do_cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count, CUstream stream) {
  return fill_on(Function::cuMemsetD8Async, find_stream(stream), device_side(dst, count), value);
}

CUresult do_cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch_bytes, unsigned char value, size_t width_bytes,
                              size_t height, CUstream stream) {
  if (height > 1 && pitch_bytes < width_bytes) return CUDA_ERROR_INVALID_VALUE;
  const Rows rows = {static_cast<uintptr_t>(dst), pitch_bytes, width_bytes, width_bytes == 0 ? 0 : height};
  return fill_on(Function::cuMemsetD2D8Async, find_stream(stream), {rows, false, nullptr}, value);
}

}  // namespace jitc::tests::fake
