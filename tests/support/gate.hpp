// A place where one thread stops until another lets it go on.
#pragma once

#include <functional>
#include <future>
#include <memory>

namespace jitc::tests {

class Gate {
 public:
  Gate() = default;
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Someone has come to the gate.
  void await_arrival() const { state_->arrived.get_future().wait(); }
  void open() {
    if (!is_open_) state_->opened.set_value();
    is_open_ = true;
  }
  /// A function that comes to the gate, once, and stops there. It may outlive the gate.
  std::function<void()> stop() const {
    return [state = state_, opened = opened_] {
      state->arrived.set_value();
      opened.wait();
    };
  }

 private:
  struct State {
    std::promise<void> arrived, opened;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::shared_future<void> opened_ = state_->opened.get_future().share();
  bool is_open_ = false;
};

}  // namespace jitc::tests
