// Rectangles of memory: what copies and fills come down to, and the checks that they share.
#pragma once

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {

/// `height` rows of `width_bytes` that lie `pitch_bytes` apart.
struct Rows {
  uint64_t address = 0;
  size_t pitch_bytes = 0;
  size_t width_bytes = 0;
  size_t height = 0;

  size_t extent_bytes() const { return height == 0 ? 0 : (height - 1) * pitch_bytes + width_bytes; }
};

inline Rows one_row(uint64_t address, size_t size_bytes) {
  return {address, size_bytes, size_bytes, size_bytes == 0 ? 0u : 1u};
}

/// One side of a copy.
struct Side {
  Rows rows;
  bool is_host = false;      ///< named as host memory
  AllocationPtr allocation;  ///< that holds it; null for host memory that the driver does not know

  /// Where the first row really is.
  std::byte* bytes() const;
  bool is_unknown_host() const { return is_host && allocation == nullptr; }
};

struct Copy {
  Side dst, src;
};

/// Fills in the allocation. CUDA_ERROR_INVALID_VALUE with a report where device memory is none or too small, or host
/// memory is a device's.
CUresult find_side(const char* which, Side& side);
CUresult find_sides(Copy& copy);

/// A copy as work. Host memory that is not pinned is read right now, as the driver does: by a staging buffer.
Work work_of(const Copy& copy);
Work work_of_fill(const Side& dst, unsigned char value);

}  // namespace jitc::emulator::driver
