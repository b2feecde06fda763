#include "runtime/cuda/memory_pool.hpp"

#include "runtime/cuda/block_pool.hpp"
#include "runtime/cuda/driver_pool.hpp"

namespace jitc::runtime::cuda {

std::unique_ptr<MemoryPool> make_memory_pool(Context& context, const DeviceFacts& facts, EventPool& events) {
  if (facts.has_pools) {
    if (auto pool = DriverPool::make(context, facts)) return pool;
  }
  return std::make_unique<BlockPool>(context, events);
}

}  // namespace jitc::runtime::cuda
