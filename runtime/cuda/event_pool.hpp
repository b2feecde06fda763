// Events for the runtime's own use: order between queues, and when memory may be used again.
#pragma once

#include <mutex>
#include <vector>

#include "runtime/cuda/context.hpp"

namespace jitc::runtime::cuda {

/// Events without timing, kept for the next who needs one. Its context is current in all calls. An event may be given
/// back as soon as nobody asks for it again: what waits for it knows what it marked.
class EventPool {
 public:
  explicit EventPool(Context& context) : context_(context) {}
  /// Destroys those that were given back.
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// Throws DriverError.
  CUevent take();
  /// Null when the driver has none.
  CUevent try_take() noexcept;
  void give(CUevent event) noexcept;

 private:
  CUevent pop();

  Context& context_;
  std::mutex mutex_;  // guards unused_
  std::vector<CUevent> unused_;
};

/// An event of the pool, given back at the end.
class PooledEvent {
 public:
  explicit PooledEvent(EventPool& pool) : pool_(pool), event_(pool.take()) {}
  ~PooledEvent() { pool_.give(event_); }
  PooledEvent(const PooledEvent&) = delete;
  PooledEvent& operator=(const PooledEvent&) = delete;

  operator CUevent() const { return event_; }  // NOLINT: it stands for the event

 private:
  EventPool& pool_;
  CUevent event_;
};

}  // namespace jitc::runtime::cuda
