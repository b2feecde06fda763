#include "runtime/common/allocation_meter.hpp"

#include <utility>

namespace jitc::runtime {

namespace {

thread_local std::shared_ptr<AllocationMeter> t_current;

}  // namespace

void AllocationMeter::add_allocation(uint64_t size_bytes) {
  allocations_.fetch_add(1, std::memory_order_relaxed);
  const uint64_t live = live_bytes_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes;
  uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (peak < live && !peak_bytes_.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {}
}

MeterScope::MeterScope() : meter_(std::make_shared<AllocationMeter>()), outer_(std::exchange(t_current, meter_)) {}

MeterScope::~MeterScope() { t_current = std::move(outer_); }

const std::shared_ptr<AllocationMeter>& MeterScope::current() { return t_current; }

}  // namespace jitc::runtime
