#include "runtime/cuda/device_memory.hpp"

#include "runtime/common/size_text.hpp"

namespace jitc::runtime::cuda {

namespace {

struct DeviceBytes {
  size_t free = 0, total = 0;
};

DeviceBytes device_bytes(DeviceState& device) {
  DeviceBytes bytes;
  const Driver& driver = device.driver();
  device.context.check(driver.cuMemGetInfo, driver.cuMemGetInfo(&bytes.free, &bytes.total),
                       "asking how much memory is free");
  return bytes;
}

void wait_for_all(DeviceState& device) {
  const Driver& driver = device.driver();
  device.context.check(driver.cuCtxSynchronize, driver.cuCtxSynchronize(), "waiting for the device");
}

/// "1.2 GiB in use by arrays, 4.0 GiB reserved, of which …"; never throws for what the driver says meanwhile.
std::string explain(DeviceState& device, const Counters& counters) {
  try {
    const PoolState pool = device.pool->state();
    const DeviceBytes bytes = device_bytes(device);
    return fmt::format(
        "{} in use by arrays, {} reserved of which {} unused, in blocks of at most {}, {} of {} free on the device",
        size_text(counters.live_bytes), size_text(pool.reserved), size_text(pool.unused),
        size_text(pool.largest_unused), size_text(bytes.free), size_text(bytes.total));
  } catch (const Error& error) { return fmt::format("and {}", error.what()); }
}

}  // namespace

std::byte* allocate(DeviceState& device, size_t size_bytes, CudaQueue& queue, const Counters& counters) {
  const ContextScope scope(device.context);
  PoolAttempt attempt = device.pool->allocate(size_bytes, queue);
  if (attempt.code == CUDA_ERROR_OUT_OF_MEMORY) {
    device.cleanup.flush({.may_wait = true, .also_deferred = true});
    wait_for_all(device);
    device.pool->trim();
    attempt = device.pool->allocate(size_bytes, queue);
  }
  if (attempt.code == CUDA_SUCCESS) return attempt.data;
  device.context.raise(*attempt.function, attempt.code, fmt::format("allocating {}", size_text(size_bytes)),
                       attempt.code == CUDA_ERROR_OUT_OF_MEMORY ? explain(device, counters) : "");
}

size_t trim(DeviceState& device) {
  const ContextScope scope(device.context);
  const uint64_t before = device.pool->state().reserved;
  device.cleanup.flush({.may_wait = true});
  wait_for_all(device);
  device.pool->trim();
  const uint64_t after = device.pool->state().reserved;
  return before > after ? before - after : 0;
}

MemoryState memory_state(DeviceState& device) {
  const ContextScope scope(device.context);
  const DeviceBytes bytes = device_bytes(device);
  const Cleanup::Pending pending = device.cleanup.pending();
  MemoryState out;
  out.free_bytes = bytes.free;
  out.total_bytes = bytes.total;
  out.reserved_bytes = device.pool->state().reserved;
  out.pending_frees = pending.count;
  out.pending_bytes = pending.bytes;
  return out;
}

}  // namespace jitc::runtime::cuda
