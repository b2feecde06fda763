// Where kernels run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jitc/api.hpp"
#include "jitc/array.hpp"
#include "jitc/host_array.hpp"
#include "jitc/stream.hpp"

namespace jitc {

namespace runtime {
class Backend;
}

/// One line of a list of devices. Sizes in bytes.
struct DeviceInfo {
  std::string name;         ///< for Device::open: "cuda:0"
  std::string description;  ///< for people: the processor's name …
  std::string target;       ///< TargetOptions::name that launches compile for: "sm_86", "cpu"
  uint64_t total_memory = 0;
  uint64_t free_memory = 0;  ///< of a GPU only known once it was opened; 0 before
  std::string problem;       ///< why it cannot be used; empty when it can
};

/// The CUDA driver of this process.
struct DriverInfo {
  std::string library;  ///< "libcuda.so.1", or what JITC_CUDA_DRIVER names
  int version = 0;      ///< 1000 * major + 10 * minor of the newest CUDA that it knows; 0 when it was not loaded
  int ptx_isa = 0;      ///< newest PTX that it takes, 10 * major + minor
  std::string problem;  ///< why no device can be used, and what to do; empty when one can
};

/// What a device did so far in this process; sizes in bytes.
struct DeviceStatistics {
  uint64_t allocations = 0, frees = 0;                       ///< of device memory, by arrays
  uint64_t live_bytes = 0, peak_bytes = 0;                   ///< of arrays, now and at most
  uint64_t pending_frees = 0, pending_bytes = 0;             ///< freed by arrays, not yet given back
  uint64_t reserved_bytes = 0;                               ///< held from the driver, in use or not
  uint64_t free_memory = 0, total_memory = 0;                ///< of the whole device
  uint64_t copies_in = 0, bytes_in = 0;                      ///< host to device
  uint64_t copies_out = 0, bytes_out = 0;                    ///< device to host
  uint64_t copies_within = 0, bytes_within = 0;              ///< on the device
  uint64_t implicit_copies_in = 0, implicit_copies_out = 0;  ///< those of host memory passed to launches
  uint64_t launches = 0, synchronizations = 0;
};

/// Keeps memory of the caller page-locked for as long as it lives; see Device::pin().
class JITC_API PinnedScope {
 public:
  PinnedScope(std::shared_ptr<runtime::Backend> backend, void* data, size_t size_bytes);
  ~PinnedScope();
  PinnedScope(const PinnedScope&) = delete;
  PinnedScope& operator=(const PinnedScope&) = delete;

 private:
  std::shared_ptr<runtime::Backend> backend_;
  void* data_;
};

/// A handle to one device. Cheap to copy; safe to use from several threads.
class JITC_API Device {
 public:
  // Moving copies: a handle that was moved from is still one.
  Device(const Device&) = default;
  Device& operator=(const Device&) = default;

  /// "cpu", "cuda:0", "cuda" (the first), or "auto": cuda:0 if there is one that works, else the CPU. The CUDA driver
  /// is loaded when first needed. Throws Error(device) with what could be opened and what is wrong.
  static Device open(const std::string& name = "auto");
  /// The device whose primary context `cuda_context` (a CUcontext) is. Throws Error(argument) for another context.
  static Device of_context(void* cuda_context);
  /// All devices, those that cannot be used among them; the CPU is the last.
  static std::vector<DeviceInfo> list();
  /// Loads the driver if no one has yet. Throws nothing.
  static DriverInfo cuda_driver();

  /// "cpu", "cuda:0".
  const std::string& name() const;
  /// Which device "auto" chose and why, as a sentence.
  const std::string& why() const;
  /// For people: the processor's name and what it can do.
  std::string description() const;
  bool is_host() const;
  bool operator==(const Device& other) const { return backend_ == other.backend_; }

  /// Uninitialised elements in C order. Throws Error(argument) for a negative extent, Error(memory) when there is no
  /// room. On a stream: the memory may be used there, and on other streams after that, which is seen to at the first
  /// use on each.
  Array empty(const std::vector<int64_t>& shape, DType dtype, const Stream& stream = {}) const;
  Array zeros(const std::vector<int64_t>& shape, DType dtype, const Stream& stream = {}) const;
  /// Of the shape and dtype of `array`, and in its order of axes, without gaps.
  Array empty_like(const Array& array, const Stream& stream = {}) const;
  /// Copies C-ordered host elements to a new array. On a stream, see Array::copy_from_host().
  Array to_device(const void* source, const std::vector<int64_t>& shape, DType dtype, const Stream& stream = {}) const;
  /// Copies host elements at any strides to a new array of their shape.
  Array to_device(const HostView& source, const Stream& stream = {}) const;
  template <class T>
  Array to_device(std::span<const T> source, const std::vector<int64_t>& shape, const Stream& stream = {}) const {
    check_count(source.size(), shape);
    return to_device(source.data(), shape, dtype_of<T>(), stream);
  }
  template <class T>
  Array to_device(const std::vector<T>& source, const std::vector<int64_t>& shape, const Stream& stream = {}) const {
    return to_device(std::span<const T>(source), shape, stream);
  }
  /// Memory of someone else on this device as an array, in C order unless `strides_bytes` are given; `owner` is
  /// released when no array uses it any longer and the streams that used it are done. The address is that of element
  /// (0, 0, …); strides may be zero or negative. On a GPU address and strides must be multiples of the element's size
  /// (of a complex number's part). Throws Error(argument).
  Array wrap(void* device_data, const std::vector<int64_t>& shape, DType dtype,
             const std::vector<int64_t>& strides_bytes = {}, std::shared_ptr<void> owner = nullptr) const;

  /// Host memory that this device can reach. Throws Error(memory), Error(device).
  HostArray pinned_array(const std::vector<int64_t>& shape, DType dtype, const HostMemoryOptions& options = {}) const;
  HostArray mapped_array(const std::vector<int64_t>& shape, DType dtype, const HostMemoryOptions& options = {}) const;
  HostArray managed_array(const std::vector<int64_t>& shape, DType dtype, const HostMemoryOptions& options = {}) const;
  /// Page-locks memory of the caller, who keeps it allocated while the scope lives.
  PinnedScope pin(void* data, size_t size_bytes) const { return {backend_, data, size_bytes}; }

  /// Waits for all streams; throws as Stream::synchronize() does.
  void synchronize() const;
  DeviceStatistics statistics() const;
  /// Gives memory that no array uses back to the driver, and returns how many bytes.
  size_t trim() const;

  const std::shared_ptr<runtime::Backend>& backend() const { return backend_; }

 private:
  explicit Device(std::shared_ptr<runtime::Backend> backend, std::string why);
  static void check_count(size_t count_elems, const std::vector<int64_t>& shape);

  std::shared_ptr<runtime::Backend> backend_;
  std::string why_;
};

/// While one lives, what arrays free on the device is kept, and the driver is not called for it: for time-critical
/// stretches. They nest.
class JITC_API DeferCleanup {
 public:
  explicit DeferCleanup(const Device& device);
  ~DeferCleanup();
  DeferCleanup(const DeferCleanup&) = delete;
  DeferCleanup& operator=(const DeferCleanup&) = delete;

 private:
  std::shared_ptr<runtime::Backend> backend_;
};

}  // namespace jitc
