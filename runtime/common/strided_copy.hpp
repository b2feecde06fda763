// Copies between arrays at any strides: the fewest axes that describe one, and the copy itself where both sides are
// host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/common/backend.hpp"

namespace jitc::runtime {

struct CopyAxis {
  int64_t extent = 0;
  int64_t dst_stride_bytes = 0, src_stride_bytes = 0;
};

/// A copy of `run_bytes` bytes for each index of `axes`, outermost first; no axis has extent 1, and none is the
/// continuation of the next. An axis along which both sides run backwards runs forwards from the other end.
struct CollapsedCopy {
  std::byte* dst = nullptr;
  const std::byte* src = nullptr;
  std::vector<CopyAxis> axes;
  size_t run_bytes = 0;
};

/// The same elements in another order: axes from the longest stride of the destination to the shortest. The copy has
/// elements.
CollapsedCopy collapse(const StridedCopy& copy);

/// Both sides are memory of this process.
void copy_on_host(const StridedCopy& copy);
void copy_on_host(const CollapsedCopy& copy);

}  // namespace jitc::runtime
