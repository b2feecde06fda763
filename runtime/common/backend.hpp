// What the runtime needs of a device. One implementation per kind of device, each in its own folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/device.hpp"
#include "jitc/program.hpp"
#include "runtime/common/counters.hpp"
#include "runtime/common/matrix_product.hpp"
#include "runtime/common/queue.hpp"

namespace jitc::runtime {

/// Machine code of one Artifact, ready to launch on the backend that loaded it; its destructor unloads the code, at
/// the latest when the work that uses it is done.
class LoadedKernel {
 public:
  virtual ~LoadedKernel() = default;
  virtual KernelResources resources() const = 0;
};

/// Memory of one device on its way back. `home` is the queue that it was allocated on; `used_on` are those that have
/// worked with it since, `home` not among them.
struct Allocation {
  std::byte* data = nullptr;
  size_t size_bytes = 0;
  std::shared_ptr<Queue> home;
  std::vector<std::shared_ptr<Queue>> used_on;
};

/// One array of elements to another. Strides are in bytes and may be zero or negative; axes are the same on both
/// sides. The source and the destination do not overlap.
struct StridedCopy {
  enum class Direction : uint8_t { host_to_device, device_to_host, within_device };
  Direction direction = Direction::host_to_device;
  std::byte* dst = nullptr;
  const std::byte* src = nullptr;
  std::span<const int64_t> shape;
  std::span<const int64_t> dst_strides_bytes;
  std::span<const int64_t> src_strides_bytes;
  size_t elem_bytes = 0;
};

/// One device. All members are safe from several threads at once; what can fail throws jitc::Error. What takes a Queue
/// is done in its order and may return before it is done; the queue is one of this backend's.
class Backend : public std::enable_shared_from_this<Backend> {
 public:
  virtual ~Backend() = default;

  /// "cpu", "cuda:0".
  virtual const std::string& name() const = 0;
  /// For people.
  virtual std::string description() const = 0;
  /// What it runs: TargetOptions::name of the artifacts that load() takes, or an SM newer than the compiler knows.
  virtual const std::string& target() const = 0;
  /// Host threads that a launch may use, the caller among them.
  virtual unsigned worker_threads() const = 0;
  /// Device memory is host memory: arrays may be made of host memory as it is.
  virtual bool is_host() const = 0;

  /// The stream that is ordered with all but the non-blocking ones; the same object every time.
  virtual const std::shared_ptr<Queue>& default_queue() = 0;
  /// The calling thread's own.
  virtual std::shared_ptr<Queue> per_thread_queue() = 0;
  virtual std::shared_ptr<Queue> make_queue(const StreamOptions& options) = 0;
  virtual std::shared_ptr<Queue> external_queue(void* handle) = 0;
  virtual std::shared_ptr<Marker> make_marker(const EventOptions& options) = 0;
  /// Later work of `then` starts after the work that `first` has now.
  virtual void order(Queue& first, Queue& then) = 0;
  /// Waits for all queues; throws as Queue::synchronize() does.
  virtual void synchronize() = 0;

  /// Memory of at least 64-byte alignment, to be used on `queue` or after it; null for zero bytes. Throws
  /// Error(memory).
  virtual std::byte* allocate(size_t size_bytes, Queue& queue) = 0;
  /// Takes memory back when all that its queues have now is done. Never waits.
  virtual void deallocate(Allocation allocation) noexcept = 0;
  virtual void fill_zero(std::byte* dst, size_t size_bytes, Queue& queue) = 0;
  virtual void copy(const StridedCopy& copy, Queue& queue) = 0;

  /// Host memory that the device can reach; kPinned may be a plain allocation where that makes no difference.
  virtual std::byte* allocate_host(size_t size_bytes, HostMemoryKind kind, const HostMemoryOptions& options) = 0;
  virtual void deallocate_host(std::byte* data, size_t size_bytes, HostMemoryKind kind) noexcept = 0;
  /// The device's address of mapped or managed memory.
  virtual std::byte* device_address(std::byte* host_data, HostMemoryKind kind) = 0;
  /// Makes memory of the caller page-locked, and undoes it.
  virtual void pin(void* data, size_t size_bytes) = 0;
  virtual void unpin(void* data) noexcept = 0;

  virtual std::shared_ptr<LoadedKernel> load(const Artifact& artifact) = 0;
  /// Throws Error(launch) with the numbers when the kernel cannot run with this shape on this device. The shape holds
  /// the limits of validate_launch() already.
  virtual void check_launch(const LoadedKernel& kernel, const LaunchConfig& config) = 0;
  /// Threads per block that keep the device busiest; at most the kernel's limit.
  virtual uint32_t best_block(const LoadedKernel& kernel, uint32_t dynamic_shared_bytes) = 0;
  /// Runs a kernel that this backend loaded, with a shape that check_launch() passed; `config.stream` is not looked at.
  /// `params` is the block that the kernel's Artifact describes, and is not needed afterwards. A checked kernel on the
  /// default queue is waited for, and Error(kernel) thrown when it stopped; on another queue its synchronize() throws.
  virtual void launch(const LoadedKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
                      Queue& queue) = 0;

  /// The library that multiplies matrices for this device; empty for none.
  virtual std::string product_library() { return {}; }
  /// Gives it the product. False, and nothing happens, without a library and for products that it does not know.
  virtual bool multiply(const MatrixProduct&, Queue&) { return false; }

  /// Gives unused memory back to the system; bytes.
  virtual size_t trim() = 0;
  virtual MemoryState memory_state() = 0;
  /// Between these two, which nest, freed memory is kept and nothing is given to the driver.
  virtual void begin_deferred_cleanup() = 0;
  virtual void end_deferred_cleanup() noexcept = 0;

  Counters counters;
};

}  // namespace jitc::runtime
