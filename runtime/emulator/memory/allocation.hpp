// A range of addresses that means memory, or did.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/emulator/memory/host_bytes.hpp"
#include "runtime/emulator/memory/undefined_bits.hpp"

namespace jitc::emulator {

enum class MemoryKind : uint8_t { device, pooled, module_global, module_constant, managed, pinned, registered };

/// At the host's own addresses, for host and every device.
constexpr bool is_host_memory(MemoryKind kind) {
  return kind == MemoryKind::managed || kind == MemoryKind::pinned || kind == MemoryKind::registered;
}

/// Who has it and what it is for; only `kind` and `device` mean something to this folder.
struct AllocationOwner {
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  bool is_read_only = false;  ///< for kernels
  const void* context = nullptr;
  std::shared_ptr<void> pool;
};

struct Allocation {
  uint64_t base = 0;
  uint64_t size_bytes = 0;
  AllocationOwner owner;
  std::byte* bytes = nullptr;  ///< null once it is freed and only its name is kept
  HostBytes storage;           ///< null for registered memory, which is the caller's
  std::atomic<bool> is_freed = false;
  std::unique_ptr<UndefinedBits> undefined;  ///< null where all counts as written, or nobody asks

  /// No wrap-around: an address below gives a large number.
  uint64_t offset_of(uint64_t address) const { return address - base; }
  bool contains(uint64_t address) const { return offset_of(address) < size_bytes; }
  bool contains(uint64_t address, uint64_t length_bytes) const {
    return contains(address) && length_bytes <= size_bytes - offset_of(address);
  }
};
using AllocationPtr = std::shared_ptr<Allocation>;

}  // namespace jitc::emulator
