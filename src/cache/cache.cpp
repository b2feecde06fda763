#include "src/cache/cache.hpp"

namespace jitc::cache {

std::shared_ptr<const std::string> Cache::get(std::string_view key, std::string_view title,
                                              const std::function<std::string()>& make, Source* source) {
  const std::shared_ptr<Slot> slot = slot_of(key);
  Source from = Source::memory;
  const std::lock_guard lock(slot->mutex);
  if (slot->value) {
    ++memory_hits_;
  } else {
    try {
      slot->value = std::make_shared<const std::string>(find_or_make(key, title, make, from));
    } catch (...) {
      forget(key, *slot);
      throw;
    }
    note_size(key, *slot);
  }
  if (source != nullptr) *source = from;
  return slot->value;
}

std::shared_ptr<Cache::Slot> Cache::slot_of(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = slots_.try_emplace(std::string(key));
  std::shared_ptr<Slot>& slot = found->second;
  if (is_new) {
    slot = std::make_shared<Slot>();
    slot->place = order_.insert(order_.begin(), &found->first);
  } else {
    order_.splice(order_.begin(), order_, slot->place);
  }
  return slot;
}

std::string Cache::find_or_make(std::string_view key, std::string_view title, const std::function<std::string()>& make,
                                Source& source) {
  source = Source::disk;
  std::optional<std::string> found = disk_.find(key);
  if (!found) {
    const DiskCache::Lock lock = disk_.lock(key);
    // Another process may have made it meanwhile.
    if (lock) found = disk_.find(key);
    if (!found) {
      source = Source::made;
      return make_and_store(key, title, make);
    }
  }
  ++disk_hits_;
  return std::move(*found);
}

std::string Cache::make_and_store(std::string_view key, std::string_view title,
                                  const std::function<std::string()>& make) {
  std::string value = make();
  ++made_;
  if (disk_.why_off().empty() && !disk_.store(key, title, value)) ++not_stored_;
  return value;
}

/// Lets go what was not used for longest. Whoever waits for one of them keeps its slot alive.
void Cache::note_size(std::string_view key, const Slot& slot) {
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(std::string(key));
  if (found == slots_.end() || found->second.get() != &slot || found->second->is_counted) return;
  found->second->is_counted = true;
  used_bytes_ += key.size() + slot.value->size();
  while (used_bytes_ > memory_bytes_ && order_.back() != &found->first) {
    const auto oldest = slots_.find(*order_.back());
    if (!oldest->second->is_counted) break;  // it is being made
    used_bytes_ -= oldest->first.size() + oldest->second->value->size();
    order_.pop_back();
    slots_.erase(oldest);
  }
}

void Cache::forget(std::string_view key, const Slot& slot) {
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(std::string(key));
  if (found == slots_.end() || found->second.get() != &slot) return;
  order_.erase(slot.place);
  slots_.erase(found);
}

Counts Cache::counts() const { return {memory_hits_, disk_hits_, made_, not_stored_}; }

}  // namespace jitc::cache
