// Which addresses an array covers.
#pragma once

#include <cstdint>

#include "jitc/array.hpp"

namespace jitc::runtime {

/// From the lowest byte of an element to the end of the highest; empty for an array without elements.
struct ByteRange {
  uintptr_t begin = 0, end = 0;

  bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};

inline ByteRange byte_range(const Array& array) {
  if (array.size() == 0) return {};
  const auto first = reinterpret_cast<uintptr_t>(array.data());
  ByteRange out{first, first + size_bytes(array.dtype())};
  for (size_t axis = 0; axis < array.shape().size(); ++axis) {
    const int64_t reach = (array.shape()[axis] - 1) * array.strides()[axis];
    if (reach < 0) {
      out.begin -= static_cast<uintptr_t>(-reach);
    } else {
      out.end += static_cast<uintptr_t>(reach);
    }
  }
  return out;
}

}  // namespace jitc::runtime
