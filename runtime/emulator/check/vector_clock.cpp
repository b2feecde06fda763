#include "runtime/emulator/check/vector_clock.hpp"

#include <algorithm>

namespace jitc::emulator {

uint32_t VectorClock::of(uint32_t block, uint32_t thread) const {
  if (entries_ == nullptr) return 0;
  const auto found = std::lower_bound(entries_->begin(), entries_->end(), block,
                                      [](const Entry& entry, uint32_t wanted) { return entry.block < wanted; });
  return found == entries_->end() || found->block != block ? 0 : (*found->times)[thread];
}

/// One of both where the other has nothing later, so that it goes on being shared.
std::shared_ptr<const VectorClock::Times> VectorClock::later(const std::shared_ptr<const Times>& a,
                                                             const std::shared_ptr<const Times>& b) {
  if (a == b) return a;
  auto merged = std::make_shared<Times>(a->size());
  bool is_a = true, is_b = true;
  for (size_t i = 0; i < merged->size(); ++i) {
    (*merged)[i] = std::max((*a)[i], (*b)[i]);
    is_a &= (*merged)[i] == (*a)[i];
    is_b &= (*merged)[i] == (*b)[i];
  }
  return is_b ? b : is_a ? a : merged;
}

bool VectorClock::is_all_of(const Entries& merged, const Entries& one) {
  return std::equal(merged.begin(), merged.end(), one.begin(), one.end(),
                    [](const Entry& a, const Entry& b) { return a.times == b.times; });
}

void VectorClock::join(const VectorClock& other) {
  if (other.entries_ == nullptr || entries_ == other.entries_) return;
  if (entries_ == nullptr) {
    entries_ = other.entries_;
    return;
  }
  auto merged = std::make_shared<Entries>();
  auto mine = entries_->begin(), theirs = other.entries_->begin();
  while (mine != entries_->end() || theirs != other.entries_->end()) {
    if (theirs == other.entries_->end() || (mine != entries_->end() && mine->block < theirs->block))
      merged->push_back(*mine++);
    else if (mine == entries_->end() || theirs->block < mine->block)
      merged->push_back(*theirs++);
    else
      merged->push_back({mine->block, later((mine++)->times, (theirs++)->times)});
  }
  if (is_all_of(*merged, *other.entries_))
    entries_ = other.entries_;
  else if (!is_all_of(*merged, *entries_))
    entries_ = std::move(merged);
}

void VectorClock::raise(uint32_t block, uint32_t count_threads, std::span<const ThreadTime> times) {
  auto entries = entries_ == nullptr ? std::make_shared<Entries>() : std::make_shared<Entries>(*entries_);
  auto found = std::lower_bound(entries->begin(), entries->end(), block,
                                [](const Entry& entry, uint32_t wanted) { return entry.block < wanted; });
  const bool is_new = found == entries->end() || found->block != block;
  if (is_new) found = entries->insert(found, {block, std::make_shared<Times>(count_threads)});
  auto raised = std::make_shared<Times>(*found->times);
  for (const ThreadTime& one : times) (*raised)[one.thread] = one.time;
  found->times = std::move(raised);
  entries_ = std::move(entries);
}

}  // namespace jitc::emulator
