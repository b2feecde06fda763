#include "runtime/cuda/host_memory.hpp"

#include "runtime/common/error.hpp"
#include "runtime/common/size_text.hpp"
#include "runtime/cuda/device_address.hpp"

namespace jitc::runtime::cuda {

namespace {

std::byte* allocate_locked(DeviceState& device, size_t size_bytes, unsigned flags) {
  const Driver& driver = device.driver();
  void* data = nullptr;
  device.context.check(driver.cuMemHostAlloc, driver.cuMemHostAlloc(&data, size_bytes, flags),
                       "allocating {} of page-locked memory", size_text(size_bytes));
  return static_cast<std::byte*>(data);
}

std::byte* allocate_managed(DeviceState& device, size_t size_bytes, bool attach_global) {
  if (!device.facts.has_managed_memory)
    fail(ErrorCode::device, "{} ({}) has no managed memory", device.facts.name, device.facts.product);
  const Driver& driver = device.driver();
  CUdeviceptr data = 0;
  const unsigned flags = attach_global ? CU_MEM_ATTACH_GLOBAL : CU_MEM_ATTACH_HOST;
  device.context.check(driver.cuMemAllocManaged, driver.cuMemAllocManaged(&data, size_bytes, flags),
                       "allocating {} of managed memory", size_text(size_bytes));
  return device_pointer(data);
}

}  // namespace

std::byte* allocate_host(DeviceState& device, size_t size_bytes, HostMemoryKind kind,
                         const HostMemoryOptions& options) {
  const ContextScope scope(device.context);
  if (kind == HostMemoryKind::managed) return allocate_managed(device, size_bytes, options.attach_global);
  unsigned flags = 0;
  if (kind == HostMemoryKind::mapped) flags |= CU_MEMHOSTALLOC_DEVICEMAP;
  if (options.portable) flags |= CU_MEMHOSTALLOC_PORTABLE;
  if (options.write_combined) flags |= CU_MEMHOSTALLOC_WRITECOMBINED;
  return allocate_locked(device, size_bytes, flags);
}

std::byte* device_address_of(DeviceState& device, std::byte* host_data, HostMemoryKind kind) {
  if (kind == HostMemoryKind::managed) return host_data;
  const ContextScope scope(device.context);
  const Driver& driver = device.driver();
  CUdeviceptr address = 0;
  device.context.check(driver.cuMemHostGetDevicePointer, driver.cuMemHostGetDevicePointer(&address, host_data, 0),
                       "asking for the device's address of mapped memory");
  return device_pointer(address);
}

void pin(DeviceState& device, void* data, size_t size_bytes) {
  const ContextScope scope(device.context);
  const Driver& driver = device.driver();
  device.context.check(driver.cuMemHostRegister, driver.cuMemHostRegister(data, size_bytes, 0), "page-locking {}",
                       size_text(size_bytes));
}

void unpin(DeviceState& device, void* data) noexcept {
  const ContextScope scope(device.context, std::nothrow);
  const Driver& driver = device.driver();
  if (!scope || !driver.cuMemHostUnregister.available()) return;
  const auto unregister = [&] {
    return device.context.note(driver.cuMemHostUnregister, driver.cuMemHostUnregister(data), "unlocking memory");
  };
  if (!unregister()) unregister();  // what is freed by Cleanup is asked for twice as well
}

}  // namespace jitc::runtime::cuda
