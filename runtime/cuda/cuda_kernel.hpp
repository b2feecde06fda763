// A kernel in a loaded module.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/common/backend.hpp"
#include "runtime/cuda/cuda_queue.hpp"

namespace jitc::runtime::cuda {

/// What may run one launch at a time: its module holds state of the launch, a fail record or a barrier of the grid.
/// Launches on other queues wait for the last one.
class OneAtATime {
 public:
  explicit OneAtATime(DeviceState& device) : device_(device) {}
  ~OneAtATime();
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

  /// Work that `launch` gives to the queue comes after the last turn's, and before the next one's, also where it
  /// throws. The context is current.
  template <class Launch>
  void take_turn(CudaQueue& queue, const Launch& launch) {
    const std::lock_guard lock(mutex_);
    begin(queue);
    try {
      launch();
    } catch (...) {
      end_anyhow(queue);
      throw;
    }
    end(queue);
  }

 private:
  void begin(CudaQueue& queue);
  void end(CudaQueue& queue);
  void end_anyhow(CudaQueue& queue) noexcept;

  DeviceState& device_;
  std::mutex mutex_;  // guards all below
  CUevent last_ = nullptr;
  uint64_t last_queue_number_ = 0;
};

/// What a loaded kernel consists of.
struct KernelParts {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr fail_record = 0;  ///< checked kernels only
  KernelResources resources;
};

class CudaKernel final : public LoadedKernel {
 public:
  /// Takes the module.
  CudaKernel(std::shared_ptr<DeviceState> device, const Artifact& artifact, const KernelParts& parts);
  ~CudaKernel() override;

  KernelResources resources() const override { return parts_.resources; }
  /// Without the code.
  const std::shared_ptr<const Artifact>& artifact() const { return artifact_; }
  const KernelParts& parts() const { return parts_; }
  const std::shared_ptr<DeviceState>& device() const { return device_; }
  /// "kernel 'axpy' of kernels.dsl"; lives as long as the process.
  const char* title() const { return title_; }

  bool is_checked() const { return parts_.fail_record != 0; }
  /// A launch is one call of the driver.
  bool is_plain() const { return is_plain_; }

  OneAtATime& turns() const { return turns_; }
  /// The most dynamic shared memory that the driver was told of so far.
  std::atomic<uint32_t>& allowed_dynamic_shared_bytes() const { return allowed_dynamic_shared_bytes_; }
  /// The last answer of best_block(): dynamic shared bytes in the upper half, threads in the lower.
  std::atomic<uint64_t>& best_block_memo() const { return best_block_memo_; }

 private:
  std::shared_ptr<DeviceState> device_;
  std::shared_ptr<const Artifact> artifact_;
  KernelParts parts_;
  const char* title_;
  bool is_plain_;
  mutable OneAtATime turns_;
  mutable std::atomic<uint32_t> allowed_dynamic_shared_bytes_{0};
  mutable std::atomic<uint64_t> best_block_memo_{0};
};

/// "kernel 'axpy' of kernels.dsl"
std::string title_of(const Artifact& artifact);

/// Throws Error(target) when the device or the driver is too old for the code, DriverError with the JIT's log when the
/// driver does not take it.
std::shared_ptr<CudaKernel> load_kernel(const std::shared_ptr<DeviceState>& device, const Artifact& artifact);

}  // namespace jitc::runtime::cuda
