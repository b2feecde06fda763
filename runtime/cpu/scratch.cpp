#include "runtime/cpu/scratch.hpp"

#include <new>

namespace jitc::runtime::cpu {

namespace {

constexpr std::align_val_t kAlignment{64};
// What a thread keeps between launches: most kernels need far less.
constexpr size_t kKeptBytes = size_t{4} << 20;

/// Without a destructor: destructors of static and thread-local objects may launch kernels after the ScratchEnd. What
/// they need then is not freed.
struct Scratch {
  std::byte* data = nullptr;
  size_t size_bytes = 0;

  void resize(size_t new_size_bytes) noexcept {
    ::operator delete(data, kAlignment);
    data = nullptr;
    if (new_size_bytes != 0) data = static_cast<std::byte*>(::operator new(new_size_bytes, kAlignment, std::nothrow));
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
