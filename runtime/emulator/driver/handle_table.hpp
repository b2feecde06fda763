// Handles that a program holds, and the objects behind them.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace jitc::emulator::driver {

/// A handle is a number that never comes twice, so that one of a destroyed object is always found out. `kind` keeps
/// handles of different tables apart.
template <class Handle, class T>
class HandleTable {
 public:
  explicit HandleTable(uintptr_t kind) : next_((kind << 44) + kStep) {}

  Handle add(std::shared_ptr<T> object) {
    const uintptr_t number = next_;
    next_ += kStep;
    objects_.emplace(number, std::move(object));
    return reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr): never followed
  }
  /// Null where there is none.
  std::shared_ptr<T> find(Handle handle) const {
    const auto found = objects_.find(reinterpret_cast<uintptr_t>(handle));
    return found == objects_.end() ? nullptr : found->second;
  }
  /// Null for an object that is not in the table. Looks at all of them.
  Handle handle_of(const T* object) const {
    for (const auto& [number, one] : objects_) {
      if (one.get() == object) return reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr)
    }
    return nullptr;
  }
  size_t size() const { return objects_.size(); }
  bool remove(Handle handle) { return objects_.erase(reinterpret_cast<uintptr_t>(handle)) != 0; }
  template <class Condition>
  void remove_if(const Condition& condition) {
    std::erase_if(objects_, [&](const auto& entry) { return condition(*entry.second); });
  }

 private:
  static constexpr uintptr_t kStep = 16;

  uintptr_t next_;
  std::unordered_map<uintptr_t, std::shared_ptr<T>> objects_;
};

}  // namespace jitc::emulator::driver
