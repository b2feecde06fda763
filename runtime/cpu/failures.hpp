// What went wrong in the work of one queue, kept until someone is told.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace jitc::runtime::cpu {

/// What went wrong in one piece of work.
struct Failure {
  uint64_t ticket = 0;  ///< of the piece, in its queue
  uint64_t number = 0;  ///< counts the failures of all queues
  std::exception_ptr error;
};

/// In the order of their tickets. Not safe from several threads; the lock that guards it is not to be held where errors
/// are destroyed, as they may own arrays.
class Failures {
 public:
  bool is_empty() const { return count_ == 0; }

  /// Takes no memory. When there are too many the newest takes the place of the one before it, whose error is returned.
  std::exception_ptr add(Failure failure) noexcept {
    count_ = std::min(count_ + 1, kMost);
    std::swap(kept_[count_ - 1], failure);
    return std::move(failure.error);
  }

  /// Moves those up to `last_ticket` to the end of `out`.
  void take(uint64_t last_ticket, std::vector<Failure>& out) {
    const auto begin = kept_.begin(), end = begin + static_cast<ptrdiff_t>(count_);
    const auto later = std::find_if(begin, end, [&](const Failure& failure) { return failure.ticket > last_ticket; });
    if (later == begin) return;
    out.reserve(out.size() + static_cast<size_t>(later - begin));
    out.insert(out.end(), std::make_move_iterator(begin), std::make_move_iterator(later));
    std::move(later, end, begin);
    count_ = static_cast<size_t>(end - later);
  }

 private:
  // For events that stand between failures; who waits for all of a queue is told the first only.
  static constexpr size_t kMost = 64;

  std::array<Failure, kMost> kept_{};
  size_t count_ = 0;
};

}  // namespace jitc::runtime::cpu
