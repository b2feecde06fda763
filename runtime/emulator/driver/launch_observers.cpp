#include "runtime/emulator/driver/launch_observers.hpp"

#include "runtime/emulator/exec/observer_list.hpp"

namespace jitc::emulator::driver {

std::unique_ptr<Observer> LaunchObservers::begin_block(uint64_t index) {
  std::vector<std::unique_ptr<Observer>> made;
  for (LaunchObserver* one : observers_) made.push_back(one->begin_block(index));
  return std::make_unique<ObserverList>(std::move(made));
}

void LaunchObservers::end_block(uint64_t index, Observer& observer) {
  auto& list = static_cast<ObserverList&>(observer);
  for (size_t i = 0; i < observers_.size(); ++i) observers_[i]->end_block(index, list.at(i));
}

}  // namespace jitc::emulator::driver
