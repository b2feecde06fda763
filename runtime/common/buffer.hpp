// A block of one device's memory, shared by the arrays that view it and freed with the last of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/common/backend.hpp"

namespace jitc::runtime {

class AllocationMeter;

/// Knows which queues work with the memory, so that it is freed behind all of them.
class Buffer {
 public:
  /// Allocates on `home`; zero bytes are legal and have a null address. Throws Error(memory).
  Buffer(std::shared_ptr<Backend> backend, size_t size_bytes, std::shared_ptr<Queue> home);
  /// Memory of someone else: `owner` goes when the queues that used it are done.
  Buffer(std::shared_ptr<Backend> backend, std::byte* data, size_t size_bytes, std::shared_ptr<void> owner);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// To be called before `queue` is given work with the memory. The first work of each queue is ordered after what the
  /// home queue has, the allocation among it.
  void use_on(const std::shared_ptr<Queue>& queue);

  std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }
  const std::shared_ptr<Backend>& backend() const { return backend_; }

 private:
  void add_queue(const std::shared_ptr<Queue>& queue);
  void forget_done_queues();

  std::shared_ptr<Backend> backend_;
  size_t size_bytes_;
  std::shared_ptr<Queue> home_;
  std::byte* data_;
  std::shared_ptr<void> owner_;
  std::shared_ptr<AllocationMeter> meter_;  ///< of what allocated it; mostly null
  bool is_owned_;

  std::atomic<Queue*> last_;  // already noted: the common case takes no lock
  std::mutex mutex_;          // guards used_on_
  std::vector<std::shared_ptr<Queue>> used_on_;
};

}  // namespace jitc::runtime
