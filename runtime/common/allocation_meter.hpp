// How much device memory one stretch of work takes, however many others use the device.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace jitc::runtime {

/// Bytes of the arrays that were allocated while its scope was there, those freed later among them.
class AllocationMeter {
 public:
  void add_allocation(uint64_t size_bytes);
  void add_free(uint64_t size_bytes) { live_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed); }

  uint64_t allocations() const { return allocations_.load(std::memory_order_relaxed); }
  /// The most that was allocated at once, in the order in which the host allocated and freed.
  uint64_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> allocations_{0}, live_bytes_{0}, peak_bytes_{0};
};

/// While it lives, what its thread allocates on any device is metered. They nest: the innermost counts.
class MeterScope {
 public:
  MeterScope();
  ~MeterScope();
  MeterScope(const MeterScope&) = delete;
  MeterScope& operator=(const MeterScope&) = delete;

  const AllocationMeter& meter() const { return *meter_; }

  /// Of the thread's innermost scope; null without one. Buffers keep it, to tell it when they go.
  static const std::shared_ptr<AllocationMeter>& current();

 private:
  std::shared_ptr<AllocationMeter> meter_;
  std::shared_ptr<AllocationMeter> outer_;
};

}  // namespace jitc::runtime
