// A block of one device's memory, shared by the arrays that view it and freed with the last of them.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/common/backend.hpp"

namespace jitc::runtime {

class Buffer {
 public:
  /// Allocates; zero bytes are legal and have a null address. Throws Error(memory).
  Buffer(std::shared_ptr<Backend> backend, size_t size_bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }
  const std::shared_ptr<Backend>& backend() const { return backend_; }

 private:
  std::shared_ptr<Backend> backend_;
  size_t size_bytes_;
  std::byte* data_;
};

}  // namespace jitc::runtime
