// Launches.
#pragma once

#include <cstddef>
#include <span>

#include "jitc/program.hpp"
#include "runtime/common/counters.hpp"
#include "runtime/cuda/cuda_kernel.hpp"

namespace jitc::runtime::cuda {

/// As Backend::launch(). A plain kernel's is one call of the driver, without allocations and locks. `counters` is for
/// the message when there is no memory for a parameter block.
void launch(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params, CudaQueue& queue,
            const Counters& counters);

}  // namespace jitc::runtime::cuda
