// Rectangles of memory: what copies and fills come down to, and the checks that they share.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/fakes/objects.hpp"

namespace jitc::tests::fake {

/// `height` rows of `width_bytes` that lie `pitch_bytes` apart.
struct Rows {
  uintptr_t base = 0;
  size_t pitch_bytes = 0;
  size_t width_bytes = 0;
  size_t height = 0;

  size_t extent_bytes() const { return height == 0 ? 0 : (height - 1) * pitch_bytes + width_bytes; }
};

Rows one_row(uintptr_t base, size_t size_bytes);

/// One side of a copy, checked.
struct Side {
  Rows rows;
  bool is_host = false;      ///< named as host memory
  AllocationPtr allocation;  ///< that holds it; null for host memory that the driver does not know
};

/// False, with a misuse, where device memory is none or too small, or host memory is a device's.
bool find_side(Function function, const char* which, Side& side);

struct Copy {
  Side dst, src;
};

/// A copy as work. Host memory that is not pinned is read right now, as the driver does: by a staging buffer.
Work work_of(Function function, const Copy& copy);
/// The driver returns from a copy into host memory that is not pinned when it is done.
bool waits_for_host(const Copy& copy);

Work work_of_fill(Function function, const Side& dst, unsigned char value);

}  // namespace jitc::tests::fake
