// What lies where, at one moment: the memory that a launch sees. Read by many threads without a lock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/emulator/memory/allocation.hpp"

namespace jitc::emulator {

/// An access of a kernel to global or constant memory.
struct AddressQuery {
  uint64_t address = 0;
  uint32_t size_bytes = 0;
  uint32_t align_bytes = 1;  ///< a power of two
  bool is_write = false;
};

enum class AddressProblem : uint8_t { none, outside, crosses_end, misaligned, freed, read_only, other_device };

struct AddressAnswer {
  std::byte* bytes = nullptr;  ///< null where there is a problem
  AddressProblem problem = AddressProblem::none;
  const Allocation* nearest = nullptr;  ///< holds the address, or is the next below or above it
};

/// Immutable but for the flags of what is freed meanwhile. Keeps the bytes alive.
class AddressMap {
 public:
  /// `allocations` by rising address, without overlap.
  AddressMap(std::vector<AllocationPtr> allocations, int device)
      : allocations_(std::move(allocations)), device_(device) {}

  AddressAnswer find(const AddressQuery& query) const;
  /// One sentence about an answer with a problem: "16 bytes at 0x…: 4 bytes behind the end of …".
  std::string explain(const AddressQuery& query) const;

 private:
  friend class AddressReader;
  /// The one that holds the address; else the next below, else the next above, else null.
  const Allocation* nearest(uint64_t address) const;

  std::vector<AllocationPtr> allocations_;
  int device_;
};

/// One thread's way into the map: it remembers the last allocation, which is mostly the next one too.
class AddressReader {
 public:
  explicit AddressReader(const AddressMap& map) : map_(&map) {}

  /// The bytes, or null: AddressMap::explain() says why. Alignment is not looked at.
  std::byte* find(uint64_t address, uint32_t size_bytes, bool is_write) {
    const Allocation* last = last_;
    if (last != nullptr && last->contains(address, size_bytes) && !last->is_freed.load(std::memory_order_relaxed) &&
        !(is_write && last->owner.is_read_only))
      return last->bytes + last->offset_of(address);
    const AddressAnswer answer = map_->find({address, size_bytes, 1, is_write});
    if (answer.bytes != nullptr) last_ = answer.nearest;
    return answer.bytes;
  }

  /// The live allocation that holds all of it, or null.
  const Allocation* holder(uint64_t address, uint32_t size_bytes) {
    return find(address, size_bytes, false) == nullptr ? nullptr : last_;
  }

 private:
  const AddressMap* map_;
  const Allocation* last_ = nullptr;
};

}  // namespace jitc::emulator
