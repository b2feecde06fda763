// Several observers as one.
#pragma once

#include <memory>
#include <vector>

#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {

/// Each hook goes to all in their order, up to the first that says no.
class ObserverList : public Observer {
 public:
  explicit ObserverList(std::vector<std::unique_ptr<Observer>> observers) : observers_(std::move(observers)) {}

  Observer& at(size_t i) { return *observers_[i]; }

  bool step(Warp& warp, const Group& group, const Step& step, uint32_t lanes) override {
    return ask([&](Observer& one) { return one.step(warp, group, step, lanes); });
  }
  bool access(Warp& warp, const Group& group, const Step& step, const ObservedAccess& access) override {
    return ask([&](Observer& one) { return one.access(warp, group, step, access); });
  }
  void diverged(Warp& warp, const Group& group, const Step& step, uint32_t taken) override {
    for (const auto& one : observers_) one->diverged(warp, group, step, taken);
  }
  bool meet(Warp& warp, std::span<const Group* const> groups, const Step& step) override {
    return ask([&](Observer& one) { return one.meet(warp, groups, step); });
  }
  bool arrive(Warp& warp, const Group& group, const Step& step, const Arrival& arrival) override {
    return ask([&](Observer& one) { return one.arrive(warp, group, step, arrival); });
  }
  void release(const Release& release) override {
    for (const auto& one : observers_) one->release(release);
  }
  void called(Warp& warp, const Group& group) override {
    for (const auto& one : observers_) one->called(warp, group);
  }
  void returned(Warp& warp, const Group& group) override {
    for (const auto& one : observers_) one->returned(warp, group);
  }
  std::string explain() const override { return refused_ == nullptr ? std::string() : refused_->explain(); }

 private:
  template <class Hook>
  bool ask(Hook hook) {
    for (const auto& one : observers_) {
      if (hook(*one)) continue;
      refused_ = one.get();
      return false;
    }
    return true;
  }

  std::vector<std::unique_ptr<Observer>> observers_;
  const Observer* refused_ = nullptr;
};

}  // namespace jitc::emulator
