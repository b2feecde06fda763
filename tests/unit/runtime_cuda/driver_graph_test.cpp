// The fake's captures and graphs.
#include "tests/unit/runtime_cuda/driver_scene.hpp"

using namespace jitc::runtime::cuda;
using jitc::tests::DriverScene;

namespace {

CUgraph end_capture(const DriverScene& scene, CUstream stream, CUresult expected = CUDA_SUCCESS) {
  CUgraph graph = nullptr;
  CHECK(scene->cuStreamEndCapture(stream, &graph) == expected);
  return graph;
}

}  // namespace

TEST_CASE("a captured graph does its work at each launch, and not before") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream(), other = scene.make_stream();
  const CUevent fork = scene.make_event();
  const CUdeviceptr data = scene.allocate(4);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CHECK(scene->cuMemsetD8(data, 0, 4) == CUDA_SUCCESS);
  CHECK(scene->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8Async(data, 1, 1, stream) == CUDA_SUCCESS);
  CHECK(scene->cuEventRecord(fork, stream) == CUDA_SUCCESS);
  CHECK(scene->cuStreamWaitEvent(other, fork, 0) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8Async(data + 1, 2, 1, other) == CUDA_SUCCESS);
  CHECK(scene->cuStreamIsCapturing(other, &status) == CUDA_SUCCESS);
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  const CUgraph graph = end_capture(scene, stream);
  CUgraphExec exec = nullptr;
  CHECK(scene->cuGraphInstantiateWithFlags(&exec, graph, 0) == CUDA_SUCCESS);
  CHECK(scene->cuGraphDestroy(graph) == CUDA_SUCCESS);
  unsigned value = 9;
  CHECK(scene->cuMemcpyDtoH(&value, data, 4) == CUDA_SUCCESS);
  CHECK(value == 0);
  for (int i = 0; i < 2; ++i) {
    CHECK(scene->cuMemsetD8(data, 0, 4) == CUDA_SUCCESS);
    CHECK(scene->cuGraphLaunch(exec, stream) == CUDA_SUCCESS);
    CHECK(scene->cuMemcpyDtoH(&value, data, 4) == CUDA_SUCCESS);
    CHECK(value == 0x0201);
  }
  CHECK(scene.fake->live().graphs == 1);
  CHECK(scene->cuGraphExecDestroy(exec) == CUDA_SUCCESS);
  CHECK(scene.fake->live().graphs == 0);
}

TEST_CASE("waiting for a stream that is captured spoils the capture") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream();
  CHECK(scene->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(end_capture(scene, stream, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) == nullptr);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(scene.fake->live().graphs == 0);
}

TEST_CASE("the legacy stream cannot be captured, nor used beside a capture of a blocking stream") {
  const DriverScene scene;
  const CUstream stream = scene.make_stream(CU_STREAM_DEFAULT);
  const CUdeviceptr data = scene.allocate(4);
  CHECK(scene->cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK(scene->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8(data, 1, 4) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CHECK(end_capture(scene, stream, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) == nullptr);
}
