// Events: marks in the work of a stream, with the fake's time on them.
#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

namespace {

bool has_happened(const CUevent_st& event) {
  return event.recorded_on == nullptr || is_done(*event.recorded_on, event.number);
}

/// An event of the current context.
bool is_event(CUevent event) { return world().events.holds(event) && event->context == current_context(); }

bool has_time(const CUevent_st& event) {
  return event.recorded_on != nullptr && (event.flags & CU_EVENT_DISABLE_TIMING) == 0;
}

}  // namespace

CUresult do_cuEventCreate(CUevent* event, unsigned flags) {
  if ((flags & ~(CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING)) != 0) return CUDA_ERROR_INVALID_VALUE;
  *event = world().events.add();
  (*event)->context = current_context();
  (*event)->flags = flags;
  return CUDA_SUCCESS;
}

/// A record that is overtaken by a later one of the same event leaves no time.
CUresult do_cuEventRecord(CUevent event, CUstream handle) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr || !is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture != nullptr) {
    event->capture = stream->capture;
    return CUDA_SUCCESS;
  }
  event->capture = nullptr;
  event->recorded_on = stream;
  event->number = world().last_work + 1;
  const auto run = [event, number = event->number](CUresult) {
    if (event->number == number) event->time_ms = world().clock_ms;
  };
  const CUresult code = submit(
      stream, {.function = Function::cuEventRecord, .run = run, .runs_in_broken_context = true, .takes_time = false});
  if (code == CUDA_SUCCESS) event->clock = clock_of(stream);
  return code;
}

CUresult do_cuEventQuery(CUevent event) {
  if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture != nullptr) return CUDA_ERROR_CAPTURED_EVENT;
  return has_happened(*event) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult do_cuEventSynchronize(CUevent event) {
  if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture != nullptr) return CUDA_ERROR_CAPTURED_EVENT;
  if (event->recorded_on != nullptr) drain(event->recorded_on, event->number);
  world().memory.trim_to_thresholds();
  return event->context->state;
}

CUresult do_cuEventDestroy(CUevent event) {
  if (!is_event(event)) {
    misuse(Function::cuEventDestroy, "no event of this context");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  world().events.remove(event);
  return CUDA_SUCCESS;
}

CUresult do_cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  if (!is_event(start) || !is_event(end) || !has_time(*start) || !has_time(*end)) return CUDA_ERROR_INVALID_HANDLE;
  if (!has_happened(*start) || !has_happened(*end)) return CUDA_ERROR_NOT_READY;
  *milliseconds = static_cast<float>(end->time_ms - start->time_ms);
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
