// Which accesses of which threads lie before a moment of a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace jitc::emulator {

/// A thread's clock.
struct ThreadTime {
  uint32_t thread;
  uint32_t time;
};

/// For each thread of the grid the last of its times that lies before; 0 for those that nothing is known of. Copies
/// share their parts: the threads of a block know the same after each barrier. Source: Mattern, "Virtual time and
/// global states of distributed systems", 1989.
class VectorClock {
 public:
  uint32_t of(uint32_t block, uint32_t thread) const;
  bool is_empty() const { return entries_ == nullptr; }
  bool is_same_as(const VectorClock& other) const { return entries_ == other.entries_; }

  /// The later of both for each thread.
  void join(const VectorClock& other);
  /// Sets times of threads of a block that has so many; they are later than those that it has.
  void raise(uint32_t block, uint32_t count_threads, std::span<const ThreadTime> times);

 private:
  using Times = std::vector<uint32_t>;  // by thread
  struct Entry {
    uint32_t block;
    std::shared_ptr<const Times> times;
  };
  using Entries = std::vector<Entry>;  // by rising block

  static std::shared_ptr<const Times> later(const std::shared_ptr<const Times>& a,
                                            const std::shared_ptr<const Times>& b);
  static bool is_all_of(const Entries& merged, const Entries& one);

  std::shared_ptr<const Entries> entries_;
};

}  // namespace jitc::emulator
