// What a launch needs against what the device has.
#pragma once

#include <cstdint>

#include "jitc/program.hpp"
#include "runtime/cuda/cuda_kernel.hpp"

namespace jitc::runtime::cuda {

/// Throws Error(launch) with the numbers and what to do. Afterwards the driver knows how much shared memory is wanted.
void check_launch(const CudaKernel& kernel, const LaunchConfig& config);

/// Threads per block that keep the device busiest; at most the kernel's limit.
uint32_t best_block(const CudaKernel& kernel, uint32_t dynamic_shared_bytes);

}  // namespace jitc::runtime::cuda
