#include "src/io/host_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "src/io/input_error.hpp"

namespace jitc::io {

namespace {

/// Main memory of the machine. An allocation above it would not fail but end the process when it is touched.
size_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return size_t{1} << 40;
  return static_cast<size_t>(pages) * static_cast<size_t>(page_bytes);
}

}  // namespace

Scalar HostArray::element(int64_t index) const {
  Scalar out{dtype, 0};
  const size_t part = size_bytes(part_type(dtype));
  const std::byte* at = bytes.data() + static_cast<size_t>(index) * size_bytes(dtype);
  std::memcpy(&out.bits, at, part);
  if (is_complex(dtype)) std::memcpy(&out.imag_bits, at + part, part);
  return out;
}

void HostArray::set_element(int64_t index, uint64_t bits, uint64_t imag_bits) {
  const size_t part = size_bytes(part_type(dtype));
  std::byte* at = bytes.data() + static_cast<size_t>(index) * size_bytes(dtype);
  std::memcpy(at, &bits, part);
  if (is_complex(dtype)) std::memcpy(at + part, &imag_bits, part);
}

size_t checked_size_bytes(DType dtype, const std::vector<int64_t>& shape) {
  size_t bytes = size_bytes(dtype);
  bool overflow = false;
  bool is_empty = false;
  for (const int64_t extent : shape) {
    if (extent < 0) {
      throw InputError(ErrorCode::argument, fmt::format("{} has a negative extent", type_text(dtype, shape)));
    }
    // Zero extents are left out, as NumPy does: strides must be representable for empty arrays too.
    if (extent == 0) {
      is_empty = true;
    } else {
      overflow |= __builtin_mul_overflow(bytes, static_cast<size_t>(extent), &bytes);
    }
  }
  overflow |= bytes > static_cast<size_t>(INT64_MAX);
  if (overflow) {
    throw InputError(ErrorCode::memory,
                     fmt::format("{} has more bytes than can be addressed", type_text(dtype, shape)));
  }
  if (is_empty) return 0;
  if (bytes > physical_memory_bytes()) {
    throw InputError(ErrorCode::memory, fmt::format("{} needs {} bytes, more than this machine's {} bytes of memory",
                                                    type_text(dtype, shape), bytes, physical_memory_bytes()));
  }
  return bytes;
}

HostArray make_zeros(DType dtype, std::vector<int64_t> shape) {
  HostArray out;
  out.bytes.resize(checked_size_bytes(dtype, shape));
  out.dtype = dtype;
  out.shape = std::move(shape);
  return out;
}

HostArray transposed(const HostArray& array) {
  HostArray out = array;
  std::reverse(out.shape.begin(), out.shape.end());
  if (array.rank() < 2 || array.bytes.empty()) return out;
  // Walk the result in C order; along result axis k the source moves by the stride of its axis rank-1-k.
  const size_t width = size_bytes(array.dtype);
  const size_t rank = out.shape.size();
  std::vector<size_t> source_strides(rank);
  size_t stride = width;
  for (size_t axis = 0; axis < rank; ++axis) {
    source_strides[axis] = stride;
    stride *= static_cast<size_t>(out.shape[axis]);
  }
  std::vector<int64_t> index(rank, 0);
  size_t source = 0;
  for (size_t at = 0; at < out.bytes.size(); at += width) {
    std::memcpy(out.bytes.data() + at, array.bytes.data() + source, width);
    for (size_t axis = rank; axis-- > 0;) {
      source += source_strides[axis];
      if (++index[axis] < out.shape[axis]) break;
      source -= source_strides[axis] * static_cast<size_t>(out.shape[axis]);
      index[axis] = 0;
    }
  }
  return out;
}

std::string type_text(DType dtype, const std::vector<int64_t>& shape) {
  return fmt::format("{}[{}]", name(dtype), fmt::join(shape, ","));
}

}  // namespace jitc::io
