// The work of one stream of the CPU.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "runtime/cpu/failures.hpp"

namespace jitc::runtime::cpu {

using Work = std::function<void()>;

/// Pieces of work are known by their tickets, 1, 2, 3 …, in the order in which they were given, which is that in which
/// they are done. The lock of the Schedule guards all of it.
struct Lane {
  explicit Lane(bool blocking) : is_blocking(blocking) {}

  struct Piece {
    Work work;
    bool is_after_default = false;
    uint64_t last_default = 0;  ///< waits for the default queue's work up to this number
  };

  const bool is_blocking;  ///< ordered with the default queue
  std::deque<Piece> waiting;
  uint64_t given = 0, done = 0;
  bool is_open = true;  ///< there is a handle that may give more
  bool has_thread = false;
  const std::shared_ptr<Failures> failures = std::make_shared<Failures>();  ///< outlive the lane
  std::condition_variable wake{};  ///< the lane's thread, when it has nothing to do
  /// What a fork or the end of the process left undone. Destroyed with the lane, where its owners may take locks.
  std::deque<Piece> dropped;

  bool is_idle() const { return done == given; }
};

}  // namespace jitc::runtime::cpu
