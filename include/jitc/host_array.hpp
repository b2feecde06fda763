// Host memory as arrays: what a copy or a launch may read and write, and memory that a device reaches by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "jitc/api.hpp"
#include "jitc/dtype.hpp"

namespace jitc {

class Array;
namespace runtime {
class HostBlock;
}

/// How a launch treats host memory that is passed to it.
enum class HostAccess : uint8_t {
  in_out,  ///< copied to the device before, and back afterwards
  in,      ///< copied to the device only
  out,     ///< copied back only: elements that the kernel does not write become undefined
};

/// Elements in host memory, not owned: address, dtype, shape and byte strides. std::span and std::vector convert to it;
/// const elements can only be read.
class JITC_API HostView {
 public:
  /// Strides may be left out for C order. Throws Error(argument) for a negative extent, a null address of elements, or
  /// as many strides as there are no axes.
  HostView(void* data, DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides_bytes = {},
           HostAccess access = HostAccess::in_out);
  HostView(const void* data, DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides_bytes = {});
  template <class T, size_t N>
  HostView(std::span<T, N> elems)  // NOLINT: implicit by design
      : HostView(static_cast<std::conditional_t<std::is_const_v<T>, const void*, void*>>(elems.data()),
                 dtype_of<std::remove_const_t<T>>(), {static_cast<int64_t>(elems.size())}) {}
  template <class T>
  requires(ElementType<T> && !std::is_same_v<T, bool>) HostView(std::vector<T>& elems)
      : HostView(std::span<T>(elems)) {}  // NOLINT
  template <class T>
  requires(ElementType<T> && !std::is_same_v<T, bool>) HostView(const std::vector<T>& elems)  // NOLINT
      : HostView(std::span<const T>(elems)) {}

  std::byte* data() const { return data_; }
  DType dtype() const { return dtype_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  const std::vector<int64_t>& strides() const { return strides_; }
  HostAccess access() const { return access_; }
  int64_t size() const;
  int64_t size_bytes() const { return size() * static_cast<int64_t>(jitc::size_bytes(dtype_)); }
  /// The same memory with another access. Throws Error(argument) when const elements would be written.
  HostView with(HostAccess access) const;

 private:
  std::byte* data_;
  DType dtype_;
  std::vector<int64_t> shape_;
  std::vector<int64_t> strides_;
  HostAccess access_;
  bool is_const_;
};

/// As Numba's cuda.In, cuda.Out and cuda.InOut: `kernel.launch(config, jitc::in(x), jitc::out(y))`.
inline HostView in(const HostView& view) { return view.with(HostAccess::in); }
inline HostView out(const HostView& view) { return view.with(HostAccess::out); }
inline HostView in_out(const HostView& view) { return view.with(HostAccess::in_out); }

enum class HostMemoryKind : uint8_t {
  pinned,   ///< page-locked: copies on a stream do not hold the host up
  mapped,   ///< page-locked, and used by kernels where it lies
  managed,  ///< moves between host and device by itself
};

struct HostMemoryOptions {
  bool portable = false;        ///< pinned for all devices, not this one alone
  bool write_combined = false;  ///< fast for the device to read, slow for the host to
  bool attach_global = true;    ///< managed: usable by all streams at once
};

/// Host memory of one of the kinds above, in C order; freed with the last handle, and not before what a stream does
/// with it through on_device() is done.
class JITC_API HostArray {
 public:
  HostArray() = default;
  HostArray(std::shared_ptr<runtime::HostBlock> block, DType dtype, std::vector<int64_t> shape);

  void* data() const;
  DType dtype() const { return dtype_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  int64_t size() const;
  HostMemoryKind kind() const;
  /// The elements. Throws Error(argument) when T is not their type.
  template <class T>
  std::span<T> as() const {
    require_dtype(dtype_of<T>());
    return {static_cast<T*>(data()), static_cast<size_t>(size())};
  }
  /// Throws Error(argument) for one that was never allocated.
  HostView view() const;
  operator HostView() const { return view(); }  // NOLINT: implicit by design
  /// The same memory as a device array. Throws Error(argument) for pinned memory, which kernels do not reach.
  Array on_device() const;

 private:
  void require_dtype(DType wanted) const;
  const runtime::HostBlock& require_block() const;

  std::shared_ptr<runtime::HostBlock> block_;
  DType dtype_ = DType::f8;
  std::vector<int64_t> shape_;
};

}  // namespace jitc
