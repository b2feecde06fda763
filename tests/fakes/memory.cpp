#include "tests/fakes/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

constexpr size_t kAlignBytes = 256;                // as the driver promises at least
constexpr size_t kPatternBytes = size_t{1} << 20;  // what of an allocation is filled, to stay cheap
constexpr int kPattern = 0xA5;
constexpr size_t kFreedBytes = size_t{256} << 20;  // kept from the host's allocator

bool counts_for_device(MemoryKind kind) { return kind == MemoryKind::device || kind == MemoryKind::managed; }

bool grow(CUmemoryPool pool, size_t size_bytes, size_t free_bytes) {
  const uint64_t used = pool->used_bytes + size_bytes;
  if (used > pool->reserved_bytes && used - pool->reserved_bytes > free_bytes) return false;
  pool->used_bytes = used;
  pool->reserved_bytes = std::max(pool->reserved_bytes, used);
  pool->used_high_bytes = std::max(pool->used_high_bytes, used);
  pool->reserved_high_bytes = std::max(pool->reserved_high_bytes, pool->reserved_bytes);
  return true;
}

}  // namespace

bool is_host_memory(const Allocation& allocation) {
  return allocation.kind == MemoryKind::managed || allocation.kind == MemoryKind::pinned ||
         allocation.kind == MemoryKind::registered;
}

Memory::~Memory() {
  for (const auto& [base, allocation] : live_) {
    if (allocation->kind != MemoryKind::registered) std::free(reinterpret_cast<void*>(base));  // NOLINT
  }
  for (const uintptr_t base : freed_in_order_) std::free(reinterpret_cast<void*>(base));  // NOLINT
}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(live_, other.live_);
  std::swap(freed_, other.freed_);
  std::swap(freed_in_order_, other.freed_in_order_);
  std::swap(freed_bytes_, other.freed_bytes_);
  std::swap(plain_bytes_, other.plain_bytes_);
  return *this;
}

CUresult Memory::allocate(MemoryKind kind, size_t size_bytes, CUcontext context, CUmemoryPool pool,
                          AllocationPtr& out) {
  const int device = pool == nullptr ? context->device : pool->device;
  if (counts_for_device(kind) && size_bytes > free_bytes(device)) return CUDA_ERROR_OUT_OF_MEMORY;
  if (pool != nullptr && !grow(pool, size_bytes, free_bytes(device))) return CUDA_ERROR_OUT_OF_MEMORY;
  void* data = nullptr;
  if (posix_memalign(&data, kAlignBytes, size_bytes) != 0) return CUDA_ERROR_OUT_OF_MEMORY;
  std::memset(data, kPattern, std::min(size_bytes, kPatternBytes));
  out = std::make_shared<Allocation>();
  out->base = reinterpret_cast<uintptr_t>(data);
  out->size_bytes = size_bytes;
  out->kind = kind;
  out->context = context;
  out->pool = pool;
  if (counts_for_device(kind)) plain_bytes_[device] += size_bytes;
  live_[out->base] = out;
  return CUDA_SUCCESS;
}

bool Memory::register_range(void* data, size_t size_bytes, CUcontext context) {
  const auto base = reinterpret_cast<uintptr_t>(data);
  const auto next = live_.lower_bound(base);
  if (containing(base) != nullptr || (next != live_.end() && next->first < base + size_bytes)) return false;
  auto allocation = std::make_shared<Allocation>();
  allocation->base = base;
  allocation->size_bytes = size_bytes;
  allocation->kind = MemoryKind::registered;
  allocation->context = context;
  live_[base] = allocation;
  return true;
}

void Memory::release(const AllocationPtr& allocation) {
  allocation->is_freed = true;
  live_.erase(allocation->base);
  if (counts_for_device(allocation->kind)) plain_bytes_[allocation->context->device] -= allocation->size_bytes;
  if (CUmemoryPool pool = allocation->pool; pool != nullptr) {
    pool->used_bytes -= allocation->size_bytes;
    if (!world().pools.holds(pool)) trim(pool, 0);
  }
  if (allocation->kind == MemoryKind::registered) return;
  if (allocation->kind != MemoryKind::pinned) return retire(allocation->base, allocation->size_bytes);
  std::free(reinterpret_cast<void*>(allocation->base));  // NOLINT
}

/// Freed memory does not become memory of the host soon: a use of its address is one of what was freed.
void Memory::retire(uintptr_t base, size_t size_bytes) {
  freed_[base] = size_bytes;
  freed_in_order_.push_back(base);
  freed_bytes_ += size_bytes;
  while (freed_bytes_ > kFreedBytes) {
    const uintptr_t oldest = freed_in_order_.front();
    freed_in_order_.pop_front();
    freed_bytes_ -= freed_.at(oldest);
    freed_.erase(oldest);
    std::free(reinterpret_cast<void*>(oldest));  // NOLINT
  }
}

void Memory::release_all_of(CUcontext context) {
  for (const AllocationPtr& allocation : all()) {
    if (allocation->context == context) release(allocation);
  }
}

AllocationPtr Memory::containing(uintptr_t address) const {
  const auto next = live_.upper_bound(address);
  if (next == live_.begin()) return nullptr;
  const AllocationPtr& allocation = std::prev(next)->second;
  return address - allocation->base < allocation->size_bytes ? allocation : nullptr;
}

AllocationPtr Memory::beginning(uintptr_t address) const {
  const auto found = live_.find(address);
  return found == live_.end() ? nullptr : found->second;
}

bool Memory::was_freed(uintptr_t address) const {
  const auto next = freed_.upper_bound(address);
  return next != freed_.begin() && address - std::prev(next)->first < std::prev(next)->second;
}

size_t Memory::free_bytes(int device) const {
  const auto plain = plain_bytes_.find(device);
  size_t taken = plain == plain_bytes_.end() ? 0 : plain->second;
  for (const auto& pool : world().pools.all()) {
    if (pool->device == device) taken += pool->reserved_bytes;
  }
  return world().pose.devices[static_cast<size_t>(device)].memory_bytes - taken;
}

void Memory::trim(CUmemoryPool pool, uint64_t keep_bytes) {
  pool->reserved_bytes = std::max(pool->used_bytes, std::min(pool->reserved_bytes, keep_bytes));
}

void Memory::trim_to_thresholds() {
  for (const auto& pool : world().pools.all()) trim(pool.get(), pool->threshold_bytes);
}

std::vector<AllocationPtr> Memory::all() const {
  std::vector<AllocationPtr> found;
  for (const auto& [base, allocation] : live_) found.push_back(allocation);
  return found;
}

}  // namespace jitc::tests::fake
