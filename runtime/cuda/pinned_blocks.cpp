#include "runtime/cuda/pinned_blocks.hpp"

#include <algorithm>
#include <bit>

namespace jitc::runtime::cuda {

namespace {

// A page: the driver locks no less.
constexpr size_t kSmallestBytes = 4096;

}  // namespace

PinnedBlock& PinnedBlock::operator=(PinnedBlock&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

PinnedBlock::~PinnedBlock() {
  if (pool_ != nullptr) pool_->give(data_, size_bytes_, nullptr);
}

void PinnedBlock::release_behind(CUstream stream) noexcept {
  if (PinnedBlocks* pool = std::exchange(pool_, nullptr)) pool->give_behind(data_, size_bytes_, stream);
}

PinnedBlocks::~PinnedBlocks() {
  const ContextScope scope(context_, std::nothrow);
  if (!scope) return;
  for (const Unused& block : unused_) {
    free_host(block.data);
    if (block.done != nullptr) events_.give(block.done);
  }
}

PinnedBlock PinnedBlocks::take(size_t size_bytes) {
  const size_t rounded = std::bit_ceil(std::max(size_bytes, kSmallestBytes));
  if (std::byte* data = pop(rounded)) return {this, data, rounded};
  const Driver& driver = context_.driver();
  void* data = nullptr;
  context_.check(driver.cuMemHostAlloc, driver.cuMemHostAlloc(&data, rounded, 0),
                 "allocating {} bytes of page-locked memory", rounded);
  return {this, static_cast<std::byte*>(data), rounded};
}

std::byte* PinnedBlocks::pop(size_t size_bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(unused_.begin(), unused_.end(),
                                  [&](Unused& block) { return block.size_bytes == size_bytes && is_free(block); });
  if (found == unused_.end()) return nullptr;
  std::byte* data = found->data;
  unused_.erase(found);
  return data;
}

bool PinnedBlocks::is_free(Unused& block) {
  if (block.done == nullptr) return true;
  const Driver& driver = context_.driver();
  if (!context_.note(driver.cuEventQuery, driver.cuEventQuery(block.done), "looking at an event")) return false;
  events_.give(std::exchange(block.done, nullptr));
  return true;
}

void PinnedBlocks::give(std::byte* data, size_t size_bytes, CUevent done) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    unused_.push_back({data, size_bytes, done});
  } catch (...) {
    // Lost: there is no memory to write it down.
  }
}

void PinnedBlocks::give_behind(std::byte* data, size_t size_bytes, CUstream stream) noexcept {
  const Driver& driver = context_.driver();
  CUevent done = events_.try_take();
  const bool is_marked =
      done != nullptr && context_.note(driver.cuEventRecord, driver.cuEventRecord(done, stream), "marking a stream");
  if (!is_marked) {
    if (done != nullptr) events_.give(std::exchange(done, nullptr));
    context_.note(driver.cuStreamSynchronize, driver.cuStreamSynchronize(stream), "waiting for a stream");
  }
  give(data, size_bytes, done);
}

void PinnedBlocks::free_host(std::byte* data) noexcept {
  const Driver& driver = context_.driver();
  context_.note(driver.cuMemFreeHost, driver.cuMemFreeHost(data), "freeing page-locked memory");
}

}  // namespace jitc::runtime::cuda
