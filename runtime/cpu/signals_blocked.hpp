// Threads that the host's signal handlers never run on.
#pragma once

#include <signal.h>

namespace jitc::runtime::cpu {

/// Threads started while one lives on the calling thread inherit its mask: all signals blocked.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t saved_;
};

}  // namespace jitc::runtime::cpu
