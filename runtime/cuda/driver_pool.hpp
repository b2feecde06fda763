// Memory from a pool that the driver keeps: cuMemAllocFromPoolAsync.
#pragma once

#include "runtime/cuda/memory_pool.hpp"

namespace jitc::runtime::cuda {

/// A pool of jitc's own, so that its thresholds are no one else's, which keeps what is freed until trim().
class DriverPool final : public MemoryPool {
 public:
  /// Null when the driver makes none.
  static std::unique_ptr<DriverPool> make(Context& context, const DeviceFacts& facts);
  ~DriverPool() override;

  PoolAttempt allocate(size_t size_bytes, CudaQueue& queue) override;
  bool free(std::byte* data, size_t size_bytes, CudaQueue* home) noexcept override;
  void trim() noexcept override;
  PoolState state() override;

 private:
  DriverPool(Context& context, CUmemoryPool pool) : context_(context), pool_(pool) {}
  bool keep_all();
  uint64_t ask(CUmemPool_attribute attribute);

  Context& context_;
  CUmemoryPool pool_;
};

}  // namespace jitc::runtime::cuda
