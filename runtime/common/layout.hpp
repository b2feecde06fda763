// Sizes, strides and contiguity of n-dimensional arrays, checked for overflow; and how they are written in messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/dtype.hpp"

namespace jitc::runtime {

/// Bytes of a C-ordered array. Throws Error(argument) for a negative extent and Error(memory) when the product of the
/// extents above zero does not fit 63 bits (so that no stride overflows either).
int64_t checked_size_bytes(std::span<const int64_t> shape, DType dtype);

/// Byte strides of C order (last axis fastest). The shape was checked.
std::vector<int64_t> c_strides(std::span<const int64_t> shape, size_t elem_bytes);

/// Whether elements follow one another without gaps in C or Fortran order. As in NumPy, axes of extent 1 may have any
/// stride, and an array without elements is contiguous.
bool is_c_contiguous(std::span<const int64_t> shape, std::span<const int64_t> strides_bytes, size_t elem_bytes);
bool is_fortran_contiguous(std::span<const int64_t> shape, std::span<const int64_t> strides_bytes, size_t elem_bytes);

/// Extents multiplied: the shape was checked.
int64_t count_elems(std::span<const int64_t> shape);

/// Where the elements lie, in bytes from the one at (0, 0, …): the first byte of the lowest and the end of the highest.
struct ByteSpan {
  int64_t begin = 0, end = 0;
};
/// Nothing when that does not fit 64 bits. The shape has elements.
std::optional<ByteSpan> byte_span(std::span<const int64_t> shape, std::span<const int64_t> strides_bytes,
                                  size_t elem_bytes);

/// "(3,)", "(3, 4)".
std::string tuple_text(std::span<const int64_t> values);
/// "f4[:,:]", "f4[::1]", "f4[:,::1]", "f4[::1,:]"; "f4" for rank 0.
std::string array_type_text(DType dtype, int rank, Layout layout = Layout::any);

}  // namespace jitc::runtime
