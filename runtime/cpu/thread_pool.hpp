// Spreads a range of independent pieces of work over threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/cpu/process_listener.hpp"

namespace jitc::runtime::cpu {

/// Workers start with the first range that is worth sharing. Several threads may call run() at once; each works on its
/// own range, and idle workers help the oldest. The child of a fork has none of the workers, and starts its own.
class ThreadPool : public ProcessListener {
 public:
  /// Does the items [begin, end); called from several threads at once; must not throw.
  using Body = std::function<void(uint64_t begin, uint64_t end)>;

  /// `thread_count` counts the caller of run(); each worker calls `prepare_worker` first.
  explicit ThreadPool(
      unsigned thread_count, void (*prepare_worker)() = [] {})
      : thread_count_(thread_count), prepare_worker_(prepare_worker) {}
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned thread_count() const { return thread_count_; }

  /// Does the items [0, total), each once, and returns when all are done.
  void run(uint64_t total, const Body& body);

  void before_fork() noexcept override { mutex_.lock(); }
  void after_fork_in_parent() noexcept override { mutex_.unlock(); }
  void after_fork_in_child() noexcept override;
  /// Nothing: what runs is awaited by whoever runs it.
  void at_exit() noexcept override {}

 private:
  struct Job;

  void share(Job& job);
  void start_workers();
  void work();
  void retire(Job& job);

  const unsigned thread_count_;
  void (*const prepare_worker_)();
  std::mutex mutex_;  // guards all below, and Job::helpers
  std::condition_variable wake_;
  std::deque<Job*> jobs_;
  std::vector<std::thread> workers_;
  bool started_ = false;
  bool stopping_ = false;
};

}  // namespace jitc::runtime::cpu
