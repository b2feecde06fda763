#include "runtime/cuda/block_pool.hpp"

#include <algorithm>
#include <bit>

#include "runtime/cuda/cuda_queue.hpp"
#include "runtime/cuda/device_address.hpp"

namespace jitc::runtime::cuda {

namespace {

constexpr size_t kSmallestBytes = 512;
// The driver's own granularity: above it there is nothing to gain from classes.
constexpr size_t kLargeUnitBytes = size_t{2} << 20;

}  // namespace

size_t BlockPool::class_bytes(size_t size_bytes) {
  const size_t size = std::max(size_bytes, kSmallestBytes);
  const size_t step = std::min(std::bit_floor(size - 1) / 4, kLargeUnitBytes);
  return (size + step - 1) / step * step;
}

BlockPool::~BlockPool() {
  const ContextScope scope(context_, std::nothrow);
  if (scope) trim();
}

PoolAttempt BlockPool::allocate(size_t size_bytes, CudaQueue& queue) {
  const Driver& driver = context_.driver();
  const size_t block_bytes = class_bytes(size_bytes);
  queue.require_usable_here();
  if (std::byte* data = pop(block_bytes, queue)) return {data, &driver.cuMemAlloc, CUDA_SUCCESS};
  CUdeviceptr data = 0;
  const CUresult code = driver.cuMemAlloc(&data, block_bytes);
  if (code == CUDA_SUCCESS) reserved_bytes_ += block_bytes;
  return {device_pointer(data), &driver.cuMemAlloc, code};
}

std::byte* BlockPool::pop(size_t block_bytes, const CudaQueue& queue) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = unused_.equal_range(block_bytes);
  auto found = std::find_if(begin, end, [&](const auto& row) { return row.second.queue_number == queue.number(); });
  if (found == end) found = std::find_if(begin, end, [&](auto& row) { return is_done(row.second); });
  if (found == end) return nullptr;
  const Unused block = found->second;
  if (block.done != nullptr) events_.give(block.done);
  unused_.erase(found);
  return block.data;
}

bool BlockPool::is_done(Unused& block) {
  if (block.done == nullptr) return true;
  const Driver& driver = context_.driver();
  return context_.note(driver.cuEventQuery, driver.cuEventQuery(block.done), "looking at an event");
}

bool BlockPool::free(std::byte* data, size_t size_bytes, CudaQueue* home) noexcept {
  Unused block{data, home == nullptr ? 0 : home->number(), nullptr};
  if (home != nullptr && !mark(block, *home)) return free_to_driver(data, class_bytes(size_bytes));
  try {
    const std::lock_guard lock(mutex_);
    unused_.emplace(class_bytes(size_bytes), block);
    return true;
  } catch (...) {
    if (block.done != nullptr) events_.give(block.done);
    return free_to_driver(data, class_bytes(size_bytes));
  }
}

/// Notes where the queue is, or waits for it. False when the driver does neither.
bool BlockPool::mark(Unused& block, CudaQueue& home) noexcept {
  const Driver& driver = context_.driver();
  block.done = events_.try_take();
  if (block.done != nullptr &&
      context_.note(driver.cuEventRecord, driver.cuEventRecord(block.done, home.raw_handle()), "marking a stream")) {
    return true;
  }
  if (block.done != nullptr) events_.give(std::exchange(block.done, nullptr));
  return context_.note(driver.cuStreamSynchronize, driver.cuStreamSynchronize(home.raw_handle()),
                       "waiting for a stream");
}

/// The driver waits for the device first.
bool BlockPool::free_to_driver(std::byte* data, size_t block_bytes) noexcept {
  const Driver& driver = context_.driver();
  const CUresult code = driver.cuMemFree(device_address(data));
  if (!context_.note(driver.cuMemFree, code, "freeing device memory")) return false;
  reserved_bytes_ -= block_bytes;
  return true;
}

void BlockPool::trim() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto row = unused_.begin(); row != unused_.end();) {
    if (!free_to_driver(row->second.data, row->first)) {
      ++row;
      continue;
    }
    if (row->second.done != nullptr) events_.give(row->second.done);
    row = unused_.erase(row);
  }
}

PoolState BlockPool::state() {
  PoolState state{reserved_bytes_};
  const std::lock_guard lock(mutex_);
  for (const auto& [size_bytes, block] : unused_) {
    state.unused += size_bytes;
    state.largest_unused = size_bytes;
  }
  return state;
}

}  // namespace jitc::runtime::cuda
