// What the runtime needs of a device. One implementation per kind of device, each in its own folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "jitc/artifact.hpp"
#include "jitc/program.hpp"

namespace jitc::runtime {

/// Machine code of one Artifact, ready to launch on the backend that loaded it; its destructor unloads the code.
class LoadedKernel {
 public:
  virtual ~LoadedKernel() = default;
};

/// Elements of `elem_bytes` bytes in an n-dimensional pattern; strides are in bytes and may be zero or negative.
struct StridedElems {
  std::span<const int64_t> shape;
  std::span<const int64_t> strides_bytes;
  size_t elem_bytes = 0;
};

/// One device. All members are safe from several threads at once; what can fail throws jitc::Error.
class Backend {
 public:
  virtual ~Backend() = default;

  /// "cpu".
  virtual const std::string& name() const = 0;
  /// For people.
  virtual std::string description() const = 0;
  /// TargetOptions::name of the artifacts that load() takes.
  virtual const std::string& target() const = 0;
  /// Host threads that a launch may use, the caller among them.
  virtual unsigned worker_threads() const = 0;

  /// Memory of at least 64-byte alignment; null for zero bytes. Throws Error(memory).
  virtual std::byte* allocate(size_t size_bytes) = 0;
  virtual void deallocate(std::byte* data, size_t size_bytes) noexcept = 0;
  virtual void fill_zero(std::byte* dst, size_t size_bytes) = 0;

  /// Host to device and back: contiguous, or C-ordered host elements against strided device elements.
  virtual void copy_in(std::byte* dst, const void* src, size_t size_bytes) = 0;
  virtual void copy_out(void* dst, const std::byte* src, size_t size_bytes) = 0;
  virtual void copy_in_strided(std::byte* dst, const StridedElems& elems, const void* src) = 0;
  virtual void copy_out_strided(void* dst, const std::byte* src, const StridedElems& elems) = 0;

  virtual std::shared_ptr<LoadedKernel> load(const Artifact& artifact) = 0;
  /// Runs a kernel that this backend loaded and returns when it has finished. The launch was validated and `params`
  /// is the block that the kernel's Artifact describes. Throws Error(kernel) when a checked kernel stopped.
  virtual void launch(const LoadedKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params) = 0;
};

}  // namespace jitc::runtime
