// The memory that compiled kernels work in: shared arrays, and what threads keep across a barrier.
#pragma once

#include <cstddef>

namespace jitc::runtime::cpu {

/// At least `size_bytes` bytes, aligned to 64, for the calling thread until its next call; null when there is no room.
/// The memory is kept for the thread's later calls.
std::byte* thread_scratch(size_t size_bytes) noexcept;

}  // namespace jitc::runtime::cpu
