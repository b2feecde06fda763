#include "runtime/common/layout.hpp"

#include <algorithm>

#include "runtime/common/error.hpp"

namespace jitc::runtime {

int64_t checked_size_bytes(std::span<const int64_t> shape, DType dtype) {
  int64_t size_bytes = static_cast<int64_t>(jitc::size_bytes(dtype));
  bool has_elems = true;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t extent = shape[axis];
    if (extent < 0) {
      fail(ErrorCode::argument, "shape {}: the extent of axis {} is {}, it must not be negative", tuple_text(shape),
           axis, extent);
    }
    has_elems = has_elems && extent != 0;
    if (__builtin_mul_overflow(size_bytes, std::max<int64_t>(extent, 1), &size_bytes)) {
      fail(ErrorCode::memory, "an {} array of shape {} needs more than 2^63 - 1 bytes", name(dtype), tuple_text(shape));
    }
  }
  return has_elems ? size_bytes : 0;
}

std::vector<int64_t> c_strides(std::span<const int64_t> shape, size_t elem_bytes) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = static_cast<int64_t>(elem_bytes);
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= std::max<int64_t>(shape[axis], 1);
  }
  return strides;
}

namespace {

/// Whether `strides` are those of densely packed axes, the fastest being `order(0)`.
template <class Order>
bool is_packed(std::span<const int64_t> shape, std::span<const int64_t> strides, size_t elem_bytes, Order order) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return true;
  int64_t expected = static_cast<int64_t>(elem_bytes);
  for (size_t i = 0; i < shape.size(); ++i) {
    const size_t axis = order(i);
    if (shape[axis] == 1) continue;
    if (strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

}  // namespace

bool is_c_contiguous(std::span<const int64_t> shape, std::span<const int64_t> strides_bytes, size_t elem_bytes) {
  return is_packed(shape, strides_bytes, elem_bytes, [n = shape.size()](size_t i) { return n - 1 - i; });
}

bool is_fortran_contiguous(std::span<const int64_t> shape, std::span<const int64_t> strides_bytes, size_t elem_bytes) {
  return is_packed(shape, strides_bytes, elem_bytes, [](size_t i) { return i; });
}

int64_t count_elems(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

std::optional<ByteSpan> byte_span(std::span<const int64_t> shape, std::span<const int64_t> strides_bytes,
                                  size_t elem_bytes) {
  ByteSpan out{0, static_cast<int64_t>(elem_bytes)};
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    int64_t reach = 0;
    if (__builtin_mul_overflow(shape[axis] - 1, strides_bytes[axis], &reach)) return std::nullopt;
    int64_t& side = reach < 0 ? out.begin : out.end;
    if (__builtin_add_overflow(side, reach, &side)) return std::nullopt;
  }
  return out;
}

std::string tuple_text(std::span<const int64_t> values) {
  return fmt::format("({}{})", fmt::join(values, ", "), values.size() == 1 ? "," : "");
}

std::string array_type_text(DType dtype, int rank, Layout layout) {
  std::string text(name(dtype));
  if (rank == 0) return text;
  const int unit_axis = layout == Layout::any ? -1 : layout == Layout::c ? rank - 1 : 0;
  for (int axis = 0; axis < rank; ++axis) {
    text += axis == 0 ? "[" : ",";
    text += axis == unit_axis ? "::1" : ":";
  }
  return text + "]";
}

}  // namespace jitc::runtime
