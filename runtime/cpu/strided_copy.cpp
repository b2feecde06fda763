#include "runtime/cpu/strided_copy.hpp"

#include <cstdint>
#include <cstring>

namespace jitc::runtime::cpu {

namespace {

/// Calls `visit(strided)` for each element in C order, `strided` being its address.
template <class Byte, class Visit>
void for_each_elem(Byte* strided, std::span<const int64_t> shape, std::span<const int64_t> strides,
                   const Visit& visit) {
  if (shape.empty()) return visit(strided);
  for (int64_t i = 0; i < shape[0]; ++i) {
    for_each_elem(strided + i * strides[0], shape.subspan(1), strides.subspan(1), visit);
  }
}

/// A size known at compile time turns memcpy into one move.
template <size_t kElemBytes, class Byte, class Copy>
void copy_all(Byte* strided, const StridedElems& elems, const Copy& copy) {
  for_each_elem(strided, elems.shape, elems.strides_bytes, [&](Byte* elem) { copy(elem, kElemBytes); });
}

template <class Byte, class Copy>
void copy_by_size(Byte* strided, const StridedElems& elems, const Copy& copy) {
  switch (elems.elem_bytes) {
    case 1: return copy_all<1>(strided, elems, copy);
    case 2: return copy_all<2>(strided, elems, copy);
    case 4: return copy_all<4>(strided, elems, copy);
    case 8: return copy_all<8>(strided, elems, copy);
  }
}

}  // namespace

void gather_elems(std::byte* dst, const std::byte* src, const StridedElems& elems) {
  copy_by_size(src, elems, [&](const std::byte* elem, size_t size_bytes) {
    std::memcpy(dst, elem, size_bytes);
    dst += size_bytes;
  });
}

void scatter_elems(std::byte* dst, const StridedElems& elems, const std::byte* src) {
  copy_by_size(dst, elems, [&](std::byte* elem, size_t size_bytes) {
    std::memcpy(elem, src, size_bytes);
    src += size_bytes;
  });
}

}  // namespace jitc::runtime::cpu
