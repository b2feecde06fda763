// The limits of a launch: CUDA's, on every device, so that what runs on the CPU also runs on a GPU.
#pragma once

#include <cstdint>
#include <string_view>

#include "jitc/program.hpp"

namespace jitc::runtime {

/// Throws Error(launch) naming the number and the limit it breaks. `max_threads_per_block` and
/// `static_shared_bytes` are the kernel's own.
void validate_launch(std::string_view kernel, uint32_t max_threads_per_block, uint64_t static_shared_bytes,
                     const LaunchConfig& config);

}  // namespace jitc::runtime
