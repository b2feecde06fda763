// The books on memory: what is allocated, registered, pooled, and how much of a device is left.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tests/fakes/objects.hpp"

namespace jitc::tests::fake {

/// Guarded by the lock of the State that it is part of.
class Memory {
 public:
  Memory() = default;
  ~Memory();
  Memory& operator=(Memory&&) noexcept;

  /// Memory of the kind, of `pool` when pooled, filled with a pattern. CUDA_ERROR_OUT_OF_MEMORY where the device is
  /// full.
  CUresult allocate(MemoryKind kind, size_t size_bytes, CUcontext context, CUmemoryPool pool, AllocationPtr& out);
  /// Makes memory of the test's known; false when some of it is already.
  bool register_range(void* data, size_t size_bytes, CUcontext context);
  void release(const AllocationPtr& allocation);
  void release_all_of(CUcontext context);

  /// The live allocation that holds the address, or null.
  AllocationPtr containing(uintptr_t address) const;
  /// The live allocation that begins there, or null.
  AllocationPtr beginning(uintptr_t address) const;
  /// Was device memory, and was freed not too long ago.
  bool was_freed(uintptr_t address) const;

  size_t free_bytes(int device) const;
  /// Gives back what the pool keeps beyond `keep_bytes`.
  static void trim(CUmemoryPool pool, uint64_t keep_bytes);
  /// What every synchronisation does.
  void trim_to_thresholds();

  std::vector<AllocationPtr> all() const;

 private:
  void retire(uintptr_t base, size_t size_bytes);

  std::map<uintptr_t, AllocationPtr> live_;  // by base
  std::map<uintptr_t, size_t> freed_;        // bytes by base; the host's allocator does not have them back yet
  std::deque<uintptr_t> freed_in_order_;     // the same, oldest first
  size_t freed_bytes_ = 0;
  std::map<int, size_t> plain_bytes_;  // by device: not pooled
};

/// May the host touch it?
bool is_host_memory(const Allocation& allocation);

}  // namespace jitc::tests::fake
