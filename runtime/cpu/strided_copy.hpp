// Copies between C-ordered and strided elements in host memory.
#pragma once

#include <cstddef>

#include "runtime/common/backend.hpp"

namespace jitc::runtime::cpu {

/// dst, C-ordered = src, strided.
void gather_elems(std::byte* dst, const std::byte* src, const StridedElems& elems);
/// dst, strided = src, C-ordered.
void scatter_elems(std::byte* dst, const StridedElems& elems, const std::byte* src);

}  // namespace jitc::runtime::cpu
