// One block of a launch on its way: its threads, its memory and what it has printed.
#pragma once

#include <memory>

#include "runtime/emulator/driver/launch_memory.hpp"
#include "runtime/emulator/driver/spin_watch.hpp"
#include "runtime/emulator/exec/block.hpp"

namespace jitc::emulator::driver {

/// One host thread at a time, not always the same one.
class LaunchBlock {
 public:
  /// `index` counts the blocks of the grid, x fastest.
  LaunchBlock(const KernelLaunch& launch, uint64_t index, std::unique_ptr<LaunchMemory> memory);

  enum class State : uint8_t { turn_over, ended, fault };
  State run(uint64_t budget_steps);

  /// Whether the last turn changed memory.
  bool has_written() const { return has_written_; }
  uint64_t fingerprint() const { return block_.fingerprint(); }
  SpinWatch& watch() { return watch_; }
  /// The fault of a block that is not stuck by itself, but waits for others that do not come.
  LaunchFault waits_in_vain() const;

  uint64_t index() const { return index_; }
  LaunchFault take_fault() { return std::move(fault_); }
  std::string take_printed() { return std::move(printed_); }
  /// Null where nobody watches.
  Observer* observer() { return observer_.get(); }
  /// For the next block.
  std::unique_ptr<LaunchMemory> take_memory() { return std::move(memory_); }

 private:
  State go_on(uint64_t budget_steps);
  bool run_stopped_builtin();
  State fail(std::string_view message);

  const KernelLaunch& launch_;
  uint64_t index_;
  std::unique_ptr<LaunchMemory> memory_;
  std::unique_ptr<Observer> observer_;
  Block block_;
  std::string printed_, message_;
  LaunchFault fault_;
  SpinWatch watch_;
  bool has_written_ = false;
};

}  // namespace jitc::emulator::driver
