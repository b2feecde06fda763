#include "runtime/cuda/driver_pool.hpp"

#include "runtime/cuda/cuda_queue.hpp"
#include "runtime/cuda/device_address.hpp"

namespace jitc::runtime::cuda {

std::unique_ptr<DriverPool> DriverPool::make(Context& context, const DeviceFacts& facts) {
  const Driver& driver = context.driver();
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, facts.device};
  CUmemoryPool handle = nullptr;
  const CUresult code = driver.cuMemPoolCreate(&handle, &properties);
  if (!context.note(driver.cuMemPoolCreate, code, "making a memory pool")) return nullptr;
  std::unique_ptr<DriverPool> pool(new DriverPool(context, handle));
  return pool->keep_all() ? std::move(pool) : nullptr;
}

/// Without it, each synchronisation would give the unused memory back, to be asked for again.
bool DriverPool::keep_all() {
  const Driver& driver = context_.driver();
  uint64_t threshold_bytes = UINT64_MAX;
  const CUresult code = driver.cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold_bytes);
  return context_.note(driver.cuMemPoolSetAttribute, code, "setting up a memory pool");
}

DriverPool::~DriverPool() {
  const ContextScope scope(context_, std::nothrow);
  if (!scope) return;
  const Driver& driver = context_.driver();
  context_.note(driver.cuMemPoolDestroy, driver.cuMemPoolDestroy(pool_), "freeing a memory pool");
}

PoolAttempt DriverPool::allocate(size_t size_bytes, CudaQueue& queue) {
  const Driver& driver = context_.driver();
  CUdeviceptr data = 0;
  const CUresult code = driver.cuMemAllocFromPoolAsync(&data, size_bytes, pool_, queue.handle());
  return {device_pointer(data), &driver.cuMemAllocFromPoolAsync, code};
}

bool DriverPool::free(std::byte* data, size_t, CudaQueue* home) noexcept {
  const Driver& driver = context_.driver();
  CUstream stream = home == nullptr ? nullptr : home->raw_handle();
  return context_.note(driver.cuMemFreeAsync, driver.cuMemFreeAsync(device_address(data), stream),
                       "freeing device memory");
}

void DriverPool::trim() noexcept {
  const Driver& driver = context_.driver();
  context_.note(driver.cuMemPoolTrimTo, driver.cuMemPoolTrimTo(pool_, 0), "giving memory back");
}

PoolState DriverPool::state() {
  const uint64_t reserved = ask(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  const uint64_t used = ask(CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
  const uint64_t unused = reserved > used ? reserved - used : 0;
  return {reserved, unused, unused};
}

uint64_t DriverPool::ask(CUmemPool_attribute attribute) {
  const Driver& driver = context_.driver();
  uint64_t value = 0;
  context_.check(driver.cuMemPoolGetAttribute, driver.cuMemPoolGetAttribute(pool_, attribute, &value),
                 "asking about a memory pool");
  return value;
}

}  // namespace jitc::runtime::cuda
