// Who has to act when the process forks or ends.
#pragma once

#include <memory>

namespace jitc::runtime::cpu {

class ProcessListener {
 public:
  virtual ~ProcessListener() = default;

  /// Takes its locks, so that none is held by a thread that the child does not have. The forking thread then calls one
  /// of the two that give them back.
  virtual void before_fork() noexcept = 0;
  virtual void after_fork_in_parent() noexcept = 0;
  /// The calling thread is the only one there is: forgets all others, and what they were doing.
  virtual void after_fork_in_child() noexcept = 0;
  /// exit() runs, on whatever thread; others still run.
  virtual void at_exit() noexcept = 0;
};

/// Calls the listener for as long as it lives.
void add_process_listener(const std::shared_ptr<ProcessListener>& listener);

}  // namespace jitc::runtime::cpu
