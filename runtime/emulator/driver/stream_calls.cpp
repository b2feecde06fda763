// Streams, and functions of the program as work on them.
#include <algorithm>

#include "runtime/emulator/driver/limits.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {

CUresult do_cuStreamCreateWithPriority(CUstream* handle, unsigned flags, int priority) {
  if (handle == nullptr || (flags & ~CU_STREAM_NON_BLOCKING) != 0) return CUDA_ERROR_INVALID_VALUE;
  const StreamPtr stream = make_stream(current_context(), flags, std::clamp(priority, kGreatestPriority, 0));
  stream->is_created = true;
  *handle = state().streams.add(stream);
  return CUDA_SUCCESS;
}

/// Its work goes on; a stream of the context itself stays.
CUresult do_cuStreamDestroy(CUstream handle) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr || !stream->is_created) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture != nullptr) stream->capture->is_invalid = true;
  mark_destroyed(*stream);
  state().streams.remove(handle);
  return CUDA_SUCCESS;
}

CUresult do_cuStreamSynchronize(CUstream handle) {
  const StreamPtr stream = find_stream(handle);
  return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : synchronise(stream);
}

CUresult do_cuStreamQuery(CUstream handle) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture != nullptr) return invalidate_capture(*stream);
  return is_done(mark_of(stream)) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult do_cuStreamGetCtx(CUstream handle, CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const bool is_special = reinterpret_cast<uintptr_t>(handle) <= kPerThreadStream;
  const StreamPtr stream = is_special ? find_stream(handle) : state().streams.find(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *context = stream->context->handle;
  return CUDA_SUCCESS;
}

CUresult do_cuStreamGetFlags(CUstream handle, unsigned* flags) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = stream->flags;
  return CUDA_SUCCESS;
}

CUresult do_cuStreamGetPriority(CUstream handle, int* priority) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (priority == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *priority = stream->priority;
  return CUDA_SUCCESS;
}

/// The event may be of another context. One that was recorded inside a capture draws the stream into it.
CUresult do_cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned flags) {
  const StreamPtr stream = find_stream(handle);
  const auto event = state().events.find(event_handle);
  if (stream == nullptr || event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (event->capture != nullptr) {
    if (event->capture->origin == nullptr) return CUDA_ERROR_CAPTURED_EVENT;  // its capture has ended
    if (stream->capture != nullptr && stream->capture != event->capture) return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    stream->capture = event->capture;
    return CUDA_SUCCESS;
  }
  if (stream->capture != nullptr) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  if (is_done(event->mark)) return CUDA_SUCCESS;
  stream->waits.push_back(event->mark);
  return submit(stream, {.run = [](CUresult) { return CUDA_SUCCESS; }, .after = {}});
}

/// Called in a broken context too, with the code.
CUresult do_cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void* user_data, unsigned flags) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0 || callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (stream->capture != nullptr) return invalidate_capture(*stream);
  const auto run = [=](CUresult context_state) {
    callback(handle, context_state, user_data);
    return CUDA_SUCCESS;
  };
  return submit(stream, {.run = run, .runs_in_broken_context = true, .after = {}});
}

CUresult do_cuLaunchHostFunc(CUstream handle, CUhostFn function, void* user_data) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto run = [=](CUresult) {
    function(user_data);
    return CUDA_SUCCESS;
  };
  return submit(stream, {.run = run, .after = {}});
}

}  // namespace jitc::emulator::driver
