// Captures and graphs: a graph is the work that a capture kept from its stream, done again by every launch.
#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

CUresult do_cuStreamBeginCapture(CUstream handle, CUstreamCaptureMode) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream == stream->context->legacy_stream) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (stream->capture != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  stream->capture = world().graphs.add();
  stream->capture->origin = stream;
  return CUDA_SUCCESS;
}

/// Ends it on all streams that events drew into it.
CUresult do_cuStreamEndCapture(CUstream handle, CUgraph* graph) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  CUgraph captured = stream->capture;
  if (captured->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  for (const auto& other : world().streams.all()) {
    if (other->capture == captured) other->capture = nullptr;
  }
  captured->origin = nullptr;
  *graph = captured->is_invalid ? nullptr : captured;
  if (!captured->is_invalid) return CUDA_SUCCESS;
  world().graphs.remove(captured);
  return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}

CUresult do_cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (stream->capture != nullptr)
    *status = stream->capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return CUDA_SUCCESS;
}

CUresult do_cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long) {
  if (!world().graphs.holds(graph) || graph->origin != nullptr) return CUDA_ERROR_INVALID_VALUE;
  *exec = world().graph_execs.add();
  (*exec)->works = graph->works;
  return CUDA_SUCCESS;
}

CUresult do_cuGraphLaunch(CUgraphExec exec, CUstream handle) {
  CUstream stream = find_stream(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!world().graph_execs.holds(exec)) return CUDA_ERROR_INVALID_VALUE;
  for (const Work& work : exec->works) {
    const CUresult code = submit(stream, work);
    if (code != CUDA_SUCCESS) return code;
  }
  return CUDA_SUCCESS;
}

CUresult do_cuGraphExecDestroy(CUgraphExec exec) {
  if (!world().graph_execs.holds(exec)) {
    misuse(Function::cuGraphExecDestroy, "no executable graph");
    return CUDA_ERROR_INVALID_VALUE;
  }
  world().graph_execs.remove(exec);
  return CUDA_SUCCESS;
}

CUresult do_cuGraphDestroy(CUgraph graph) {
  if (!world().graphs.holds(graph)) {
    misuse(Function::cuGraphDestroy, "no graph");
    return CUDA_ERROR_INVALID_VALUE;
  }
  world().graphs.remove(graph);
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
