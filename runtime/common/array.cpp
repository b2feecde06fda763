// jitc::Array: the handle itself. Its views and its copies have files of their own.
#include "jitc/array.hpp"

#include <optional>
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"

namespace jitc {

using runtime::fail;
using runtime::tuple_text;

namespace {

/// Throws unless every element lies inside the buffer: a wrong stride must not become a wild write of a kernel.
void require_inside(const runtime::Buffer& buffer, DType dtype, const std::vector<int64_t>& shape,
                    const std::vector<int64_t>& strides, int64_t offset_bytes) {
  if (runtime::checked_size_bytes(shape, dtype) == 0) return;
  const std::optional<runtime::ByteSpan> span = runtime::byte_span(shape, strides, size_bytes(dtype));
  int64_t first = 0, last = 0;
  const bool fits = span && !__builtin_add_overflow(span->begin, offset_bytes, &first) &&
                    !__builtin_add_overflow(span->end, offset_bytes, &last);
  if (!fits || first < 0 || std::cmp_greater(last, buffer.size_bytes())) {
    fail(ErrorCode::argument, "an array of shape {}, strides {} and offset {} leaves its buffer of {} bytes",
         tuple_text(shape), tuple_text(strides), offset_bytes, buffer.size_bytes());
  }
}

}  // namespace

Array::Array(std::shared_ptr<runtime::Buffer> buffer, DType dtype, std::vector<int64_t> shape,
             std::vector<int64_t> strides_bytes, int64_t offset_bytes)
    : buffer_(std::move(buffer)),
      dtype_(dtype),
      shape_(std::move(shape)),
      strides_(std::move(strides_bytes)),
      offset_bytes_(offset_bytes) {
  if (shape_.size() != strides_.size()) {
    fail(ErrorCode::argument, "shape {} and strides {} differ in length", tuple_text(shape_), tuple_text(strides_));
  }
  if (buffer_ == nullptr) fail(ErrorCode::argument, "an array of shape {} without memory", tuple_text(shape_));
  require_inside(*buffer_, dtype_, shape_, strides_, offset_bytes_);
}

int64_t Array::size() const { return valid() ? runtime::count_elems(shape_) : 0; }

bool Array::is_c_contiguous() const { return runtime::is_c_contiguous(shape_, strides_, jitc::size_bytes(dtype_)); }

bool Array::is_fortran_contiguous() const {
  return runtime::is_fortran_contiguous(shape_, strides_, jitc::size_bytes(dtype_));
}

std::byte* Array::data() const { return size() == 0 ? nullptr : buffer_->data() + offset_bytes_; }

void Array::require_dtype(DType wanted) const {
  if (!valid()) fail(ErrorCode::argument, "the array is empty: it was never allocated on a device");
  if (dtype_ != wanted) {
    fail(ErrorCode::argument, "the array has elements of type {}, the host's are {}", name(dtype_), name(wanted));
  }
}

}  // namespace jitc
