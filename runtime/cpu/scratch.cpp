#include "runtime/cpu/scratch.hpp"

#include "runtime/cpu/host_memory.hpp"

namespace jitc::runtime::cpu {

namespace {

// What a thread keeps between launches: most kernels need far less.
constexpr size_t kKeptBytes = size_t{4} << 20;

/// Without a destructor: destructors of static and thread-local objects may launch kernels after the ScratchEnd. What
/// they need then is not freed.
struct Scratch {
  std::byte* data = nullptr;
  size_t size_bytes = 0;

  void resize(size_t new_size_bytes) noexcept {
    free_host_memory(data);
    data = new_size_bytes != 0 ? allocate_host_memory(new_size_bytes) : nullptr;
    size_bytes = data != nullptr ? new_size_bytes : 0;
  }
};
thread_local Scratch scratch;

/// Frees a thread's memory when the thread ends.
struct ScratchEnd {
  ScratchEnd() = default;
  ~ScratchEnd() { scratch.resize(0); }
  ScratchEnd(const ScratchEnd&) = delete;
  ScratchEnd& operator=(const ScratchEnd&) = delete;
};

}  // namespace

std::byte* thread_scratch(size_t size_bytes) noexcept {
  thread_local const ScratchEnd end;
  static_cast<void>(end);
  const bool too_small = scratch.size_bytes < size_bytes;
  const bool too_large = scratch.size_bytes > kKeptBytes && size_bytes <= kKeptBytes;
  if (too_small || too_large) scratch.resize(size_bytes);
  return scratch.data;
}

}  // namespace jitc::runtime::cpu
