// Work that runs on the thread that gives it, before the call returns.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "runtime/common/backend.hpp"
#include "runtime/common/error.hpp"

namespace jitc::runtime::cpu {

class InlineQueue : public Queue {
 public:
  explicit InlineQueue(Backend& backend) : backend_(backend) {}

  Backend& backend() const override { return backend_; }
  void synchronize() override {}
  bool is_done() override { return true; }
  void wait(Marker& marker) override { marker.synchronize(); }
  void call(std::function<void()> function) override { function(); }
  void* native_handle() const override { return nullptr; }

 private:
  Backend& backend_;
};

class InlineMarker : public Marker {
 public:
  InlineMarker(Backend& backend, bool timing) : backend_(backend), timing_(timing) {}

  Backend& backend() const override { return backend_; }
  void record(Queue&) override { time_ = Clock::now(); }
  bool is_done() override { return true; }
  void synchronize() override {}
  double ms_until(Marker& end) override {
    auto& other = static_cast<InlineMarker&>(end);
    if (!timing_ || !other.timing_) fail(ErrorCode::argument, "an event without timing has no time");
    if (!time_ || !other.time_) fail(ErrorCode::argument, "an event that was not recorded has no time");
    return std::chrono::duration<double, std::milli>(*other.time_ - *time_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Backend& backend_;
  bool timing_;
  std::optional<Clock::time_point> time_;
};

}  // namespace jitc::runtime::cpu
