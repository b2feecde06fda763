// The launches of `jitc run`, and how long they take on the host and on the device.
#pragma once

#include <string>
#include <vector>

#include "src/cli/run_arguments.hpp"
#include "src/engine/engine.hpp"

namespace jitc::cli {

/// One launch, in milliseconds, without what it took to compile and load the kernel.
struct LaunchTime {
  double whole_ms = 0;   ///< from the call until the work was done
  double launch_ms = 0;  ///< giving the kernel to the device, on the host; where the host is the device, running it
  double kernel_ms = 0;  ///< between the events on both sides of the kernel in its stream
};

/// Of the results of a call and what was between, on the device.
struct CallMemory {
  uint64_t peak_bytes = 0;  ///< allocated at once
  uint64_t allocations = 0;

  /// "memory: at most 4000 bytes at once, 1 allocation\n".
  std::string text() const;
};

struct Timing {
  engine::LaunchReport first;
  CallMemory memory;  ///< of the first call; a kernel allocates nothing
  std::vector<LaunchTime> runs;

  /// "compile 3.114 ms, kernel 0.021 ms", or the least and the median of several runs.
  std::string text() const;
};

/// Launches the kernel, or calls the function, `repeat` times from the same arguments; all of it is done on return. A
/// ufunc's results join the arguments.
Timing launch_all(Run& run, const LaunchConfig& config, unsigned repeat);

}  // namespace jitc::cli
