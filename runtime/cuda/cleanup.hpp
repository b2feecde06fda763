// What handles have let go of, on its way back to the driver.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <variant>
#include <vector>

#include "runtime/common/backend.hpp"
#include "runtime/cuda/event_pool.hpp"
#include "runtime/cuda/memory_pool.hpp"

namespace jitc::runtime::cuda {

/// Freed things pile up here and are given back many at a time: when they are more than a few or a large part of the
/// memory, when someone waits for the device anyway, and when memory is short. Safe from all threads; also from
/// callbacks and while the process ends, where nothing is given to the driver.
class Cleanup {
 public:
  struct HostMemory {
    std::byte* data;
    HostMemoryKind kind;
  };

  Cleanup(Context& context, EventPool& events, MemoryPool& pool, uint64_t memory_bytes)
      : context_(context), events_(events), pool_(pool), most_pending_bytes_(memory_bytes / 5) {}
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;

  // Each takes ownership. Device memory goes back behind the work of its queues, a module when the device is done; the
  // others wait for nothing: the driver keeps streams and events as long as they have work.
  void add(Allocation allocation) noexcept;
  void add(CUstream stream) noexcept;
  void add(CUevent event) noexcept;
  void add(CUmodule module) noexcept;
  void add(HostMemory memory) noexcept;

  /// What has to wait for the device is only given back when `may_wait`; nothing is between begin and end, unless
  /// `also_deferred`.
  struct FlushOptions {
    bool may_wait = false;
    bool also_deferred = false;
  };
  void flush(const FlushOptions& options) noexcept;

  /// Between the two, which nest, nothing is given back.
  void begin_deferral();
  void end_deferral() noexcept;

  /// Gives everything back, and from now on at once what is added.
  void close() noexcept;

  /// Of memory of arrays.
  struct Pending {
    uint64_t count = 0, bytes = 0;
  };
  Pending pending();

 private:
  using Thing = std::variant<Allocation, CUstream, CUevent, CUmodule, HostMemory>;
  struct Item {
    Thing thing;
    bool was_refused = false;  // by the driver: it is asked once more
  };

  void add_thing(Thing thing) noexcept;
  bool is_flush_due(bool& may_wait);
  std::vector<Item> take_all();
  void put_back(std::vector<Item> items) noexcept;
  void count(const Item& item, int64_t sign);
  void flush_now(bool may_wait) noexcept;

  bool needs_wait(const Thing& thing) const;
  bool give_back(Thing& thing, bool has_waited) noexcept;
  bool give_back_one(Allocation& allocation, bool has_waited) noexcept;
  bool give_back_one(CUstream stream, bool has_waited) noexcept;
  bool give_back_one(CUevent event, bool has_waited) noexcept;
  bool give_back_one(CUmodule module, bool has_waited) noexcept;
  bool give_back_one(HostMemory& memory, bool has_waited) noexcept;
  bool order_behind_uses(const Allocation& allocation) noexcept;

  Context& context_;
  EventPool& events_;
  MemoryPool& pool_;
  const uint64_t most_pending_bytes_;
  std::atomic<bool> is_closed_{false};

  std::recursive_mutex flush_mutex_;  // held while things are given back, which may free more things
  std::mutex mutex_;                  // guards all below; the driver is not called with it
  std::vector<Item> items_;
  Pending pending_;
  size_t added_since_flush_ = 0;
  size_t modules_ = 0;
  int deferrals_ = 0;
};

}  // namespace jitc::runtime::cuda
