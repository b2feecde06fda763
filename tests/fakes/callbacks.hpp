// Functions of the test that run as part of a stream's work.
#pragma once

#include <functional>

namespace jitc::tests::fake {

/// Runs the function on a thread of its own, as the driver does, without the lock, and waits for it. Calls of the
/// driver inside fail with CUDA_ERROR_NOT_PERMITTED and are a misuse.
void call_back(const std::function<void()>& function);

/// The same on the calling thread: what stands for a kernel.
void run_kernel(const std::function<void()>& function);

/// Is this thread inside such a function?
bool is_inside_callback();

}  // namespace jitc::tests::fake
