#include "runtime/cuda/cuda_queue.hpp"

#include "runtime/common/error.hpp"
#include "runtime/cuda/cuda_marker.hpp"
#include "runtime/cuda/host_call.hpp"
#include "runtime/cuda/process_state.hpp"

namespace jitc::runtime::cuda {

namespace {

std::atomic<uint64_t> queue_count{0};

}  // namespace

CudaQueue::CudaQueue(Backend& backend, std::shared_ptr<DeviceState> device, Kind kind, CUstream stream)
    : backend_(backend),
      device_(std::move(device)),
      kind_(kind),
      stream_(stream),
      thread_number_(kind == Kind::per_thread ? this_thread_number() : 0),
      number_(++queue_count),
      reports_(device_->reports.add()) {}

CudaQueue::~CudaQueue() {
  if (kind_ == Kind::created) device_->cleanup.add(stream_);
}

bool CudaQueue::is_usable_here() const { return thread_number_ == 0 || thread_number_ == this_thread_number(); }

void CudaQueue::require_usable_here() const {
  if (is_usable_here()) return;
  fail(ErrorCode::argument,
       "the per-thread default stream of one thread is used in another, where its handle means that thread's own: ask "
       "for Stream::per_thread_default(device) there, or make a stream");
}

void CudaQueue::synchronize() {
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  const uint64_t place = reports_->newest_place();
  device_->context.check(driver.cuStreamSynchronize, driver.cuStreamSynchronize(handle()), "waiting for a stream");
  device_->cleanup.flush({});
  reports_->settle(place);
}

bool CudaQueue::is_done() {
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  const CUresult code = driver.cuStreamQuery(handle());
  if (code == CUDA_ERROR_NOT_READY) return false;
  device_->context.check(driver.cuStreamQuery, code, "looking at a stream");
  return true;
}

void CudaQueue::wait(Marker& marker) {
  const auto* event = dynamic_cast<const CudaMarker*>(&marker);
  if (event == nullptr) {
    fail(ErrorCode::argument, "a stream of {} cannot wait for an event of {}", backend_.name(),
         marker.backend().name());
  }
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  device_->context.check(driver.cuStreamWaitEvent, driver.cuStreamWaitEvent(handle(), event->handle(), 0),
                         "having a stream wait for an event");
}

void CudaQueue::call(std::function<void()> function) {
  const ContextScope scope(device_->context);
  call_behind(device_->context, handle(), std::move(function), reports_);
}

/// The stream of another thread has no name here, so that the host waits for all instead.
void order(DeviceState& device, CudaQueue& first, CudaQueue& then) {
  if (&first == &then) return;
  const ContextScope scope(device.context);
  const Driver& driver = device.driver();
  CUstream later = then.handle();
  if (!first.is_usable_here()) {
    device.context.check(driver.cuCtxSynchronize, driver.cuCtxSynchronize(), "waiting for another thread's stream");
    return;
  }
  const PooledEvent event(device.events);
  device.context.check(driver.cuEventRecord, driver.cuEventRecord(event, first.handle()), "marking a stream");
  device.context.check(driver.cuStreamWaitEvent, driver.cuStreamWaitEvent(later, event, 0), "ordering streams");
}

}  // namespace jitc::runtime::cuda
