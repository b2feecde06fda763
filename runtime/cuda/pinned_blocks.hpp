// Small blocks of page-locked host memory, used again and again: records that kernels leave behind, large parameter
// blocks on their way to the device.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/cuda/event_pool.hpp"

namespace jitc::runtime::cuda {

class PinnedBlocks;

/// One block, owned: given back at the end, when the device has no work with it any more.
class PinnedBlock {
 public:
  PinnedBlock() = default;
  PinnedBlock(PinnedBlocks* pool, std::byte* data, size_t size_bytes)
      : pool_(pool), data_(data), size_bytes_(size_bytes) {}
  PinnedBlock(PinnedBlock&& other) noexcept { *this = std::move(other); }
  PinnedBlock& operator=(PinnedBlock&& other) noexcept;
  ~PinnedBlock();

  std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }
  /// Gives it back now, for use after the work that `stream` has.
  void release_behind(CUstream stream) noexcept;

 private:
  PinnedBlocks* pool_ = nullptr;
  std::byte* data_ = nullptr;
  size_t size_bytes_ = 0;
};

/// Safe from several threads. Blocks do not outlive it.
class PinnedBlocks {
 public:
  PinnedBlocks(Context& context, EventPool& events) : context_(context), events_(events) {}
  /// Frees what was given back, whether the device is done with it or not.
  ~PinnedBlocks();
  PinnedBlocks(const PinnedBlocks&) = delete;
  PinnedBlocks& operator=(const PinnedBlocks&) = delete;

  /// Of at least `size_bytes`; its content is left over. The context is current. Throws DriverError.
  PinnedBlock take(size_t size_bytes);

 private:
  friend class PinnedBlock;
  struct Unused {
    std::byte* data;
    size_t size_bytes;
    CUevent done;  // null: nothing works with it
  };

  void give(std::byte* data, size_t size_bytes, CUevent done) noexcept;
  void give_behind(std::byte* data, size_t size_bytes, CUstream stream) noexcept;
  bool is_free(Unused& block);
  std::byte* pop(size_t size_bytes);
  void free_host(std::byte* data) noexcept;

  Context& context_;
  EventPool& events_;
  std::mutex mutex_;  // guards unused_
  std::vector<Unused> unused_;
};

}  // namespace jitc::runtime::cuda
