// The queue that each thread has for itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "runtime/cuda/cuda_queue.hpp"

namespace jitc::runtime::cuda {

/// One queue per thread and device, kept until the thread ends. To be owned by a shared_ptr.
class ThreadQueues : public std::enable_shared_from_this<ThreadQueues> {
 public:
  /// The calling thread's, made by `make` at the first call.
  std::shared_ptr<CudaQueue> get(const std::function<std::shared_ptr<CudaQueue>()>& make);

 private:
  friend class ThreadEnd;
  void forget(uint64_t thread_number);

  std::mutex mutex_;  // guards queues_
  std::unordered_map<uint64_t, std::shared_ptr<CudaQueue>> queues_;
};

}  // namespace jitc::runtime::cuda
