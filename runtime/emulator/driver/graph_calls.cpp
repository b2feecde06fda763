// Captures and graphs: a graph is the work that a capture kept from its streams, done again by every launch, in the
// order in which it came: each piece of work comes behind all that it depends on.
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

/// All of a graph as one piece of work; the first fault ends it.
Work work_of(const std::shared_ptr<const Graph>& graph) {
  const auto run = [graph](CUresult context_state) {
    for (const Work& work : graph->works) {
      const CUresult code = work.run(context_state);
      if (code != CUDA_SUCCESS) return code;
    }
    return CUDA_SUCCESS;
  };
  return {.run = run, .after = {}};
}

/// Of all devices: events draw streams in from anywhere.
void release_streams(const std::shared_ptr<Graph>& captured) {
  for (const Context& context : state().contexts) {
    for (const StreamPtr& stream : context.streams) {
      if (stream->capture == captured) stream->capture = nullptr;
    }
  }
}

}  // namespace

CUresult do_cuStreamBeginCapture(CUstream handle, CUstreamCaptureMode mode) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
  if (stream == stream->context->legacy_stream) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (stream->capture != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  stream->capture = std::make_shared<Graph>();
  stream->capture->origin = stream;
  return CUDA_SUCCESS;
}

/// Ends it on all streams that events drew into it.
CUresult do_cuStreamEndCapture(CUstream handle, CUgraph* graph) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::shared_ptr<Graph> captured = stream->capture;
  if (captured == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  if (captured->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  release_streams(captured);
  captured->origin = nullptr;
  *graph = captured->is_invalid ? nullptr : state().graphs.add(captured);
  return captured->is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

CUresult do_cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
  const StreamPtr stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (stream->capture != nullptr)
    *status = stream->capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return CUDA_SUCCESS;
}

/// A graph does not change once its capture has ended, so that it can be shared.
CUresult do_cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph handle, unsigned long long) {
  const auto graph = state().graphs.find(handle);
  if (exec == nullptr || graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *exec = state().graph_execs.add(graph);
  return CUDA_SUCCESS;
}

CUresult do_cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  const StreamPtr stream = find_stream(stream_handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const auto graph = state().graph_execs.find(handle);
  return graph == nullptr ? CUDA_ERROR_INVALID_VALUE : submit(stream, work_of(graph));
}

/// Launches on their way keep it.
CUresult do_cuGraphExecDestroy(CUgraphExec handle) {
  return state().graph_execs.remove(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult do_cuGraphDestroy(CUgraph handle) {
  return state().graphs.remove(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace jitc::emulator::driver
