// jitc::Stream and jitc::Event: handles of a backend's queues and markers.
#include "jitc/stream.hpp"

#include <utility>

#include "jitc/device.hpp"
#include "runtime/common/backend.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/queue_of.hpp"

namespace jitc {

using runtime::fail;

Stream::Stream(const Device& device, const StreamOptions& options)
    : queue_(runtime::with_handle(device.backend()->make_queue(options))) {}

Stream Stream::legacy_default(const Device& device) {
  return Stream(runtime::with_handle(device.backend()->default_queue()));
}

Stream Stream::per_thread_default(const Device& device) {
  return Stream(runtime::with_handle(device.backend()->per_thread_queue()));
}

Stream Stream::external(const Device& device, void* handle) {
  return Stream(runtime::with_handle(device.backend()->external_queue(handle)));
}

runtime::Queue& Stream::require_queue() const {
  if (queue_ == nullptr) {
    fail(ErrorCode::argument,
         "this Stream is of no device: use Stream::legacy_default(device), or Device::synchronize() to wait for all");
  }
  return *queue_;
}

void Stream::synchronize() const {
  runtime::Queue& queue = require_queue();
  ++queue.backend().counters.synchronizations;
  queue.synchronize();
}

bool Stream::is_done() const { return require_queue().is_done(); }

void Stream::wait(const Event& event) const { require_queue().wait(*event.marker()); }

void Stream::add_callback(std::function<void()> function) const {
  if (!function) fail(ErrorCode::argument, "a stream was given an empty function to call");
  require_queue().call(std::move(function));
}

void* Stream::native_handle() const { return queue_ != nullptr ? queue_->native_handle() : nullptr; }

Event::Event(const Device& device, const EventOptions& options) : marker_(device.backend()->make_marker(options)) {}

void Event::record(const Stream& stream) const {
  const std::shared_ptr<runtime::Queue> queue = runtime::queue_of(stream, marker_->backend(), "an event");
  marker_->record(*queue);
}

bool Event::is_done() const { return marker_->is_done(); }

void Event::synchronize() const {
  ++marker_->backend().counters.synchronizations;
  marker_->synchronize();
}

double Event::elapsed_ms(const Event& end) const {
  if (&marker_->backend() != &end.marker_->backend()) {
    fail(ErrorCode::argument, "the two events are of different devices, {} and {}", marker_->backend().name(),
         end.marker_->backend().name());
  }
  return marker_->ms_until(*end.marker_);
}

}  // namespace jitc
