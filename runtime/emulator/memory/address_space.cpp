#include "runtime/emulator/memory/address_space.hpp"

#include <iterator>

#include "runtime/emulator/memory/address_ranges.hpp"

namespace jitc::emulator {
namespace {

constexpr uint64_t kAlignBytes = 512;
/// Between two allocations, so that a small step over an end does not land in the next one.
constexpr uint64_t kGapBytes = 4096;
constexpr size_t kMostNames = 4096;

uint64_t address_of(const std::byte* data) { return reinterpret_cast<uint64_t>(data); }

}  // namespace

/// Addresses do not come twice: 2^56 bytes last longer than any process.
uint64_t AddressSpace::next_address(MemoryKind kind, uint64_t size_bytes) {
  const bool is_global = kind == MemoryKind::module_global, is_constant = kind == MemoryKind::module_constant;
  uint64_t& end = is_global ? global_end_ : is_constant ? constant_end_ : device_end_;
  const uint64_t begin = (is_global ? kGlobalRange : is_constant ? kConstantRange : kDeviceRange).base + kAlignBytes;
  const uint64_t address = begin + end;
  end += (size_bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes + kGapBytes;
  return address;
}

AllocationPtr AddressSpace::allocate(uint64_t size_bytes, const AllocationOwner& owner) {
  auto made = std::make_shared<Allocation>();
  made->storage = make_host_bytes(size_bytes);
  made->bytes = made->storage.get();
  made->size_bytes = size_bytes;
  made->owner = owner;
  const std::lock_guard lock(mutex_);
  made->base = is_host_memory(owner.kind) ? address_of(made->bytes) : next_address(owner.kind, size_bytes);
  add(made);
  return made;
}

AllocationPtr AddressSpace::add_registered(std::byte* data, uint64_t size_bytes, const AllocationOwner& owner) {
  auto made = std::make_shared<Allocation>();
  made->bytes = data;
  made->base = address_of(data);
  made->size_bytes = size_bytes;
  made->owner = owner;
  const std::lock_guard lock(mutex_);
  const auto above = table_.upper_bound(made->base);
  if (above != table_.end() && above->first < made->base + size_bytes) return nullptr;
  if (known_at(made->base) != nullptr) return nullptr;
  add(made);
  return made;
}

void AddressSpace::add(const AllocationPtr& allocation) {
  table_[allocation->base] = allocation;
  maps_.clear();
}

void AddressSpace::release(const AllocationPtr& allocation) {
  const std::lock_guard lock(mutex_);
  if (allocation->is_freed.exchange(true)) return;
  table_.erase(allocation->base);
  maps_.clear();
  if (!is_host_memory(allocation->owner.kind)) keep_name(*allocation);
}

void AddressSpace::keep_name(const Allocation& freed) {
  auto name = std::make_shared<Allocation>();
  name->base = freed.base;
  name->size_bytes = freed.size_bytes;
  name->owner = freed.owner;
  name->owner.pool = nullptr;
  name->is_freed = true;
  table_[name->base] = name;
  freed_.push_back(name->base);
  if (freed_.size() <= kMostNames) return;
  table_.erase(freed_.front());
  freed_.pop_front();
}

AllocationPtr AddressSpace::known_at(uint64_t address) const {
  const auto above = table_.upper_bound(address);
  if (above == table_.begin()) return nullptr;
  const AllocationPtr& below = std::prev(above)->second;
  return below->contains(address) ? below : nullptr;
}

AllocationPtr AddressSpace::containing(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  AllocationPtr found = known_at(address);
  return found != nullptr && !found->is_freed ? found : nullptr;
}

AllocationPtr AddressSpace::beginning(uint64_t address) const {
  AllocationPtr found = containing(address);
  return found != nullptr && found->base == address ? found : nullptr;
}

bool AddressSpace::was_freed(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const AllocationPtr found = known_at(address);
  return found != nullptr && found->is_freed;
}

std::vector<AllocationPtr> AddressSpace::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<AllocationPtr> found;
  for (const auto& [base, one] : table_) {
    if (!one->is_freed) found.push_back(one);
  }
  return found;
}

std::shared_ptr<const AddressMap> AddressSpace::map_for(int device) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const AddressMap>& map = maps_[device];
  if (map == nullptr) {
    std::vector<AllocationPtr> all;
    all.reserve(table_.size());
    for (const auto& [base, one] : table_) all.push_back(one);
    map = std::make_shared<const AddressMap>(std::move(all), device);
  }
  return map;
}

}  // namespace jitc::emulator
