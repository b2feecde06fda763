#include "runtime/cpu/process_listener.hpp"

#include <pthread.h>

#include <cstdlib>
#include <mutex>
#include <vector>

namespace jitc::runtime::cpu {

namespace {

using Listeners = std::vector<std::shared_ptr<ProcessListener>>;

class Registry {
 public:
  void add(const std::shared_ptr<ProcessListener>& listener) {
    const std::lock_guard lock(mutex_);
    std::erase_if(listeners_, [](const auto& known) { return known.expired(); });
    listeners_.push_back(listener);
  }

  Listeners alive() {
    const std::lock_guard lock(mutex_);
    return lock_all();
  }

  void before_fork() {
    mutex_.lock();
    forking_ = lock_all();
    for (const auto& listener : forking_) listener->before_fork();
  }

  template <class After>
  void after_fork(const After& after) {
    for (const auto& listener : forking_) after(*listener);
    const Listeners done = std::move(forking_);
    forking_.clear();
    mutex_.unlock();
  }

 private:
  Listeners lock_all() const {
    Listeners out;
    for (const auto& known : listeners_) {
      if (auto listener = known.lock()) out.push_back(std::move(listener));
    }
    return out;
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<ProcessListener>> listeners_;
  Listeners forking_;  // kept alive from before the fork to after it
};

/// Never destroyed: exit() calls it in the midst of the destruction of static objects.
Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

void before_fork() { registry().before_fork(); }

void after_fork_in_parent() {
  registry().after_fork([](ProcessListener& listener) { listener.after_fork_in_parent(); });
}

void after_fork_in_child() {
  registry().after_fork([](ProcessListener& listener) { listener.after_fork_in_child(); });
}

void at_exit() {
  for (const auto& listener : registry().alive()) listener->at_exit();
}

}  // namespace

void add_process_listener(const std::shared_ptr<ProcessListener>& listener) {
  static const bool is_hooked = [] {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    std::atexit(at_exit);
    return true;
  }();
  static_cast<void>(is_hooked);
  registry().add(listener);
}

}  // namespace jitc::runtime::cpu
