// Memory of the CPU device, and its way back behind the work that uses it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/common/backend.hpp"
#include "runtime/cpu/schedule.hpp"

namespace jitc::runtime::cpu {

/// Aligned to 64 bytes; null when there is no room.
std::byte* allocate_host_memory(size_t size_bytes) noexcept;
void free_host_memory(std::byte* data) noexcept;

/// Memory that arrays gave back while lanes still worked with it.
class PendingFrees {
 public:
  explicit PendingFrees(std::shared_ptr<Schedule> schedule)
      : schedule_(std::move(schedule)), counts_(std::make_shared<Counts>()) {}

  /// At once when its queues have no work left, else when all that they have now is done. Never waits.
  void free(const Allocation& allocation) noexcept;
  uint64_t count() const { return counts_->count; }
  uint64_t size_bytes() const { return counts_->size_bytes; }

 private:
  struct Counts {
    std::atomic<uint64_t> count{0}, size_bytes{0};
  };
  class Block;

  std::shared_ptr<Schedule> schedule_;
  std::shared_ptr<Counts> counts_;
};

}  // namespace jitc::runtime::cpu
