// Arrays on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jitc/api.hpp"
#include "jitc/dtype.hpp"
#include "jitc/error.hpp"
#include "jitc/host_array.hpp"
#include "jitc/stream.hpp"

namespace jitc {

namespace runtime {
class Buffer;
}

/// An n-dimensional array in a device's memory: shared ownership of the memory, a dtype, a shape and signed byte
/// strides. Copying an Array copies the handle, not the elements. Handles may be used from several threads; the
/// elements are the caller's to guard.
class JITC_API Array {
 public:
  Array() = default;
  /// Used by Device; `offset_bytes` is where element (0, 0, …) lies.
  Array(std::shared_ptr<runtime::Buffer> buffer, DType dtype, std::vector<int64_t> shape,
        std::vector<int64_t> strides_bytes, int64_t offset_bytes);

  DType dtype() const { return dtype_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  /// Extents, outermost first.
  const std::vector<int64_t>& shape() const { return shape_; }
  /// Bytes from one element to the next along each axis; may be zero or negative.
  const std::vector<int64_t>& strides() const { return strides_; }
  /// Elements.
  int64_t size() const;
  int64_t size_bytes() const { return size() * static_cast<int64_t>(jitc::size_bytes(dtype_)); }
  bool is_c_contiguous() const;
  bool is_fortran_contiguous() const;
  bool valid() const { return buffer_ != nullptr; }

  // Views share the memory and cost nothing.

  /// Axes reversed.
  Array transpose() const;
  /// Axis i of the result is axis `axes[i]`; negative ones count from the end. Throws Error(argument) unless each axis
  /// occurs once.
  Array transpose(const std::vector<int>& axes) const;
  /// Elements [begin, end) with `step` along `axis`; Python's rules (negative counts from the end, clamped, any
  /// non-zero step). Throws Error(argument) for a bad axis or a zero step.
  Array slice(int axis, int64_t begin, int64_t end, int64_t step = 1) const;
  /// Without `axis`, at `position` along it; a negative one counts from the end. Throws Error(argument) outside.
  Array index(int axis, int64_t position) const;
  /// index(0, position).
  Array operator[](int64_t position) const { return index(0, position); }
  /// The same elements in another shape, in C order; one extent may be -1. Never copies: throws Error(argument) where
  /// the strides do not allow it, as of a transposed array.
  Array reshape(std::vector<int64_t> shape) const;
  /// reshape({-1}).
  Array ravel() const { return reshape({-1}); }
  /// Without the axes of extent 1: all, or those named. Throws Error(argument) when one of them is longer.
  Array squeeze() const;
  Array squeeze(const std::vector<int>& axes) const;

  // Copies. On a stream they are done in its order and may return before: host memory must stay until then. Without a
  // stream they come after all that was given to the device before (but on non-blocking streams), and return when done.

  /// Copies all elements in C order into `destination`; `size_bytes` must be size_bytes() exactly.
  void copy_to_host(void* destination, size_t size_bytes, const Stream& stream = {}) const;
  /// Into elements of the same dtype and shape (or, contiguous, of the same number) at any strides; what lies between
  /// them is not touched. Throws Error(argument) for others, and for const ones.
  void copy_to_host(const HostView& destination, const Stream& stream = {}) const;
  /// All elements in C order.
  template <class T>
  std::vector<T> to_vector(const Stream& stream = {}) const {
    require_dtype(dtype_of<T>());
    std::vector<T> out(static_cast<size_t>(size()));
    copy_to_host(out.data(), out.size() * sizeof(T), stream);
    if (!stream.is_default()) stream.synchronize();
    return out;
  }
  /// Overwrites all elements from C-ordered `source`.
  void copy_from_host(const void* source, size_t size_bytes, const Stream& stream = {}) const;
  /// From elements of the same dtype and shape (or, contiguous, of the same number) at any strides.
  void copy_from_host(const HostView& source, const Stream& stream = {}) const;
  /// From an array of the same dtype and shape, which may lie on another device; the two may overlap.
  void copy_from(const Array& source, const Stream& stream = {}) const;
  /// A new array in C order with the same elements, on the same device.
  Array copy(const Stream& stream = {}) const;

  /// Address of element (0, 0, …) in the device's memory; null when size() is 0.
  std::byte* data() const;
  const std::shared_ptr<runtime::Buffer>& buffer() const { return buffer_; }

 private:
  void require_dtype(DType wanted) const;

  std::shared_ptr<runtime::Buffer> buffer_;
  DType dtype_ = DType::f8;
  std::vector<int64_t> shape_;
  std::vector<int64_t> strides_;
  int64_t offset_bytes_ = 0;
};

}  // namespace jitc
