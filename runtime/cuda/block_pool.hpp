// Memory from a pool of our own over cuMemAlloc, for drivers and devices that have none.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "runtime/cuda/memory_pool.hpp"

namespace jitc::runtime::cuda {

/// Blocks in classes of size, at most a quarter larger than what is asked for. A freed block is used again at once on
/// the queue it was freed on, on another one when the work before the free is done.
class BlockPool final : public MemoryPool {
 public:
  BlockPool(Context& context, EventPool& events) : context_(context), events_(events) {}
  ~BlockPool() override;

  PoolAttempt allocate(size_t size_bytes, CudaQueue& queue) override;
  bool free(std::byte* data, size_t size_bytes, CudaQueue* home) noexcept override;
  void trim() noexcept override;
  PoolState state() override;

  /// The size of the block that serves a request.
  static size_t class_bytes(size_t size_bytes);

 private:
  struct Unused {
    std::byte* data;
    uint64_t queue_number;  // that it was freed on
    CUevent done;           // null: free for all
  };
  using Blocks = std::multimap<size_t, Unused>;  // by size

  std::byte* pop(size_t block_bytes, const CudaQueue& queue);
  bool is_done(Unused& block);
  bool mark(Unused& block, CudaQueue& home) noexcept;
  bool free_to_driver(std::byte* data, size_t block_bytes) noexcept;

  Context& context_;
  EventPool& events_;
  std::atomic<uint64_t> reserved_bytes_{0};
  std::mutex mutex_;  // guards unused_
  Blocks unused_;
};

}  // namespace jitc::runtime::cuda
