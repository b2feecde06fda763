#include "runtime/emulator/driver/device_memory.hpp"

#include <new>

#include "runtime/emulator/driver/pools.hpp"

namespace jitc::emulator::driver {
namespace {

bool is_plain(MemoryKind kind) {
  return kind != MemoryKind::pooled && kind != MemoryKind::pinned && kind != MemoryKind::registered;
}

/// Variables of modules are zero at first. What the host stores into memory that it shares nobody sees.
bool begins_undefined(MemoryKind kind) { return kind == MemoryKind::device || kind == MemoryKind::pooled; }

bool take(Context& context, MemoryKind kind, uint64_t size_bytes, Pool* pool) {
  const uint64_t left = free_bytes(pool == nullptr ? context : *find_context(pool->device));
  if (pool != nullptr) return take(*pool, size_bytes, left);
  if (!is_plain(kind)) return true;
  if (size_bytes > left) return false;
  context.plain_bytes += size_bytes;
  return true;
}

void give_back(Context& context, MemoryKind kind, uint64_t size_bytes, Pool* pool) {
  if (pool != nullptr) give_back(*pool, size_bytes);
  if (is_plain(kind)) context.plain_bytes -= size_bytes;
}

}  // namespace

uint64_t free_bytes(const Context& context) {
  const uint64_t taken = context.plain_bytes + reserved_bytes(context.device.ordinal);
  return context.device.memory_bytes - taken;
}

AllocationPtr allocate(Context& context, MemoryKind kind, uint64_t size_bytes, const std::shared_ptr<Pool>& pool) {
  if (!take(context, kind, size_bytes, pool.get())) return nullptr;
  AllocationOwner owner = {kind, pool == nullptr ? context.device.ordinal : pool->device};
  owner.is_read_only = kind == MemoryKind::module_constant;
  owner.context = &context;
  owner.pool = pool;
  try {
    AllocationPtr made = state().memory.allocate(size_bytes, owner);
    if (state().settings.checks.init && begins_undefined(kind))
      made->undefined = std::make_unique<UndefinedBits>(size_bytes);
    return made;
  } catch (const std::bad_alloc&) {
    give_back(context, kind, size_bytes, pool.get());
    return nullptr;
  }
}

void release(const AllocationPtr& allocation) {
  if (allocation->is_freed) return;
  const AllocationOwner& owner = allocation->owner;
  const auto pool = std::static_pointer_cast<Pool>(owner.pool);
  give_back(*find_context(owner.device), owner.kind, allocation->size_bytes, pool.get());
  state().memory.release(allocation);
}

}  // namespace jitc::emulator::driver
