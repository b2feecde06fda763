// A block of threads: its warps take turns until all have ended.
#pragma once

#include <deque>
#include <span>

#include "runtime/emulator/exec/warp_scheduler.hpp"

namespace jitc::emulator {

struct Extent {
  uint32_t x = 1, y = 1, z = 1;

  uint64_t total() const { return uint64_t{x} * y * z; }
};

/// Which block of which launch.
struct BlockPlace {
  Extent grid;
  Extent block;
  Extent index = {0, 0, 0};
  uint32_t dynamic_shared_bytes = 0;
  uint32_t local_limit_bytes = 512 << 10;  ///< of each thread
  uint32_t multiprocessors = 1;            ///< what %nsmid says; blocks take them in turn
  uint64_t grid_id = 0;
};

enum class BlockState : uint8_t {
  turn_over,  ///< its steps are used up; it can go on
  ended,
  stuck,    ///< no thread can go on: waiting() says where they are
  fault,    ///< stopped_warp().fault
  builtin,  ///< stopped_scheduler() is at a call of the driver's
};

/// Threads that wait, all at one step.
struct WaitingThreads {
  uint32_t warp;
  uint32_t lanes;
  const DecodedFunction* function;
  uint32_t step;
};

/// Not copied: warps and schedulers refer to each other. Its state is data, so that a block that waits for another one
/// can be left and taken up again.
class Block {
 public:
  /// `memories` has one for each warp: local memory is a thread's own. `observer` may be null.
  Block(const LinkedProgram& program, const BlockPlace& place, std::span<Memory* const> memories,
        Observer* observer = nullptr);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Goes on where it stopped; behind a builtin once that is finished.
  BlockState run(uint64_t budget_steps);
  Warp& stopped_warp() { return warps_[current_]; }
  WarpScheduler& stopped_scheduler() { return schedulers_[current_]; }
  /// Where every living thread is.
  std::vector<WaitingThreads> waiting() const;

  uint64_t count_writes() const;
  /// Of all that its threads' next steps depend on but memory: where it comes twice while memory stays the same, the
  /// block goes round for ever.
  uint64_t fingerprint() const;

  static uint32_t count_warps(const Extent& block) {
    return static_cast<uint32_t>((block.total() + kLanes - 1) / kLanes);
  }

 private:
  bool release_barriers();
  uint32_t count_living() const;

  Observer* observer_;
  std::deque<Warp> warps_;
  Barriers barriers_;
  std::deque<WarpScheduler> schedulers_;
  size_t current_ = 0;  ///< the warp whose turn it is
};

}  // namespace jitc::emulator
