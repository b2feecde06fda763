// A CUDA event.
#pragma once

#include <memory>
#include <mutex>

#include "runtime/common/queue.hpp"
#include "runtime/cuda/device_state.hpp"

namespace jitc::runtime::cuda {

class CudaMarker final : public Marker {
 public:
  /// Throws DriverError.
  CudaMarker(Backend& backend, std::shared_ptr<DeviceState> device, const EventOptions& options);
  ~CudaMarker() override;

  Backend& backend() const override { return backend_; }
  void record(Queue& queue) override;
  bool is_done() override;
  void synchronize() override;
  double ms_until(Marker& end) override;

  CUevent handle() const { return event_; }

 private:
  /// Where it was recorded last.
  struct Record {
    std::shared_ptr<WorkReports> reports;  // null: never recorded
    uint64_t place = 0;
  };
  Record last_record();
  void require_time();

  Backend& backend_;
  std::shared_ptr<DeviceState> device_;
  bool has_time_;
  CUevent event_ = nullptr;

  std::mutex mutex_;  // guards record_
  Record record_;
};

}  // namespace jitc::runtime::cuda
