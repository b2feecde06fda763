#include "runtime/emulator/check/access_history.hpp"

#include <algorithm>

namespace jitc::emulator {
namespace {

bool may_race(AccessKind a, AccessKind b) { return (is_write(a) || is_write(b)) && !(is_strong(a) && is_strong(b)); }

/// Whether all that races with `old` races with `made` too.
bool covers(AccessKind made, AccessKind old) {
  switch (made) {
    case AccessKind::weak_write: return true;
    case AccessKind::weak_read: return !is_write(old);
    case AccessKind::strong_write: return is_strong(old);
    default: return old == AccessKind::strong_read;
  }
}

bool is_before(const AccessRecord& old, const AccessRecord& made, const VectorClock& known) {
  return old.is_of_same_thread(made) || known.of(old.block, old.thread) >= old.time;
}

}  // namespace

bool AccessHistory::has(const AccessRecord& access) const {
  return std::any_of(records_.begin(), records_.end(), [&](const AccessRecord& old) {
    return old.is_of_same_thread(access) && old.time == access.time && old.kind == access.kind &&
           old.bytes == access.bytes;
  });
}

const AccessRecord* AccessHistory::find_race(const AccessRecord& access, const VectorClock& known,
                                             const AccessRecord* last) const {
  const auto first = last == nullptr ? records_.begin() : records_.begin() + (last - records_.data()) + 1;
  const auto found = std::find_if(first, records_.end(), [&](const AccessRecord& old) {
    return old.kind != AccessKind::none && (old.bytes & access.bytes) != 0 && may_race(old.kind, access.kind) &&
           !is_before(old, access, known);
  });
  return found == records_.end() ? nullptr : &*found;
}

void AccessHistory::add(const AccessRecord& access, const VectorClock& known) {
  AccessRecord* place = nullptr;
  for (AccessRecord& old : records_) {
    const bool is_covered = old.kind != AccessKind::none && (old.bytes & ~access.bytes) == 0 &&
                            covers(access.kind, old.kind) && is_before(old, access, known);
    if (is_covered) old = {};
    if (old.kind == AccessKind::none) place = &old;
  }
  // Any will do, as long as it is not always the same one.
  if (place == nullptr) place = &records_[(access.thread + access.time + access.block) % records_.size()];
  *place = access;
}

}  // namespace jitc::emulator
