#include "runtime/cuda/cuda_marker.hpp"

#include "runtime/common/error.hpp"
#include "runtime/cuda/cuda_queue.hpp"

namespace jitc::runtime::cuda {

CudaMarker::CudaMarker(Backend& backend, std::shared_ptr<DeviceState> device, const EventOptions& options)
    : backend_(backend), device_(std::move(device)), has_time_(options.timing) {
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  unsigned flags = CU_EVENT_DEFAULT;
  if (!options.timing) flags |= CU_EVENT_DISABLE_TIMING;
  if (options.blocking_sync) flags |= CU_EVENT_BLOCKING_SYNC;
  device_->context.check(driver.cuEventCreate, driver.cuEventCreate(&event_, flags), "making an event");
}

CudaMarker::~CudaMarker() { device_->cleanup.add(event_); }

void CudaMarker::record(Queue& queue) {
  auto& own = static_cast<CudaQueue&>(queue);
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  const Record record{own.reports(), own.reports()->newest_place()};
  device_->context.check(driver.cuEventRecord, driver.cuEventRecord(event_, own.handle()), "recording an event");
  const std::lock_guard lock(mutex_);
  record_ = record;
}

bool CudaMarker::is_done() {
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  const CUresult code = driver.cuEventQuery(event_);
  if (code == CUDA_ERROR_NOT_READY) return false;
  device_->context.check(driver.cuEventQuery, code, "looking at an event");
  return true;
}

void CudaMarker::synchronize() {
  const Record record = last_record();
  {
    const ContextScope scope(device_->context);
    const Driver& driver = device_->driver();
    device_->context.check(driver.cuEventSynchronize, driver.cuEventSynchronize(event_), "waiting for an event");
  }
  if (record.reports != nullptr) record.reports->settle(record.place);
}

double CudaMarker::ms_until(Marker& end) {
  auto& other = static_cast<CudaMarker&>(end);
  require_time();
  other.require_time();
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  float ms = 0;
  const CUresult code = driver.cuEventElapsedTime(&ms, event_, other.event_);
  if (code == CUDA_ERROR_NOT_READY) {
    fail(ErrorCode::argument, "the time between two events is known when both are done: synchronize() with the second");
  }
  device_->context.check(driver.cuEventElapsedTime, code, "measuring the time between two events");
  return ms;
}

CudaMarker::Record CudaMarker::last_record() {
  const std::lock_guard lock(mutex_);
  return record_;
}

void CudaMarker::require_time() {
  if (!has_time_) fail(ErrorCode::argument, "an event without timing has no time");
  if (last_record().reports == nullptr) fail(ErrorCode::argument, "an event that was not recorded has no time");
}

}  // namespace jitc::runtime::cuda
