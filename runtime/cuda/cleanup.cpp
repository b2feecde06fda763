#include "runtime/cuda/cleanup.hpp"

#include <algorithm>
#include <utility>

#include "runtime/cuda/cuda_queue.hpp"
#include "runtime/cuda/device_address.hpp"
#include "runtime/cuda/process_state.hpp"

namespace jitc::runtime::cuda {

namespace {

// As many as Numba keeps: a call of the driver for each free would cost more than the memory is worth.
constexpr size_t kMostPending = 10;

CudaQueue& cuda_queue(const std::shared_ptr<Queue>& queue) { return static_cast<CudaQueue&>(*queue); }

bool is_of_other_thread(const std::shared_ptr<Queue>& queue) { return !cuda_queue(queue).is_usable_here(); }

}  // namespace

void Cleanup::add(Allocation allocation) noexcept { add_thing(std::move(allocation)); }
void Cleanup::add(CUstream stream) noexcept { add_thing(stream); }
void Cleanup::add(CUevent event) noexcept { add_thing(event); }
void Cleanup::add(CUmodule module) noexcept { add_thing(module); }
void Cleanup::add(HostMemory memory) noexcept { add_thing(memory); }

void Cleanup::add_thing(Thing thing) noexcept {
  if (is_forked_child()) return;  // it is the parent's
  bool is_due = false;
  bool may_wait = false;
  try {
    const std::lock_guard lock(mutex_);
    items_.push_back({std::move(thing)});
    count(items_.back(), 1);
    ++added_since_flush_;
    is_due = is_flush_due(may_wait);
  } catch (...) { return; }  // lost: there is no memory to write it down
  if (is_due) flush_now(may_wait);
}

bool Cleanup::is_flush_due(bool& may_wait) {
  if (is_in_callback()) return false;
  may_wait = is_closed_ || pending_.bytes > most_pending_bytes_ || modules_ > kMostPending;
  return is_closed_ || (deferrals_ == 0 && (may_wait || added_since_flush_ > kMostPending));
}

void Cleanup::count(const Item& item, int64_t sign) {
  const auto n = static_cast<uint64_t>(sign);
  if (const auto* allocation = std::get_if<Allocation>(&item.thing)) {
    pending_.count += n;
    pending_.bytes += n * allocation->size_bytes;
  } else if (std::holds_alternative<CUmodule>(item.thing)) {
    modules_ += n;
  }
}

void Cleanup::flush(const FlushOptions& options) noexcept {
  if (is_forked_child() || is_in_callback()) return;
  {
    const std::lock_guard lock(mutex_);
    if (items_.empty() || (deferrals_ != 0 && !options.also_deferred)) return;
  }
  flush_now(options.may_wait);
}

/// Two threads do not flush at once: who needs memory waits for what the other gives back; who does not goes on.
void Cleanup::flush_now(bool may_wait) noexcept {
  std::unique_lock turn(flush_mutex_, std::defer_lock);
  if (may_wait) {
    turn.lock();
  } else if (!turn.try_lock()) {
    return;
  }
  std::vector<Item> items = take_all();
  const ContextScope scope(context_, std::nothrow);
  if (context_.is_dead()) return;  // the context's end freed everything
  if (!scope) return put_back(std::move(items));
  const bool has_to_wait = std::any_of(items.begin(), items.end(), [&](auto& item) { return needs_wait(item.thing); });
  const Driver& driver = context_.driver();
  const bool has_waited = may_wait && has_to_wait &&
                          context_.note(driver.cuCtxSynchronize, driver.cuCtxSynchronize(), "waiting for the device");
  std::erase_if(items, [&](Item& item) {
    if (!has_waited && needs_wait(item.thing)) return false;
    return give_back(item.thing, has_waited) || std::exchange(item.was_refused, true);
  });
  if (!context_.is_dead()) put_back(std::move(items));
}

std::vector<Cleanup::Item> Cleanup::take_all() {
  const std::lock_guard lock(mutex_);
  pending_ = {};
  modules_ = 0;
  added_since_flush_ = 0;
  return std::exchange(items_, {});
}

void Cleanup::put_back(std::vector<Item> items) noexcept {
  if (items.empty()) return;
  try {
    const std::lock_guard lock(mutex_);
    for (Item& item : items) {
      items_.push_back(std::move(item));
      count(items_.back(), 1);
    }
  } catch (...) {
    // Lost: there is no memory to write it down.
  }
}

void Cleanup::begin_deferral() {
  const std::lock_guard lock(mutex_);
  ++deferrals_;
}

void Cleanup::end_deferral() noexcept {
  bool is_due = false;
  bool may_wait = false;
  {
    const std::lock_guard lock(mutex_);
    --deferrals_;
    is_due = is_flush_due(may_wait);
  }
  if (is_due) flush_now(may_wait);
}

void Cleanup::close() noexcept {
  if (is_forked_child()) return;
  is_closed_ = true;
  flush_now(true);
  flush_now(true);  // what the driver refused
}

Cleanup::Pending Cleanup::pending() {
  const std::lock_guard lock(mutex_);
  return pending_;
}

/// The stream of another thread cannot be named here, only waited for with all others.
bool Cleanup::needs_wait(const Thing& thing) const {
  const auto* allocation = std::get_if<Allocation>(&thing);
  if (allocation == nullptr) return std::holds_alternative<CUmodule>(thing);
  return is_of_other_thread(allocation->home) ||
         std::any_of(allocation->used_on.begin(), allocation->used_on.end(), is_of_other_thread);
}

bool Cleanup::give_back(Thing& thing, bool has_waited) noexcept {
  return std::visit([&](auto& one) { return give_back_one(one, has_waited); }, thing);
}

bool Cleanup::give_back_one(Allocation& allocation, bool has_waited) noexcept {
  if (!has_waited && !order_behind_uses(allocation)) return false;
  return pool_.free(allocation.data, allocation.size_bytes, has_waited ? nullptr : &cuda_queue(allocation.home));
}

/// The home queue waits for the others, or the host for all.
bool Cleanup::order_behind_uses(const Allocation& allocation) noexcept {
  const Driver& driver = context_.driver();
  CUstream home = cuda_queue(allocation.home).raw_handle();
  for (const std::shared_ptr<Queue>& queue : allocation.used_on) {
    CUevent event = events_.try_take();
    const bool is_ordered =
        event != nullptr &&
        context_.note(driver.cuEventRecord, driver.cuEventRecord(event, cuda_queue(queue).raw_handle()),
                      "marking a stream") &&
        context_.note(driver.cuStreamWaitEvent, driver.cuStreamWaitEvent(home, event, 0), "ordering streams");
    if (event != nullptr) events_.give(event);
    if (!is_ordered) return context_.note(driver.cuCtxSynchronize, driver.cuCtxSynchronize(), "waiting for the device");
  }
  return true;
}

bool Cleanup::give_back_one(CUstream stream, bool) noexcept {
  const Driver& driver = context_.driver();
  return context_.note(driver.cuStreamDestroy, driver.cuStreamDestroy(stream), "freeing a stream");
}

bool Cleanup::give_back_one(CUevent event, bool) noexcept {
  const Driver& driver = context_.driver();
  return context_.note(driver.cuEventDestroy, driver.cuEventDestroy(event), "freeing an event");
}

bool Cleanup::give_back_one(CUmodule module, bool) noexcept {
  const Driver& driver = context_.driver();
  return context_.note(driver.cuModuleUnload, driver.cuModuleUnload(module), "unloading code");
}

bool Cleanup::give_back_one(HostMemory& memory, bool) noexcept {
  const Driver& driver = context_.driver();
  if (memory.kind == HostMemoryKind::managed) {
    return context_.note(driver.cuMemFree, driver.cuMemFree(device_address(memory.data)), "freeing managed memory");
  }
  return context_.note(driver.cuMemFreeHost, driver.cuMemFreeHost(memory.data), "freeing page-locked memory");
}

}  // namespace jitc::runtime::cuda
