// Copies and fills, waiting and on streams.
#include "runtime/emulator/driver/copies.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

uint64_t address(const void* data) { return reinterpret_cast<uint64_t>(data); }

Side device_side(CUdeviceptr data, size_t size_bytes) { return {one_row(data, size_bytes), false, nullptr}; }
Side host_side(const void* data, size_t size_bytes) { return {one_row(address(data), size_bytes), true, nullptr}; }

CUresult copy_now(Copy copy) {
  const CUresult code = find_sides(copy);
  return code == CUDA_SUCCESS ? submit_and_wait(work_of(copy)) : code;
}

/// The driver returns from a copy into host memory that is not pinned when it is done.
bool waits(const Copy& copy, const Stream& stream) {
  return copy.dst.is_unknown_host() && copy.dst.rows.height != 0 && stream.capture == nullptr;
}

CUresult copy_on(Copy copy, CUstream handle) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  CUresult code = find_sides(copy);
  if (code == CUDA_SUCCESS) code = submit(stream, work_of(copy));
  return code == CUDA_SUCCESS && waits(copy, *stream) ? synchronise(stream) : code;
}

CUresult fill_on(CUstream handle, Side dst, unsigned char value) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const CUresult code = find_side("destination", dst);
  return code == CUDA_SUCCESS ? submit(stream, work_of_fill(dst, value)) : code;
}

/// One side of a rectangle of the driver's form.
struct RectangleSide {
  CUmemorytype type;
  size_t x_bytes, y, pitch_bytes;
  uint64_t host, device;
};

/// Rows must not overlap, and arrays do not exist here.
bool side_of(const RectangleSide& from, size_t width_bytes, size_t height, Side& side) {
  if (from.type != CU_MEMORYTYPE_HOST && from.type != CU_MEMORYTYPE_DEVICE && from.type != CU_MEMORYTYPE_UNIFIED)
    return false;
  side.is_host = from.type == CU_MEMORYTYPE_HOST;
  const uint64_t base = side.is_host ? from.host : from.device;
  const size_t pitch = from.pitch_bytes == 0 && height < 2 ? from.x_bytes + width_bytes : from.pitch_bytes;
  side.rows = {base + from.y * pitch + from.x_bytes, pitch, width_bytes, width_bytes == 0 ? 0 : height};
  return height < 2 || pitch >= from.x_bytes + width_bytes;
}

bool sides_of(const CUDA_MEMCPY2D_v2* copy, Copy& out) {
  if (copy == nullptr) return false;
  const RectangleSide dst = {copy->dstMemoryType, copy->dstXInBytes,      copy->dstY,
                             copy->dstPitch,      address(copy->dstHost), copy->dstDevice};
  const RectangleSide src = {copy->srcMemoryType, copy->srcXInBytes,      copy->srcY,
                             copy->srcPitch,      address(copy->srcHost), copy->srcDevice};
  return side_of(dst, copy->WidthInBytes, copy->Height, out.dst) &&
         side_of(src, copy->WidthInBytes, copy->Height, out.src);
}

bool belongs(const Side& side, CUcontext context) {
  if (side.allocation == nullptr) return true;
  return static_cast<const Context*>(side.allocation->owner.context)->handle == context;
}

}  // namespace

CUresult do_cuMemcpyHtoD(CUdeviceptr dst, const void* src, size_t size_bytes) {
  return copy_now({device_side(dst, size_bytes), host_side(src, size_bytes)});
}

CUresult do_cuMemcpyDtoH(void* dst, CUdeviceptr src, size_t size_bytes) {
  return copy_now({host_side(dst, size_bytes), device_side(src, size_bytes)});
}

/// Between places of a device the driver does not wait.
CUresult do_cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t size_bytes) {
  return copy_on({device_side(dst, size_bytes), device_side(src, size_bytes)}, nullptr);
}

CUresult do_cuMemcpyHtoDAsync(CUdeviceptr dst, const void* src, size_t size_bytes, CUstream stream) {
  return copy_on({device_side(dst, size_bytes), host_side(src, size_bytes)}, stream);
}

CUresult do_cuMemcpyDtoHAsync(void* dst, CUdeviceptr src, size_t size_bytes, CUstream stream) {
  return copy_on({host_side(dst, size_bytes), device_side(src, size_bytes)}, stream);
}

CUresult do_cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t size_bytes, CUstream stream) {
  return copy_on({device_side(dst, size_bytes), device_side(src, size_bytes)}, stream);
}

CUresult do_cuMemcpy2DUnaligned(const CUDA_MEMCPY2D_v2* copy) {
  Copy sides;
  return sides_of(copy, sides) ? copy_now(sides) : CUDA_ERROR_INVALID_VALUE;
}

CUresult do_cuMemcpy2DAsync(const CUDA_MEMCPY2D_v2* copy, CUstream stream) {
  Copy sides;
  return sides_of(copy, sides) ? copy_on(sides, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult do_cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                              size_t size_bytes, CUstream stream) {
  Copy copy = {device_side(dst, size_bytes), device_side(src, size_bytes)};
  const CUresult code = find_sides(copy);
  if (code != CUDA_SUCCESS) return code;
  if (!belongs(copy.dst, dst_context) || !belongs(copy.src, src_context)) return CUDA_ERROR_INVALID_CONTEXT;
  return copy_on(copy, stream);
}

/// On the legacy stream; the driver does not wait for a fill of device memory.
CUresult do_cuMemsetD8(CUdeviceptr dst, unsigned char value, size_t count) {
  return fill_on(nullptr, device_side(dst, count), value);
}

CUresult do_cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count, CUstream stream) {
  return fill_on(stream, device_side(dst, count), value);
}

CUresult do_cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch_bytes, unsigned char value, size_t width_bytes,
                              size_t height, CUstream stream) {
  if (height > 1 && pitch_bytes < width_bytes) return CUDA_ERROR_INVALID_VALUE;
  const Rows rows = {dst, pitch_bytes, width_bytes, width_bytes == 0 ? 0 : height};
  return fill_on(stream, {rows, false, nullptr}, value);
}

}  // namespace jitc::emulator::driver
