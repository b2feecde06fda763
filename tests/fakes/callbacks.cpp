#include "tests/fakes/callbacks.hpp"

#include <thread>

#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

thread_local bool inside = false;

/// For its lifetime the thread is inside a callback.
class Inside {
 public:
  Inside() { inside = true; }
  ~Inside() { inside = false; }
};

/// For its lifetime the lock that the thread holds is open.
class Unlocked {
 public:
  Unlocked() { state().mutex.unlock(); }
  ~Unlocked() { state().mutex.lock(); }
};

}  // namespace

bool is_inside_callback() { return inside; }

void call_back(const std::function<void()>& function) {
  const Unlocked unlocked;
  std::thread([&] {
    const Inside marked;
    function();
  }).join();
}

void run_kernel(const std::function<void()>& function) {
  const Unlocked unlocked;
  const Inside marked;
  function();
}

}  // namespace jitc::tests::fake
