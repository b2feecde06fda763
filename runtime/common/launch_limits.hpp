// The limits of a launch: CUDA's, on every device, so that what runs on the CPU also runs on a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "jitc/program.hpp"

namespace jitc::runtime {

/// Blocks of a grid along x, y and z. CUDA C++ Programming Guide, "Compute Capabilities", technical specifications: the
/// same from 5.0 to 9.0.
inline constexpr uint32_t kMaxGrid[3] = {2147483647, 65535, 65535};

/// What of a kernel limits its launches.
struct LaunchNeeds {
  uint32_t max_threads_per_block = 1024;  ///< launch bounds
  uint64_t static_shared_bytes = 0;
  bool cooperative = false;
};

/// Blocks of `block` threads that hold `count` of them, both at least 1; nothing when a grid has not so many along x.
std::optional<uint32_t> blocks_for(int64_t count, uint32_t block);

/// Throws Error(launch) naming the number and the limit it breaks.
void validate_launch(std::string_view kernel, const LaunchNeeds& needs, const LaunchConfig& config);

}  // namespace jitc::runtime
