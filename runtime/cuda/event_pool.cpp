#include "runtime/cuda/event_pool.hpp"

namespace jitc::runtime::cuda {

EventPool::~EventPool() {
  const ContextScope scope(context_, std::nothrow);
  if (!scope) return;
  const Driver& driver = context_.driver();
  for (CUevent event : unused_) context_.note(driver.cuEventDestroy, driver.cuEventDestroy(event), "freeing an event");
}

CUevent EventPool::pop() {
  const std::lock_guard lock(mutex_);
  if (unused_.empty()) return nullptr;
  CUevent event = unused_.back();
  unused_.pop_back();
  return event;
}

CUevent EventPool::take() {
  if (CUevent event = pop()) return event;
  const Driver& driver = context_.driver();
  CUevent event = nullptr;
  context_.check(driver.cuEventCreate, driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "making an event");
  return event;
}

CUevent EventPool::try_take() noexcept {
  if (CUevent event = pop()) return event;
  const Driver& driver = context_.driver();
  CUevent event = nullptr;
  const CUresult code = driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
  return context_.note(driver.cuEventCreate, code, "making an event") ? event : nullptr;
}

void EventPool::give(CUevent event) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    unused_.push_back(event);
  } catch (...) {
    context_.note(context_.driver().cuEventDestroy, context_.driver().cuEventDestroy(event), "freeing an event");
  }
}

}  // namespace jitc::runtime::cuda
