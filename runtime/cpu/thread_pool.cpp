#include "runtime/cpu/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <system_error>

#include "runtime/cpu/signals_blocked.hpp"

namespace jitc::runtime::cpu {

namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

// Waking a thread costs about this much, so the caller works alone that long before it asks for help, and does not ask
// when less than that is left.
constexpr double kAloneNs = 20'000;
// What a chunk should take: long enough that handing it out costs nothing, short enough that the threads finish
// together.
constexpr double kChunkNs = 50'000;

}  // namespace

/// One call of run(); lives on the caller's stack.
struct ThreadPool::Job {
  const Body& body;
  const uint64_t total;
  const unsigned thread_count;
  std::atomic<uint64_t> next{0};
  uint64_t first_chunk = 1;  // where drain() starts from
  unsigned helpers = 0;      // workers inside drain()
  std::condition_variable helpers_left{};

  /// The largest chunk that still leaves every thread several of what remains. It also keeps `next` from wrapping:
  /// all threads together overshoot `total` by less than a quarter.
  uint64_t fair_chunk(uint64_t done) const {
    return std::max<uint64_t>((total - done) / (uint64_t{4} * thread_count), 1);
  }

  /// Does chunks until none is left; their size follows the time they take.
  void drain() {
    uint64_t chunk = first_chunk;
    for (;;) {
      const uint64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= total) return;
      const uint64_t end = std::min(begin + chunk, total);
      const Clock::time_point start = Clock::now();
      body(begin, end);
      const double spent_ns = ns_since(start);
      if (spent_ns < kChunkNs / 2) chunk *= 2;
      if (spent_ns > kChunkNs * 2) chunk /= 2;
      chunk = std::clamp<uint64_t>(chunk, 1, fair_chunk(end));
    }
  }

  /// Works alone, in growing chunks. True when everything was done; else drain() goes on from where this stopped.
  bool finish_alone() {
    const Clock::time_point start = Clock::now();
    uint64_t done = 0;
    for (uint64_t chunk = 1; done < total; chunk *= 2) {
      chunk = std::min(chunk, fair_chunk(done));
      body(done, done + chunk);
      done += chunk;
      const double spent_ns = ns_since(start);
      const double left_ns = spent_ns / static_cast<double>(done) * static_cast<double>(total - done);
      if (spent_ns < kAloneNs || left_ns < kAloneNs) continue;
      first_chunk = std::min(chunk, fair_chunk(done));
      next.store(done, std::memory_order_relaxed);
      return false;
    }
    return true;
  }
};

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(uint64_t total, const Body& body) {
  if (total == 0) return;
  if (thread_count_ == 1) return body(0, total);
  Job job{body, total, thread_count_};
  if (!job.finish_alone()) share(job);
}

void ThreadPool::share(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    start_workers();
    jobs_.push_back(&job);
  }
  wake_.notify_all();
  job.drain();
  std::unique_lock lock(mutex_);
  retire(job);
  job.helpers_left.wait(lock, [&] { return job.helpers == 0; });
}

void ThreadPool::start_workers() {
  if (started_) return;
  started_ = true;
  const AllSignalsBlocked blocked;
  try {
    for (unsigned i = 1; i < thread_count_; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The system has no more threads: the work is done by those there are, at least by the caller.
  }
}

void ThreadPool::work() {
  prepare_worker_();
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    Job& job = *jobs_.front();
    ++job.helpers;
    lock.unlock();
    job.drain();
    lock.lock();
    retire(job);
    // Notified under the lock: the job's owner destroys it as soon as it sees the count.
    if (--job.helpers == 0) job.helpers_left.notify_all();
  }
}

/// The handles and the condition variable of threads that do not exist here may not be touched again, not even
/// destroyed.
void ThreadPool::after_fork_in_child() noexcept {
  new (&workers_) std::vector<std::thread>;
  new (&wake_) std::condition_variable;
  jobs_.clear();
  started_ = false;
  mutex_.unlock();
}

/// Nothing is left to take from the job; those who still work on a chunk are counted in `helpers`.
void ThreadPool::retire(Job& job) { std::erase(jobs_, &job); }

}  // namespace jitc::runtime::cpu
