#include "runtime/cuda/thread_queues.hpp"

#include <vector>

#include "runtime/cuda/process_state.hpp"

namespace jitc::runtime::cuda {

namespace {

// Outlives the ThreadEnd: static objects may ask for a queue after the end of their thread's own.
thread_local bool has_ended = false;

}  // namespace

/// Forgets the queues of a thread when it ends.
class ThreadEnd {
 public:
  ThreadEnd() = default;
  ~ThreadEnd() {
    has_ended = true;
    for (const auto& weak : used_) {
      if (const auto queues = weak.lock()) queues->forget(this_thread_number());
    }
  }
  ThreadEnd(const ThreadEnd&) = delete;
  ThreadEnd& operator=(const ThreadEnd&) = delete;
  void add(std::weak_ptr<ThreadQueues> queues) { used_.push_back(std::move(queues)); }

 private:
  std::vector<std::weak_ptr<ThreadQueues>> used_;
};

std::shared_ptr<CudaQueue> ThreadQueues::get(const std::function<std::shared_ptr<CudaQueue>()>& make) {
  const uint64_t number = this_thread_number();
  {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(number);
    if (found != queues_.end()) return found->second;
  }
  std::shared_ptr<CudaQueue> queue = make();
  if (!has_ended) {
    thread_local ThreadEnd thread_end;
    thread_end.add(weak_from_this());
  }
  const std::lock_guard lock(mutex_);
  return queues_.emplace(number, std::move(queue)).first->second;
}

void ThreadQueues::forget(uint64_t thread_number) {
  std::shared_ptr<CudaQueue> queue;  // goes without the lock
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(thread_number);
  if (found == queues_.end()) return;
  queue = std::move(found->second);
  queues_.erase(found);
}

}  // namespace jitc::runtime::cuda
