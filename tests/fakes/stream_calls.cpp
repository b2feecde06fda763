// Streams and events.
#include "tests/fakes/callbacks.hpp"
#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

CUresult do_cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  if ((flags & ~CU_STREAM_NON_BLOCKING) != 0) return CUDA_ERROR_INVALID_VALUE;
  *stream = world().streams.add();
  (*stream)->context = current_context();
  (*stream)->is_created = true;
  (*stream)->flags = flags;
  (*stream)->priority = std::min(0, std::max(-5, priority));
  return CUDA_SUCCESS;
}

/// Its work goes on; a stream of the context itself stays.
CUresult do_cuStreamDestroy(CUstream stream) {
  if (find_stream(stream) != stream || !stream->is_created) {
    misuse(Function::cuStreamDestroy, "no stream of this context");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (stream->capture != nullptr) stream->capture->is_invalid = true;
  world().streams.remove(stream);
  return CUDA_SUCCESS;
}

CUresult do_cuStreamSynchronize(CUstream handle) {
  CUstream stream = find_stream(handle);
  return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : synchronise(stream);
}

CUresult do_cuStreamQuery(CUstream handle) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture != nullptr) return invalidate_capture(stream);
  return is_done(*stream, stream->last) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult do_cuStreamGetCtx(CUstream handle, CUcontext* context) {
  const bool is_special = reinterpret_cast<uintptr_t>(handle) <= kPerThreadStream;
  if (!is_special && !world().streams.holds(handle)) return CUDA_ERROR_INVALID_HANDLE;
  *context = is_special ? current_context() : handle->context;
  return CUDA_SUCCESS;
}

CUresult do_cuStreamGetFlags(CUstream handle, unsigned* flags) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *flags = stream->flags;
  return CUDA_SUCCESS;
}

CUresult do_cuStreamGetPriority(CUstream handle, int* priority) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *priority = stream->priority;
  return CUDA_SUCCESS;
}

/// The event may be of another context. One that was recorded inside a capture draws the stream into it.
CUresult do_cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr || !world().events.holds(event)) return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (event->capture != nullptr) {
    stream->capture = event->capture;
    return CUDA_SUCCESS;
  }
  if (stream->capture != nullptr) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  wait_for(stream, event->clock);
  return submit(stream, {.function = Function::cuStreamWaitEvent, .run = [](CUresult) {}, .takes_time = false});
}

CUresult do_cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void* user_data, unsigned flags) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0 || callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (stream->capture != nullptr) return invalidate_capture(stream);
  const auto run = [=](CUresult status) { call_back([=] { callback(handle, status, user_data); }); };
  return submit(stream, {.function = Function::cuStreamAddCallback, .run = run, .runs_in_broken_context = true});
}

CUresult do_cuLaunchHostFunc(CUstream handle, CUhostFn function, void* user_data) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto run = [=](CUresult) { call_back([=] { function(user_data); }); };
  return submit(stream, {.function = Function::cuLaunchHostFunc, .run = run});
}

}  // namespace jitc::tests::fake
