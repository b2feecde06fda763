// The books on addresses: who has which, and who had it.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/emulator/memory/address_map.hpp"

namespace jitc::emulator {

/// One for all devices, as the driver's unified addressing has it. Safe from all threads.
class AddressSpace {
 public:
  /// New memory of `size_bytes` (not 0). Throws std::bad_alloc when the host has no more.
  AllocationPtr allocate(uint64_t size_bytes, const AllocationOwner& owner);
  /// Makes memory of the caller known; null when some of it is already.
  AllocationPtr add_registered(std::byte* data, uint64_t size_bytes, const AllocationOwner& owner);
  /// Its address means nothing any more; for a while it is known that it was this. The bytes live as long as maps and
  /// others that hold the allocation.
  void release(const AllocationPtr& allocation);

  /// The live allocation that holds the address, or null.
  AllocationPtr containing(uint64_t address) const;
  /// The live allocation that begins there, or null.
  AllocationPtr beginning(uint64_t address) const;
  /// Was memory of a device, and was freed not too long ago.
  bool was_freed(uint64_t address) const;
  std::vector<AllocationPtr> live() const;

  /// What kernels of the device see now. Made anew only when something changed.
  std::shared_ptr<const AddressMap> map_for(int device);

 private:
  using Table = std::map<uint64_t, AllocationPtr>;  // by base; live ones and names of freed ones, without overlap

  uint64_t next_address(MemoryKind kind, uint64_t size_bytes);
  void add(const AllocationPtr& allocation);
  void keep_name(const Allocation& freed);
  AllocationPtr known_at(uint64_t address) const;

  mutable std::mutex mutex_;  // guards all below
  Table table_;
  std::deque<uint64_t> freed_;                                   // bases of the names, oldest first
  uint64_t device_end_ = 0, global_end_ = 0, constant_end_ = 0;  // used of their ranges
  std::map<int, std::shared_ptr<const AddressMap>> maps_;        // those that are still right
};

}  // namespace jitc::emulator
