// Which addresses an array covers.
#pragma once

#include <cstdint>

#include "jitc/array.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

/// From the lowest byte of an element to the end of the highest; empty for an array without elements.
struct ByteRange {
  uintptr_t begin = 0, end = 0;

  bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};

inline ByteRange byte_range(const Array& array) {
  if (array.size() == 0) return {};
  // The array lies inside its buffer, so that this cannot overflow.
  const ByteSpan span = *byte_span(array.shape(), array.strides(), size_bytes(array.dtype()));
  const auto first = reinterpret_cast<uintptr_t>(array.data());
  return {first + static_cast<uintptr_t>(span.begin), first + static_cast<uintptr_t>(span.end)};
}

}  // namespace jitc::runtime
