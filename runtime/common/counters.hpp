// What a device was asked to do so far, counted where it happens.
#pragma once

#include <atomic>
#include <cstdint>

namespace jitc::runtime {

struct Counters {
  std::atomic<uint64_t> allocations{0}, frees{0};
  std::atomic<uint64_t> live_bytes{0}, peak_bytes{0};
  std::atomic<uint64_t> copies_in{0}, bytes_in{0};
  std::atomic<uint64_t> copies_out{0}, bytes_out{0};
  std::atomic<uint64_t> copies_within{0}, bytes_within{0};
  std::atomic<uint64_t> implicit_copies_in{0}, implicit_copies_out{0};
  std::atomic<uint64_t> launches{0}, synchronizations{0};

  void add_allocation(uint64_t size_bytes) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    const uint64_t live = live_bytes.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes;
    uint64_t peak = peak_bytes.load(std::memory_order_relaxed);
    while (peak < live && !peak_bytes.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {}
  }
  void add_free(uint64_t size_bytes) {
    frees.fetch_add(1, std::memory_order_relaxed);
    live_bytes.fetch_sub(size_bytes, std::memory_order_relaxed);
  }
};

/// What of a device's memory is where, apart from the counters.
struct MemoryState {
  uint64_t free_bytes = 0, total_bytes = 0;       ///< of the whole device, all processes together
  uint64_t reserved_bytes = 0;                    ///< held from the system, in use or not
  uint64_t pending_frees = 0, pending_bytes = 0;  ///< freed, not yet given back
};

}  // namespace jitc::runtime
