// The barriers of a block: who has arrived, and whom they let go.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// Threads of a warp that arrive together.
struct Arrival {
  uint32_t barrier;
  uint32_t warp;
  uint32_t lanes;
  uint32_t predicates;     ///< those of `lanes` whose predicate holds
  uint32_t count_threads;  ///< how many the barrier is for; 0 for all that live
  bool waits;              ///< sync and red; not arrive
};

/// Those that a barrier lets go, and what a reduction over all who came gives.
struct Release {
  struct Threads {
    uint32_t warp;
    uint32_t lanes;
  };
  uint32_t barrier = 0;
  std::vector<Threads> waiting;
  uint32_t count_predicates = 0;
  uint32_t count_arrived = 0;
};

class Barriers {
 public:
  /// The numbered ones and the cluster's.
  static constexpr uint32_t kCount = kClusterBarrier + 1;

  void arrive(const Arrival& arrival);
  /// A barrier that is complete, now that `count_living` threads of the block have not ended; it begins anew. False
  /// where there is none.
  bool take_complete(uint32_t count_living, Release& release);

 private:
  struct Barrier {
    std::vector<Release::Threads> waiting;
    uint32_t count_arrived = 0;
    uint32_t count_predicates = 0;
    uint32_t count_expected = 0;
  };

  std::array<Barrier, kCount> barriers_;
};

}  // namespace jitc::emulator
