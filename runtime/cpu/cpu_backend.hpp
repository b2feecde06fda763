// The device "cpu": host memory, and kernels as machine code over a thread pool.
#pragma once

#include <memory>

#include "runtime/common/backend.hpp"

namespace jitc::runtime::cpu {

/// A backend of its own with `thread_count` threads per launch, the caller among them.
std::shared_ptr<Backend> make_cpu_backend(unsigned thread_count);

/// The process's one CPU backend, made on first use and never destroyed. In the child of a fork it works on, with new
/// threads; what its streams had not done is the parent's, and the first synchronize() of each such stream says so.
/// When the process ends, streams finish what runs and drop what waits. Throws Error(device) for a wrong
/// JITC_CPU_THREADS.
std::shared_ptr<Backend> cpu_backend();

}  // namespace jitc::runtime::cpu
