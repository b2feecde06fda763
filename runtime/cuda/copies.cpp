#include "runtime/cuda/copies.hpp"

#include "runtime/common/strided_copy.hpp"
#include "runtime/cuda/device_address.hpp"
#include "runtime/cuda/direct_copy.hpp"
#include "runtime/cuda/staged_copy.hpp"

namespace jitc::runtime::cuda {

namespace {

// About what one copy through host memory costs in calls of the driver.
constexpr uint64_t kManyCalls = 32;
constexpr uint64_t kManyCallsWithin = 1024;  // within a device the other way costs two

bool is_better_staged(const DeviceState& device, const StridedCopy& copy, const CollapsedCopy& collapsed) {
  if (collapsed.axes.empty()) return false;
  if (!is_direct(collapsed)) return true;
  const uint64_t calls = direct_calls(device, collapsed);
  if (copy.direction == StridedCopy::Direction::within_device) return calls > kManyCallsWithin;
  return calls > kManyCalls && calls > staged_calls(device, copy);
}

}  // namespace

void run_copy(DeviceState& device, CudaQueue& queue, const StridedCopy& copy) {
  const ContextScope scope(device.context);
  const CollapsedCopy collapsed = collapse(copy);
  if (is_better_staged(device, copy, collapsed)) {
    copy_staged(device, queue, copy);
  } else {
    copy_direct(device, queue, copy.direction, collapsed);
  }
  if (!queue.is_default() || copy.direction != StridedCopy::Direction::within_device) return;
  const Driver& driver = device.driver();
  device.context.check(driver.cuStreamSynchronize, driver.cuStreamSynchronize(queue.handle()), "waiting for a copy");
}

void fill_zero(DeviceState& device, CudaQueue& queue, std::byte* dst, size_t size_bytes) {
  const ContextScope scope(device.context);
  const Driver& driver = device.driver();
  device.context.check(driver.cuMemsetD8Async,
                       driver.cuMemsetD8Async(device_address(dst), 0, size_bytes, queue.handle()),
                       "setting {} bytes to zero", size_bytes);
}

}  // namespace jitc::runtime::cuda
