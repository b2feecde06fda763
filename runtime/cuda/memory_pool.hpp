// Device memory that is taken and given in the order of queues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/cuda/context.hpp"
#include "runtime/cuda/device_facts.hpp"
#include "runtime/cuda/event_pool.hpp"

namespace jitc::runtime::cuda {

class CudaQueue;

/// Sizes in bytes. `largest` is an upper bound where the driver does not say.
struct PoolState {
  uint64_t reserved = 0, unused = 0, largest_unused = 0;
};

/// The call that an allocation ended with.
struct PoolAttempt {
  std::byte* data = nullptr;
  const AnyDriverFunction* function = nullptr;
  CUresult code = CUDA_SUCCESS;
};

/// Memory of one device. The context is current in all calls; safe from several threads.
class MemoryPool {
 public:
  virtual ~MemoryPool() = default;

  /// Memory for work that `queue` is given from now on.
  virtual PoolAttempt allocate(size_t size_bytes, CudaQueue& queue) = 0;
  /// Takes it back behind the work that `home` has, or at once when that is null. False when the driver refuses; the
  /// memory is as before then.
  virtual bool free(std::byte* data, size_t size_bytes, CudaQueue* home) noexcept = 0;
  /// Gives unused memory back to the driver. Nothing works with it.
  virtual void trim() noexcept = 0;
  virtual PoolState state() = 0;
};

/// The driver's pool where the device has one, else ours.
std::unique_ptr<MemoryPool> make_memory_pool(Context& context, const DeviceFacts& facts, EventPool& events);

}  // namespace jitc::runtime::cuda
