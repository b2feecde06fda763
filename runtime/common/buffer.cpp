#include "runtime/common/buffer.hpp"

#include <algorithm>
#include <utility>

#include "runtime/common/allocation_meter.hpp"

namespace jitc::runtime {

namespace {

// Where streams come and go and the memory stays, those that are done must not be kept for its sake.
constexpr size_t kManyQueues = 8;

}  // namespace

Buffer::Buffer(std::shared_ptr<Backend> backend, size_t size_bytes, std::shared_ptr<Queue> home)
    : backend_(std::move(backend)),
      size_bytes_(size_bytes),
      home_(home->shared_from_this()),
      data_(backend_->allocate(size_bytes, *home_)),
      is_owned_(true),
      last_(home_.get()) {
  if (data_ == nullptr) return;
  backend_->counters.add_allocation(size_bytes);
  meter_ = MeterScope::current();
  if (meter_) meter_->add_allocation(size_bytes);
}

Buffer::Buffer(std::shared_ptr<Backend> backend, std::byte* data, size_t size_bytes, std::shared_ptr<void> owner)
    : backend_(std::move(backend)),
      size_bytes_(size_bytes),
      data_(data),
      owner_(std::move(owner)),
      is_owned_(false),
      last_(nullptr) {}

Buffer::~Buffer() {
  if (data_ == nullptr) return;
  if (is_owned_) {
    backend_->counters.add_free(size_bytes_);
    if (meter_) meter_->add_free(size_bytes_);
    backend_->deallocate({data_, size_bytes_, std::move(home_), std::move(used_on_)});
    return;
  }
  if (owner_ == nullptr) return;
  for (const std::shared_ptr<Queue>& queue : used_on_) {
    try {
      queue->keep(owner_);
    } catch (...) {
      // The device is gone, and with it what it did with the memory.
    }
  }
}

void Buffer::use_on(const std::shared_ptr<Queue>& queue) {
  if (last_.load(std::memory_order_acquire) != queue.get()) add_queue(queue);
}

void Buffer::add_queue(const std::shared_ptr<Queue>& queue) {
  const std::lock_guard lock(mutex_);
  if (used_on_.size() >= kManyQueues) forget_done_queues();
  const bool known = queue == home_ || std::find(used_on_.begin(), used_on_.end(), queue) != used_on_.end();
  if (!known) {
    if (home_ != nullptr) backend_->order(*home_, *queue);
    used_on_.push_back(queue->shared_from_this());
  }
  // The last one is never forgotten, so its address cannot become that of another queue.
  last_.store(queue.get(), std::memory_order_release);
}

/// A queue that has no work and gets no more does not work with the memory: see Queue::has_handles().
void Buffer::forget_done_queues() {
  const Queue* last = last_.load(std::memory_order_relaxed);
  const Queue* default_queue = backend_->default_queue().get();
  std::erase_if(used_on_, [&](const std::shared_ptr<Queue>& queue) {
    if (queue.get() == last || queue.get() == default_queue || queue->has_handles()) return false;
    try {
      return queue->is_done();
    } catch (...) { return false; }  // the device is gone; the free is told so
  });
}

}  // namespace jitc::runtime
