// The fence of the host that stands for those of PTX.
#pragma once

#include <atomic>

namespace jitc::emulator {

/// Orders all of the calling thread's accesses before it with all behind it, for every scope of PTX.
inline void run_fence() {
#ifdef __SANITIZE_THREAD__
  // ThreadSanitizer follows no fences: to it all of them change one word, in one order.
  static std::atomic<unsigned> order = 0;
  order.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace jitc::emulator
