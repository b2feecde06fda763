// What stands behind Stream and Event. One implementation of each per kind of device.
#pragma once

#include <functional>
#include <memory>

namespace jitc::runtime {

class Backend;
class Marker;

/// Work of one device in order. Safe from several threads at once; the destructor does not wait for the work.
class Queue {
 public:
  virtual ~Queue() = default;

  /// The device; lives as long as the process does.
  virtual Backend& backend() const = 0;
  /// Waits; throws what went wrong in the work since the last call.
  virtual void synchronize() = 0;
  virtual bool is_done() = 0;
  /// Later work starts after what `marker` marks now. `marker` is of the same kind of device, not always the same one.
  virtual void wait(Marker& marker) = 0;
  /// Calls `function` in order, on some thread.
  virtual void call(std::function<void()> function) = 0;
  virtual void* native_handle() const = 0;
};

/// A place in a queue.
class Marker {
 public:
  virtual ~Marker() = default;

  virtual Backend& backend() const = 0;
  virtual void record(Queue& queue) = 0;
  virtual bool is_done() = 0;
  /// Waits; throws as Queue::synchronize() does.
  virtual void synchronize() = 0;
  /// Throws Error(argument) as Event::elapsed_ms() says. `end` is a marker of the same backend.
  virtual double ms_until(Marker& end) = 0;
};

}  // namespace jitc::runtime
