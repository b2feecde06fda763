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

struct Timing {
  engine::LaunchReport first;
  std::vector<LaunchTime> runs;

  /// "compile 3.114 ms, kernel 0.021 ms", or the least and the median of several runs.
  std::string text() const;
};

/// Launches the kernel, or calls the function, `repeat` times from the same arguments; all of it is done on return. A
/// ufunc's results join the arguments.
Timing launch_all(Run& run, const LaunchConfig& config, unsigned repeat);

}  // namespace jitc::cli
