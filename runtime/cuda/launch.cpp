#include "runtime/cuda/launch.hpp"

#include <cstring>
#include <vector>

#include "jitc/cpu_abi.hpp"
#include "runtime/common/failure.hpp"
#include "runtime/cuda/device_address.hpp"
#include "runtime/cuda/device_memory.hpp"

namespace jitc::runtime::cuda {

namespace {

// Records of checked launches that wait for someone to synchronize.
constexpr size_t kMostReports = 64;

void check_launched(const CudaKernel& kernel, const AnyDriverFunction& function, CUresult code) {
  kernel.device()->context.check(function, code, "launching {}", kernel.title());
}

void submit_plain(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
                  CUstream stream) {
  const Driver& driver = kernel.device()->driver();
  size_t size_bytes = params.size();
  void* extra[] = {special_pointer<void*>(kLaunchParamBuffer), const_cast<std::byte*>(params.data()),
                   special_pointer<void*>(kLaunchParamBufferSize), &size_bytes,
                   special_pointer<void*>(kLaunchParamEnd)};
  const CUresult code = driver.cuLaunchKernel(
      kernel.parts().function, config.grid.x, config.grid.y, config.grid.z, config.block.x, config.block.y,
      config.block.z, config.dynamic_shared_bytes, stream, nullptr, params.empty() ? nullptr : extra);
  if (code != CUDA_SUCCESS) [[unlikely]]
    check_launched(kernel, driver.cuLaunchKernel, code);
}

/// A cooperative launch takes no block, but the address of each parameter in it.
std::vector<void*> param_addresses(const Artifact& artifact, std::span<const std::byte> params) {
  auto* block = const_cast<std::byte*>(params.data());
  if (artifact.params_in_memory) return {block};
  std::vector<void*> addresses;
  for (const ParamSlot& slot : artifact.params) addresses.push_back(block + slot.offset_bytes);
  return addresses;
}

void submit_cooperative(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
                        CUstream stream) {
  const Driver& driver = kernel.device()->driver();
  std::vector<void*> addresses = param_addresses(*kernel.artifact(), params);
  const CUresult code = driver.cuLaunchCooperativeKernel(kernel.parts().function, config.grid.x, config.grid.y,
                                                         config.grid.z, config.block.x, config.block.y, config.block.z,
                                                         config.dynamic_shared_bytes, stream, addresses.data());
  check_launched(kernel, driver.cuLaunchCooperativeKernel, code);
}

void submit(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params, CUstream stream) {
  if (kernel.artifact()->cooperative) {
    submit_cooperative(kernel, config, params, stream);
  } else {
    submit_plain(kernel, config, params, stream);
  }
  kernel.device()->context.note_launch(kernel.title());
}

/// A parameter block in device memory, and the one parameter that remains: its address.
class BlockInMemory {
 public:
  BlockInMemory(const CudaKernel& kernel, std::span<const std::byte> params, CudaQueue& queue, const Counters& counters)
      : device_(*kernel.device()), queue_(queue), size_bytes_(params.size()) {
    PinnedBlock staging = device_.pinned.take(size_bytes_);
    std::memcpy(staging.data(), params.data(), size_bytes_);
    data_ = allocate(device_, size_bytes_, queue_, counters);
    try {
      const Driver& driver = device_.driver();
      device_.context.check(
          driver.cuMemcpyHtoDAsync,
          driver.cuMemcpyHtoDAsync(device_address(data_), staging.data(), size_bytes_, queue_.handle()),
          "copying the parameters of {}", kernel.title());
    } catch (...) {
      free();
      throw;
    }
    staging.release_behind(queue_.handle());
  }
  ~BlockInMemory() { free(); }
  BlockInMemory(const BlockInMemory&) = delete;
  BlockInMemory& operator=(const BlockInMemory&) = delete;

  std::span<const std::byte> params() const { return std::as_bytes(std::span(&data_, 1)); }

 private:
  void free() noexcept {
    if (data_ != nullptr) device_.cleanup.add(Allocation{std::exchange(data_, nullptr), size_bytes_, home(), {}});
  }
  std::shared_ptr<Queue> home() { return queue_.shared_from_this(); }

  DeviceState& device_;
  CudaQueue& queue_;
  size_t size_bytes_;
  std::byte* data_ = nullptr;
};

/// Lets no more than so many records pile up: the next to synchronize finds the failures of those looked at here.
void make_room(DeviceState& device, CudaQueue& queue) {
  WorkReports& reports = *queue.reports();
  if (reports.launch_count() < kMostReports) return;
  const uint64_t place = reports.newest_place();
  const Driver& driver = device.driver();
  device.context.check(driver.cuStreamSynchronize, driver.cuStreamSynchronize(queue.handle()), "waiting for a stream");
  reports.collect(place);
}

/// The record is cleared, filled and fetched in the queue's order.
PinnedBlock submit_checked(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
                           CudaQueue& queue) {
  DeviceState& device = *kernel.device();
  const Driver& driver = device.driver();
  const CUdeviceptr record = kernel.parts().fail_record;
  CUstream stream = queue.handle();
  PinnedBlock block = device.pinned.take(sizeof(FailRecord));
  device.context.check(driver.cuMemsetD8Async, driver.cuMemsetD8Async(record, 0, sizeof(FailRecord), stream),
                       "clearing the record of {}", kernel.title());
  submit(kernel, config, params, stream);
  const CUresult code = driver.cuMemcpyDtoHAsync(block.data(), record, sizeof(FailRecord), stream);
  device.context.check(driver.cuMemcpyDtoHAsync, code, "fetching the record of {}", kernel.title());
  return block;
}

void launch_checked(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
                    CudaQueue& queue) {
  DeviceState& device = *kernel.device();
  make_room(device, queue);
  PinnedBlock block;
  try {
    kernel.turns().take_turn(queue, [&] { block = submit_checked(kernel, config, params, queue); });
  } catch (...) {
    block.release_behind(queue.raw_handle());  // the copy into it may have been given to the queue
    throw;
  }
  if (!queue.is_default()) return queue.reports()->add_launch(std::move(block), kernel.artifact());
  try {
    const Driver& driver = device.driver();
    device.context.check(driver.cuStreamSynchronize, driver.cuStreamSynchronize(queue.handle()), "waiting for {}",
                         kernel.title());
  } catch (...) {
    block.release_behind(queue.raw_handle());
    throw;
  }
  FailRecord record;
  std::memcpy(&record, block.data(), sizeof record);
  throw_if_failed(*kernel.artifact(), record);
}

void launch_params(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
                   CudaQueue& queue) {
  if (kernel.is_checked()) return launch_checked(kernel, config, params, queue);
  if (!kernel.artifact()->cooperative) return submit(kernel, config, params, queue.handle());
  kernel.turns().take_turn(queue, [&] { submit(kernel, config, params, queue.handle()); });
}

}  // namespace

void launch(const CudaKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params, CudaQueue& queue,
            const Counters& counters) {
  const ContextScope scope(kernel.device()->context);
  if (kernel.is_plain()) [[likely]]
    return submit(kernel, config, params, queue.handle());
  if (!kernel.artifact()->params_in_memory) return launch_params(kernel, config, params, queue);
  const BlockInMemory block(kernel, params, queue, counters);
  launch_params(kernel, config, block.params(), queue);
}

}  // namespace jitc::runtime::cuda
