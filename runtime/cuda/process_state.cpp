#include "runtime/cuda/process_state.hpp"

#include <pthread.h>

#include <atomic>

namespace jitc::runtime::cuda {

namespace {

// Without destructors: they are read while the process ends.
std::atomic<bool> forked{false};
std::atomic<uint64_t> thread_count{0};
thread_local int callback_depth = 0;

}  // namespace

void watch_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  static_cast<void>(registered);
}

bool is_forked_child() { return forked.load(std::memory_order_relaxed); }

CallbackScope::CallbackScope() { ++callback_depth; }
CallbackScope::~CallbackScope() { --callback_depth; }
bool is_in_callback() { return callback_depth != 0; }

uint64_t this_thread_number() {
  thread_local const uint64_t number = ++thread_count;
  return number;
}

}  // namespace jitc::runtime::cuda
