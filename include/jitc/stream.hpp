// Order and time on a device: streams of work, and events in them.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "jitc/api.hpp"

namespace jitc {

namespace runtime {
class Marker;
class Queue;
}  // namespace runtime

class Device;
class Event;

struct StreamOptions {
  /// Does not wait for the default stream, nor that for it.
  bool non_blocking = false;
  /// Lower is more urgent, 0 is normal; what the device does not have is clamped.
  int priority = 0;
};

/// Work on one device that runs in the order in which it was given; work on different streams may run at once. A
/// handle: cheap to copy, safe from any thread. Work that was given is done even when the last handle goes.
///
/// The default stream (a Stream made of nothing, or no stream at all) is ordered with all others that are not
/// non_blocking. On the CPU its work runs on the calling thread, before the call returns.
class JITC_API Stream {
 public:
  /// The default stream of whatever device it is used on.
  Stream() = default;
  /// A new one. Throws Error(device).
  explicit Stream(const Device& device, const StreamOptions& options = {});

  /// The default stream of `device`, by name.
  static Stream legacy_default(const Device& device);
  /// The stream that each host thread has for itself: CUDA's per-thread default stream.
  static Stream per_thread_default(const Device& device);
  /// A stream of someone else: a CUstream of the device's primary context, which its owner keeps alive for as long as
  /// this handle and the arrays used on it. Throws Error(argument) for a stream of another context, and on the CPU.
  static Stream external(const Device& device, void* handle);

  /// Waits until all work given so far is done. Throws what went wrong in it: Error(kernel) of a checked kernel,
  /// Error(device). Of several failures it throws the first that no one was told yet, and forgets the others.
  void synchronize() const;
  /// Whether all work given so far is done; does not wait.
  bool is_done() const;
  /// Work given from now on starts after what `event` marked when this was called; an event never recorded is passed
  /// at once. The event may be of another stream, or of another device of the same kind.
  void wait(const Event& event) const;
  /// Calls `function` on some host thread after the work given so far. It must not use jitc or CUDA: what gives work to
  /// the device, waits for it or makes something on it throws Error(argument) there. Arrays, streams and events may go.
  /// What it throws is thrown by the next synchronize().
  void add_callback(std::function<void()> function) const;

  /// The CUstream; null for the default stream and on the CPU.
  void* native_handle() const;
  /// Made of nothing: the default stream of whatever device it is used on.
  bool is_default() const { return queue_ == nullptr; }
  const std::shared_ptr<runtime::Queue>& queue() const { return queue_; }
  /// Used by the runtime.
  static Stream of_queue(std::shared_ptr<runtime::Queue> queue) { return Stream(std::move(queue)); }

 private:
  explicit Stream(std::shared_ptr<runtime::Queue> queue) : queue_(std::move(queue)) {}
  runtime::Queue& require_queue() const;

  std::shared_ptr<runtime::Queue> queue_;
};

struct EventOptions {
  bool timing = true;          ///< without it record() and wait() are cheaper
  bool blocking_sync = false;  ///< synchronize() sleeps instead of spinning
};

/// A point in a stream. A handle: copies share the point.
class JITC_API Event {
 public:
  // Moving copies: a handle that was moved from is still one.
  Event(const Event&) = default;
  Event& operator=(const Event&) = default;

  /// Throws Error(device).
  explicit Event(const Device& device, const EventOptions& options = {});

  /// Marks the work given to `stream` so far; what was marked before is forgotten.
  void record(const Stream& stream = {}) const;
  /// Whether the marked work is done; true before the first record().
  bool is_done() const;
  /// Waits for it, and throws as Stream::synchronize() does: failures of later work are left to the next wait.
  void synchronize() const;
  /// The same as stream.wait(*this).
  void wait(const Stream& stream) const { stream.wait(*this); }
  /// Milliseconds between what this event and `end` marked; both are done. Throws Error(argument) when one is not, was
  /// never recorded, or was made without timing.
  double elapsed_ms(const Event& end) const;

  const std::shared_ptr<runtime::Marker>& marker() const { return marker_; }

 private:
  std::shared_ptr<runtime::Marker> marker_;
};

}  // namespace jitc
