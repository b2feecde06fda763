#include "runtime/emulator/driver/pools.hpp"

#include <algorithm>

namespace jitc::emulator::driver {
namespace {

template <class Body>
void for_pools(const Body& body) {
  std::erase_if(state().all_pools, [](const std::weak_ptr<Pool>& one) { return one.expired(); });
  for (const std::weak_ptr<Pool>& one : state().all_pools) body(*one.lock());
}

}  // namespace

uint64_t reserved_bytes(int device) {
  uint64_t sum = 0;
  for_pools([&](const Pool& pool) { sum += pool.device == device ? pool.reserved_bytes : 0; });
  return sum;
}

bool take(Pool& pool, uint64_t size_bytes, uint64_t free_bytes) {
  const uint64_t used = pool.used_bytes + size_bytes;
  if (used > pool.reserved_bytes && used - pool.reserved_bytes > free_bytes) return false;
  pool.used_bytes = used;
  pool.reserved_bytes = std::max(pool.reserved_bytes, used);
  pool.used_high_bytes = std::max(pool.used_high_bytes, used);
  pool.reserved_high_bytes = std::max(pool.reserved_high_bytes, pool.reserved_bytes);
  return true;
}

void give_back(Pool& pool, uint64_t size_bytes) { pool.used_bytes -= size_bytes; }

void trim(Pool& pool, uint64_t keep_bytes) {
  pool.reserved_bytes = std::max(pool.used_bytes, std::min(pool.reserved_bytes, keep_bytes));
}

void trim_to_thresholds() {
  for_pools([](Pool& pool) { trim(pool, pool.threshold_bytes); });
}

}  // namespace jitc::emulator::driver
