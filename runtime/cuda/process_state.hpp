// What of the process and the calling thread forbids calls of CUDA: a fork since CUDA was started, and running on
// behalf of a stream.
#pragma once

#include <cstdint>

namespace jitc::runtime::cuda {

/// To be called before the first context is made: from then on children of fork() are recognised.
void watch_forks();

/// This process is a child, forked without exec() from one that had started CUDA.
bool is_forked_child();

/// Marks the calling thread as one that a stream lends to a callback, for as long as it lives.
class CallbackScope {
 public:
  CallbackScope();
  ~CallbackScope();
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;
};

/// The calling thread runs a callback, in which the driver must not be called.
bool is_in_callback();

/// Of the calling thread; never 0, never given to another thread.
uint64_t this_thread_number();

}  // namespace jitc::runtime::cuda
