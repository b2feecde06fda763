// The door to the interpreter: all that a launch needs to run, and what it may end with.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/emulator/exec/fault.hpp"
#include "runtime/emulator/exec/linked_program.hpp"
#include "runtime/emulator/exec/observer.hpp"
#include "runtime/emulator/memory/address_map.hpp"

namespace jitc::emulator::driver {

/// Watches a whole launch by an Observer for each of its blocks.
class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  /// For the block with that number. Called by the host thread that begins it, without any lock.
  virtual std::unique_ptr<Observer> begin_block(uint64_t index) = 0;
  /// The block has ended. Calls do not overlap.
  virtual void end_block(uint64_t index, Observer& observer) = 0;
};

/// The shape was checked. All that is pointed to lives as long as the call.
struct KernelLaunch {
  const LinkedProgram* program = nullptr;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t dynamic_shared_bytes = 0;            ///< behind the program's own
  bool is_cooperative = false;                  ///< all blocks must make progress together
  std::span<const std::byte> params;            ///< the parameter block, of the entry's param_bytes
  const AddressMap* memory = nullptr;           ///< global and constant
  uint32_t stack_bytes = 0;                     ///< of each thread, beside the entry's own frame
  uint32_t multiprocessors = 1;                 ///< for %nsmid
  uint64_t grid_id = 0;                         ///< for %gridid
  uint32_t host_threads = 0;                    ///< at most so many run blocks; 0 for as many as the host has
  std::function<void(std::string_view)> print;  ///< what vprintf writes: whole calls, block by block
  LaunchObserver* observer = nullptr;           ///< null where nobody watches
};

/// The first fault of a launch. The report has kernel, line, block, thread and address.
struct LaunchFault {
  Fault fault;
  std::string report;
};

/// Runs the whole grid on the calling thread and those that it starts; returns when all of it has ended. Nothing for a
/// launch without a fault. The lock of state.hpp is not held.
std::optional<LaunchFault> execute(const KernelLaunch& launch);

}  // namespace jitc::emulator::driver
