// The limits of a launch: CUDA's, on every device, so that what runs on the CPU also runs on a GPU.
#pragma once

#include <cstdint>
#include <string_view>

#include "jitc/program.hpp"

namespace jitc::runtime {

/// What of a kernel limits its launches.
struct LaunchNeeds {
  uint32_t max_threads_per_block = 1024;  ///< launch bounds
  uint64_t static_shared_bytes = 0;
  bool cooperative = false;
};

/// Throws Error(launch) naming the number and the limit it breaks.
void validate_launch(std::string_view kernel, const LaunchNeeds& needs, const LaunchConfig& config);

}  // namespace jitc::runtime
