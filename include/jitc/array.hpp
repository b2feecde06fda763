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

  /// The transposed view (axes reversed); shares memory.
  Array transpose() const;
  /// Elements [begin, end) with `step` along `axis`; Python's rules (negative counts from the end, clamped, any
  /// non-zero step). Shares memory. Throws Error(argument) for a bad axis or a zero step.
  Array slice(int axis, int64_t begin, int64_t end, int64_t step = 1) const;
  /// The same elements in another shape; one extent may be -1. C-contiguous arrays only, else Error(argument).
  Array reshape(std::vector<int64_t> shape) const;

  /// Copies all elements in C order into `destination`; `size_bytes` must be size_bytes() exactly.
  void copy_to_host(void* destination, size_t size_bytes) const;
  template <class T>
  void copy_to_host(std::span<T> destination) const {
    require_dtype(dtype_of<std::remove_const_t<T>>());
    copy_to_host(destination.data(), destination.size_bytes());
  }
  template <class T>
  std::vector<T> to_vector() const {
    std::vector<T> out(static_cast<size_t>(size()));
    copy_to_host(std::span<T>(out));
    return out;
  }
  /// Overwrites all elements from C-ordered `source`.
  void copy_from_host(const void* source, size_t size_bytes) const;
  template <class T>
  void copy_from_host(std::span<T> source) const {
    require_dtype(dtype_of<std::remove_const_t<T>>());
    copy_from_host(source.data(), source.size_bytes());
  }

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
