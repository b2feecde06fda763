// Values that are made when first asked for, once per key, by whoever comes first.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "src/engine/append_list.hpp"

namespace jitc::engine {

/// References to values stay valid as long as the map. A value that was made is found without a lock, in time in
/// proportion to the number of keys. While one thread makes a value, those who want the same key wait; other keys are
/// not held up. A `make` that throws leaves the key empty, and the next caller tries again.
template <class Key, class Value>
class OnceMap {
 public:
  template <class Make>
  const Value& get(const Key& key, const Make& make) {
    const Slot* made = slots_.find(
        [&](size_t, const Slot& slot) { return slot.is_made.load(std::memory_order_acquire) && slot.key == key; });
    if (made != nullptr) return *made->value;
    Slot& slot = slots_.find_or_append([&](size_t, const Slot& candidate) { return candidate.key == key; }, key);
    const std::lock_guard lock(slot.mutex);
    if (!slot.value) {
      slot.value.emplace(make());
      slot.is_made.store(true, std::memory_order_release);
    }
    return *slot.value;
  }

 private:
  struct Slot {
    explicit Slot(const Key& own_key) : key(own_key) {}
    const Key key;
    std::mutex mutex;
    std::optional<Value> value;
    std::atomic<bool> is_made{false};
  };

  AppendList<Slot> slots_;
};

}  // namespace jitc::engine
