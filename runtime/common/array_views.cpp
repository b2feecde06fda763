// jitc::Array: views, which share the memory and only change shape, strides and offset.
#include <algorithm>

#include "jitc/array.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"

namespace jitc {

using runtime::fail;
using runtime::tuple_text;

namespace {

struct Range {
  int64_t begin = 0;
  int64_t count = 0;
};

/// Python's rules for begin:end:step over `extent` elements (PySlice_AdjustIndices): negative bounds count from the
/// end, then both are clamped to where the step can start and stop.
Range adjust_slice(int64_t extent, int64_t begin, int64_t end, int64_t step) {
  const int64_t low = step > 0 ? 0 : -1;
  const int64_t high = step > 0 ? extent : extent - 1;
  const auto adjust = [&](int64_t bound) { return std::clamp(bound < 0 ? bound + extent : bound, low, high); };
  begin = adjust(begin);
  end = adjust(end);
  const int64_t span = step > 0 ? end - begin : begin - end;
  if (span <= 0) return {begin, 0};
  const uint64_t distance = step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  return {begin, static_cast<int64_t>((static_cast<uint64_t>(span) - 1) / distance) + 1};
}

/// The shape with its one -1 replaced by what makes the count right.
std::vector<int64_t> complete_shape(std::vector<int64_t> shape, int64_t count) {
  int64_t known = 1;
  auto unknown = shape.end();
  for (auto it = shape.begin(); it != shape.end(); ++it) {
    if (*it == -1 && unknown == shape.end()) {
      unknown = it;
    } else if (*it < 0 || __builtin_mul_overflow(known, *it, &known)) {
      fail(ErrorCode::argument, "cannot reshape {} elements to {}", count, tuple_text(shape));
    }
  }
  const bool fits = unknown == shape.end() ? known == count : known != 0 && count % known == 0;
  if (!fits) fail(ErrorCode::argument, "cannot reshape {} elements to {}", count, tuple_text(shape));
  if (unknown != shape.end()) *unknown = count / known;
  return shape;
}

}  // namespace

Array Array::transpose() const {
  Array out = *this;
  std::reverse(out.shape_.begin(), out.shape_.end());
  std::reverse(out.strides_.begin(), out.strides_.end());
  return out;
}

Array Array::slice(int axis, int64_t begin, int64_t end, int64_t step) const {
  if (axis < 0 || axis >= rank()) fail(ErrorCode::argument, "axis {} of an array of rank {}", axis, rank());
  if (step == 0) fail(ErrorCode::argument, "the step of a slice must not be 0");
  const auto i = static_cast<size_t>(axis);
  const Range range = adjust_slice(shape_[i], begin, end, step);
  Array out = *this;
  out.shape_[i] = range.count;
  if (range.count > 0) out.offset_bytes_ += range.begin * strides_[i];
  // With fewer than two elements the stride is never used, and stride * step may overflow.
  if (range.count > 1) out.strides_[i] *= step;
  return out;
}

Array Array::reshape(std::vector<int64_t> shape) const {
  if (!is_c_contiguous()) {
    fail(ErrorCode::argument, "only a C-contiguous array can be reshaped; this one has shape {} and strides {}",
         tuple_text(shape_), tuple_text(strides_));
  }
  Array out = *this;
  out.shape_ = complete_shape(std::move(shape), size());
  runtime::checked_size_bytes(out.shape_, dtype_);  // extents beside a 0 may still overflow a stride
  out.strides_ = runtime::c_strides(out.shape_, jitc::size_bytes(dtype_));
  return out;
}

}  // namespace jitc
