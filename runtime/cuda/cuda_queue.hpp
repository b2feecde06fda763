// A CUDA stream: the default one, a thread's own, one of ours or of someone else.
#pragma once

#include <memory>

#include "runtime/common/queue.hpp"
#include "runtime/cuda/device_state.hpp"

namespace jitc::runtime::cuda {

class CudaQueue final : public Queue {
 public:
  enum class Kind : uint8_t {
    legacy,      ///< the default stream
    per_thread,  ///< of the thread that makes the object; its handle means another stream in each thread
    created,     ///< owned
    external,    ///< someone else's
  };

  CudaQueue(Backend& backend, std::shared_ptr<DeviceState> device, Kind kind, CUstream stream);
  ~CudaQueue() override;

  Backend& backend() const override { return backend_; }
  void synchronize() override;
  bool is_done() override;
  void wait(Marker& marker) override;
  void call(std::function<void()> function) override;
  void* native_handle() const override { return stream_; }

  /// For calls of the driver. Throws Error(argument) when it is the own stream of another thread.
  CUstream handle() const {
    if (kind_ == Kind::per_thread) require_usable_here();
    return stream_;
  }
  /// The same where is_usable_here() was asked.
  CUstream raw_handle() const { return stream_; }
  bool is_usable_here() const;
  void require_usable_here() const;

  bool is_default() const { return kind_ == Kind::legacy; }
  /// Never 0, never another queue's.
  uint64_t number() const { return number_; }
  const std::shared_ptr<WorkReports>& reports() const { return reports_; }

 private:
  Backend& backend_;
  std::shared_ptr<DeviceState> device_;
  Kind kind_;
  CUstream stream_;
  uint64_t thread_number_;
  uint64_t number_;
  std::shared_ptr<WorkReports> reports_;
};

/// Later work of `then` starts after the work that `first` has now.
void order(DeviceState& device, CudaQueue& first, CudaQueue& then);

}  // namespace jitc::runtime::cuda
