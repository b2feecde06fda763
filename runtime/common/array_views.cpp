// jitc::Array: views, which share the memory and only change shape, strides and offset.
#include <algorithm>
#include <optional>

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

/// An axis counted from either end.
size_t require_axis(const Array& array, int axis) {
  const int rank = array.rank();
  if (axis < -rank || axis >= rank) fail(ErrorCode::argument, "axis {} of an array of rank {}", axis, rank);
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

/// The strides with which elements in another shape are the same elements in the same order; nothing when there are
/// none. Both shapes hold the same number of elements, at least one. Axes of the two shapes are taken together, from
/// the front, until they hold the same number of elements; each such group must be packed in the old strides.
std::optional<std::vector<int64_t>> strides_in_shape(const std::vector<int64_t>& shape,
                                                     const std::vector<int64_t>& strides,
                                                     const std::vector<int64_t>& wanted) {
  std::vector<int64_t> out(wanted.size());
  std::vector<size_t> axes;  // those that matter
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1) axes.push_back(axis);
  }
  size_t old_begin = 0, new_begin = 0;
  while (old_begin < axes.size()) {
    size_t old_end = old_begin + 1, new_end = new_begin + 1;
    int64_t old_count = shape[axes[old_begin]], new_count = wanted[new_begin];
    while (old_count != new_count) {
      if (old_count < new_count) {
        old_count *= shape[axes[old_end++]];
      } else {
        new_count *= wanted[new_end++];
      }
    }
    for (size_t i = old_begin; i + 1 < old_end; ++i) {
      if (strides[axes[i]] != strides[axes[i + 1]] * shape[axes[i + 1]]) return std::nullopt;
    }
    int64_t stride = strides[axes[old_end - 1]];
    for (size_t i = new_end; i-- > new_begin;) {
      out[i] = stride;
      stride *= wanted[i];
    }
    old_begin = old_end;
    new_begin = new_end;
  }
  // What is left are axes of extent 1, whose strides say nothing.
  for (size_t i = new_begin; i < wanted.size(); ++i) out[i] = strides.empty() ? 1 : strides.back();
  return out;
}

}  // namespace

Array Array::transpose() const {
  Array out = *this;
  std::reverse(out.shape_.begin(), out.shape_.end());
  std::reverse(out.strides_.begin(), out.strides_.end());
  return out;
}

Array Array::transpose(const std::vector<int>& axes) const {
  std::vector<bool> seen(shape_.size());
  bool each_once = axes.size() == shape_.size();
  Array out = *this;
  for (size_t i = 0; i < axes.size() && each_once; ++i) {
    const size_t axis = require_axis(*this, axes[i]);
    each_once = !seen[axis];
    seen[axis] = true;
    out.shape_[i] = shape_[axis];
    out.strides_[i] = strides_[axis];
  }
  if (!each_once) {
    fail(ErrorCode::argument, "the axes ({}) of a transposition are not all axes of an array of rank {}, each once",
         fmt::join(axes, ", "), rank());
  }
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

Array Array::index(int axis, int64_t position) const {
  const size_t i = require_axis(*this, axis);
  const int64_t extent = shape_[i];
  if (position < -extent || position >= extent) {
    fail(ErrorCode::argument, "index {} is outside axis {} of an array of shape {}", position, axis,
         tuple_text(shape_));
  }
  Array out = *this;
  out.offset_bytes_ += (position < 0 ? position + extent : position) * strides_[i];
  out.shape_.erase(out.shape_.begin() + static_cast<std::ptrdiff_t>(i));
  out.strides_.erase(out.strides_.begin() + static_cast<std::ptrdiff_t>(i));
  return out;
}

Array Array::reshape(std::vector<int64_t> shape) const {
  Array out = *this;
  out.shape_ = complete_shape(std::move(shape), size());
  runtime::checked_size_bytes(out.shape_, dtype_);  // extents beside a 0 may still overflow a stride
  if (is_c_contiguous()) {
    out.strides_ = runtime::c_strides(out.shape_, jitc::size_bytes(dtype_));
    return out;
  }
  std::optional<std::vector<int64_t>> strides = strides_in_shape(shape_, strides_, out.shape_);
  if (!strides) {
    fail(ErrorCode::argument,
         "an array of shape {} and strides {} does not have its elements in the order of shape {}; reshape a copy()",
         tuple_text(shape_), tuple_text(strides_), tuple_text(out.shape_));
  }
  out.strides_ = std::move(*strides);
  return out;
}

Array Array::squeeze() const {
  std::vector<int> axes;
  for (int axis = 0; axis < rank(); ++axis) {
    if (shape_[static_cast<size_t>(axis)] == 1) axes.push_back(axis);
  }
  return squeeze(axes);
}

Array Array::squeeze(const std::vector<int>& axes) const {
  std::vector<bool> dropped(shape_.size());
  for (const int axis : axes) {
    const size_t i = require_axis(*this, axis);
    if (shape_[i] != 1) {
      fail(ErrorCode::argument, "axis {} of an array of shape {} cannot be squeezed: it is not 1", axis,
           tuple_text(shape_));
    }
    dropped[i] = true;
  }
  Array out = *this;
  out.shape_.clear();
  out.strides_.clear();
  for (size_t i = 0; i < shape_.size(); ++i) {
    if (dropped[i]) continue;
    out.shape_.push_back(shape_[i]);
    out.strides_.push_back(strides_[i]);
  }
  return out;
}

}  // namespace jitc
