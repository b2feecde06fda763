// Events: marks in the work of a stream, with the time when it got there.
#include "runtime/emulator/driver/pools.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

using EventPtr = std::shared_ptr<Event>;

/// An event of the current context, or null.
EventPtr find_event(CUevent handle) {
  EventPtr event = state().events.find(handle);
  return event != nullptr && event->context == current_context() ? event : nullptr;
}

bool has_time(const Event& event) {
  return event.mark.stream != nullptr && (event.flags & CU_EVENT_DISABLE_TIMING) == 0;
}

/// A record that is overtaken by a later one of the same event leaves no time.
void note_time(Event& event, const Mark& mark) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(state().mutex);
  if (event.mark.stream == mark.stream && event.mark.number == mark.number) event.time = now;
}

}  // namespace

CUresult do_cuEventCreate(CUevent* handle, unsigned flags) {
  const bool is_known = (flags & ~(CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING)) == 0;
  if (handle == nullptr || !is_known) return CUDA_ERROR_INVALID_VALUE;
  const auto event = std::make_shared<Event>();
  event->context = current_context();
  event->flags = flags;
  *handle = state().events.add(event);
  return CUDA_SUCCESS;
}

CUresult do_cuEventRecord(CUevent handle, CUstream stream_handle) {
  const EventPtr event = find_event(handle);
  const StreamPtr stream = find_stream(stream_handle);
  if (event == nullptr || stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  event->capture = stream->capture;
  if (stream->capture != nullptr) return CUDA_SUCCESS;
  const Mark mark = {stream, stream->submitted + 1};
  const auto run = [event, mark](CUresult) {
    note_time(*event, mark);
    return CUDA_SUCCESS;
  };
  const Mark before = std::exchange(event->mark, mark);
  const CUresult code = submit(stream, {.run = run, .runs_in_broken_context = true, .after = {}});
  if (code != CUDA_SUCCESS) event->mark = before;
  return code;
}

CUresult do_cuEventQuery(CUevent handle) {
  const EventPtr event = find_event(handle);
  if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture != nullptr) return CUDA_ERROR_CAPTURED_EVENT;
  return is_done(event->mark) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult do_cuEventSynchronize(CUevent handle) {
  const EventPtr event = find_event(handle);
  if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture != nullptr) return CUDA_ERROR_CAPTURED_EVENT;
  wait_for(Mark(event->mark));
  trim_to_thresholds();
  return event->context->state;
}

CUresult do_cuEventDestroy(CUevent handle) {
  if (find_event(handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  state().events.remove(handle);
  return CUDA_SUCCESS;
}

CUresult do_cuEventElapsedTime(float* milliseconds, CUevent start_handle, CUevent end_handle) {
  const EventPtr start = find_event(start_handle), end = find_event(end_handle);
  if (start == nullptr || end == nullptr || !has_time(*start) || !has_time(*end)) return CUDA_ERROR_INVALID_HANDLE;
  if (milliseconds == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_done(start->mark) || !is_done(end->mark)) return CUDA_ERROR_NOT_READY;
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
