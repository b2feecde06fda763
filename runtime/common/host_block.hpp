// Host memory that a device knows, shared by the arrays on both sides.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/common/backend.hpp"

namespace jitc::runtime {

class HostBlock {
 public:
  /// Throws Error(memory), Error(device).
  HostBlock(std::shared_ptr<Backend> backend, size_t size_bytes, HostMemoryKind kind, const HostMemoryOptions& options)
      : backend_(std::move(backend)),
        size_bytes_(size_bytes),
        kind_(kind),
        data_(size_bytes == 0 ? nullptr : backend_->allocate_host(size_bytes, kind, options)) {}
  ~HostBlock() {
    if (data_ != nullptr) backend_->deallocate_host(data_, size_bytes_, kind_);
  }
  HostBlock(const HostBlock&) = delete;
  HostBlock& operator=(const HostBlock&) = delete;

  std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }
  HostMemoryKind kind() const { return kind_; }
  const std::shared_ptr<Backend>& backend() const { return backend_; }

 private:
  std::shared_ptr<Backend> backend_;
  size_t size_bytes_;
  HostMemoryKind kind_;
  std::byte* data_;
};

}  // namespace jitc::runtime
