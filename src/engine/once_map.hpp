// Values that are made when first asked for, once per key, by whoever comes first.
#pragma once

#include <map>
#include <mutex>
#include <optional>

namespace jitc::engine {

/// References to values stay valid as long as the map. While one thread makes a value, those who want the same key
/// wait; other keys are not held up. A `make` that throws leaves the key empty, and the next caller tries again.
template <class Key, class Value>
class OnceMap {
 public:
  template <class Make>
  const Value& get(const Key& key, const Make& make) {
    Slot& slot = slot_of(key);
    const std::lock_guard lock(slot.mutex);
    if (!slot.value) slot.value.emplace(make());
    return *slot.value;
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Value> value;
  };

  Slot& slot_of(const Key& key) {
    const std::lock_guard lock(mutex_);
    return slots_[key];
  }

  std::mutex mutex_;  // held for the look-up only
  std::map<Key, Slot> slots_;
};

}  // namespace jitc::engine
