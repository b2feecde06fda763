// What stands behind Stream and Event. One implementation of each per kind of device.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace jitc::runtime {

class Backend;
class Marker;

/// Work of one device in order, owned by a shared_ptr. Safe from several threads at once; the destructor does not wait
/// for the work.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  virtual ~Queue() = default;

  /// The device; lives as long as the process does.
  virtual Backend& backend() const = 0;
  /// Waits; throws the first failure in the work given so far that was not thrown yet, and forgets the others.
  virtual void synchronize() = 0;
  virtual bool is_done() = 0;
  /// Later work starts after what `marker` marks now. `marker` is of the same kind of device, not always the same one.
  virtual void wait(Marker& marker) = 0;
  /// Calls `function` in order, on some thread.
  virtual void call(std::function<void()> function) = 0;
  /// Lets go of `owner` when the work given so far is done.
  virtual void keep(std::shared_ptr<void> owner) {
    call([own = std::move(owner)] {});
  }
  virtual void* native_handle() const = 0;

  /// Whether a Stream stands for it, or someone who is about to give it work. Without one it gets no more.
  bool has_handles() const { return handles_.load(std::memory_order_acquire) != 0; }

 private:
  friend std::shared_ptr<Queue> with_handle(std::shared_ptr<Queue> queue);

  std::atomic<int> handles_{0};
};

/// The same queue, owned by a Stream.
inline std::shared_ptr<Queue> with_handle(std::shared_ptr<Queue> queue) {
  Queue* const raw = queue.get();
  raw->handles_.fetch_add(1, std::memory_order_relaxed);
  return {raw, [owner = std::move(queue)](Queue* own) { own->handles_.fetch_sub(1, std::memory_order_release); }};
}

/// A place in a queue.
class Marker {
 public:
  virtual ~Marker() = default;

  virtual Backend& backend() const = 0;
  virtual void record(Queue& queue) = 0;
  virtual bool is_done() = 0;
  /// Waits; throws as Queue::synchronize() does, for the work that it marks.
  virtual void synchronize() = 0;
  /// Throws Error(argument) as Event::elapsed_ms() says. `end` is a marker of the same backend.
  virtual double ms_until(Marker& end) = 0;
};

}  // namespace jitc::runtime
