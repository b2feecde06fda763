// The devices "cuda:0", "cuda:1" …
#pragma once

#include <memory>

#include "runtime/common/backend.hpp"
#include "runtime/cuda/driver.hpp"

namespace jitc::runtime::cuda {

/// Retains the device's primary context. Its queues, markers and kernels may outlive it. Throws Error(device) when
/// there is no such device, jitc cannot use it, or the driver fails.
std::shared_ptr<Backend> make_cuda_backend(std::shared_ptr<const Driver> driver, int ordinal);

/// The CUcontext of such a backend.
void* native_context(const Backend& backend);

}  // namespace jitc::runtime::cuda
