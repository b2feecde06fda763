// Finds accesses to shared and global memory that nothing orders.
#pragma once

#include <vector>

#include "runtime/emulator/check/access_history.hpp"
#include "runtime/emulator/check/block_clocks.hpp"
#include "runtime/emulator/check/launch_facts.hpp"
#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {

/// What the blocks of a launch have in common: who accessed global memory, and what was released there.
class LaunchRaces {
 public:
  /// `facts` outlives it.
  explicit LaunchRaces(const LaunchFacts& facts);

  AccessHistory& history(uint64_t word);
  SyncPlaces& places() { return places_; }
  const LaunchFacts& facts() const { return facts_; }

  /// A step's number among all of the program, and back.
  uint32_t number(const Frame& frame, uint32_t step) const;
  struct Place {
    const DecodedFunction* function;
    uint32_t step;
  };
  Place place(uint32_t number) const;
  /// Whether the step loads what a compare-and-swap then compares: such a loop begins with a guess, which may be old.
  /// Compilers make them of operations that the device does not have, and the CUDA C++ Programming
  /// Guide ("Atomic Functions") shows how.
  bool is_guess(uint32_t number) const { return is_guess_[number]; }
  /// Whether the step is a load that the compiler has moved to where the text has none: its line is 0 in a table of
  /// lines. Threads that would not have loaded get a value too, and drop it.
  bool is_moved(uint32_t number) const { return is_moved_[number]; }

 private:
  static constexpr uint64_t kPageWords = 1024;
  using Page = std::array<AccessHistory, kPageWords>;

  const LaunchFacts& facts_;
  std::vector<uint32_t> first_number_;     ///< of each function
  std::vector<bool> is_guess_, is_moved_;  ///< of each step
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t last_page_number_ = ~uint64_t{0};
  Page* last_page_ = nullptr;
  SyncPlaces places_;
};

/// Two accesses of the same bytes by different threads, at least one a write, not both strong, that no barrier,
/// meeting, fence or release orders: the second one is the fault. Two threads that store the same value are let pass.
class RaceCheck : public Observer {
 public:
  /// Of block number `block`. `launch` outlives it.
  RaceCheck(LaunchRaces& launch, uint32_t block);

  bool step(Warp& warp, const Group& group, const Step& step, uint32_t lanes) override;
  bool access(Warp& warp, const Group& group, const Step& step, const ObservedAccess& access) override;
  bool meet(Warp& warp, std::span<const Group* const> groups, const Step& step) override;
  bool arrive(Warp& warp, const Group& group, const Step& step, const Arrival& arrival) override;
  void release(const Release& release) override { clocks_.release(release); }
  std::string explain() const override { return message_; }

 private:
  struct Site;

  bool check_lane(const Site& site, const LaneAccess& lane);
  void order(const Site& site, const LaneAccess& lane);
  AccessHistory& history(const LaneAccess& lane, uint64_t word);
  bool stores_the_same(const Site& site, const LaneAccess& lane, const AccessRecord& old) const;
  bool report(const Site& site, const LaneAccess& lane, const AccessRecord& old);

  LaunchRaces& launch_;
  const uint32_t block_;
  BlockClocks clocks_;
  std::vector<AccessHistory> shared_;  ///< by word
  SyncPlaces shared_places_;
  std::string message_;
};

}  // namespace jitc::emulator
