#include "runtime/cpu/scratch.hpp"

#include <memory>
#include <new>

namespace jitc::runtime::cpu {

namespace {

constexpr std::align_val_t kAlignment{64};
// What a thread keeps between launches: most kernels need far less.
constexpr size_t kKeptBytes = size_t{4} << 20;

struct Free {
  void operator()(std::byte* data) const noexcept { ::operator delete(data, kAlignment); }
};

struct Scratch {
  std::unique_ptr<std::byte, Free> data;
  size_t size_bytes = 0;
};

}  // namespace

std::byte* thread_scratch(size_t size_bytes) noexcept {
  thread_local Scratch scratch;
  const bool too_small = scratch.size_bytes < size_bytes;
  const bool too_large = scratch.size_bytes > kKeptBytes && size_bytes <= kKeptBytes;
  if (too_small || too_large) {
    scratch.data.reset();
    scratch.data.reset(static_cast<std::byte*>(::operator new(size_bytes, kAlignment, std::nothrow)));
    scratch.size_bytes = scratch.data ? size_bytes : 0;
  }
  return scratch.data.get();
}

}  // namespace jitc::runtime::cpu
