// Captures and graphs.
#include "tests/unit/emulator_driver/emulator_scene.hpp"
#include "tests/unit/emulator_driver/held_stream.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

void begin(const EmulatorScene& scene, CUstream stream) {
  REQUIRE(scene->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS);
}

CUgraphExec finish(const EmulatorScene& scene, CUstream stream) {
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  REQUIRE(scene->cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS);
  REQUIRE(scene->cuGraphInstantiateWithFlags(&exec, graph, 0) == CUDA_SUCCESS);
  REQUIRE(scene->cuGraphDestroy(graph) == CUDA_SUCCESS);
  return exec;
}

}  // namespace

TEST_CASE("a graph does the captured launches, copies, fills and calls, as often as it is launched") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream();
  const CUdeviceptr data = scene.allocate(std::vector<int>(4, 0)), copied = scene.allocate(std::vector<int>(4, 0));
  const CUfunction store = scene.function(store_text(), "store");
  int calls = 0;
  begin(scene, stream);
  CHECK(scene.launch(store, 1, 4, stream, data) == CUDA_SUCCESS);
  CHECK(scene->cuMemsetD8Async(data, 0, 4, stream) == CUDA_SUCCESS);
  CHECK(scene->cuMemcpyDtoDAsync(copied, data, 16, stream) == CUDA_SUCCESS);
  CHECK(scene->cuLaunchHostFunc(
            stream, [](void* count) { ++*static_cast<int*>(count); }, &calls) == CUDA_SUCCESS);
  const CUgraphExec exec = finish(scene, stream);
  CHECK(scene.read<int>(copied, 4) == std::vector<int>(4, 0));
  CHECK(scene->cuGraphLaunch(exec, stream) == CUDA_SUCCESS);
  CHECK(scene->cuGraphLaunch(exec, stream) == CUDA_SUCCESS);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(scene.read<int>(copied, 4) == std::vector<int>{0, 2, 3, 4});
  CHECK(calls == 2);
  CHECK(scene->cuGraphExecDestroy(exec) == CUDA_SUCCESS);
  CHECK(scene->cuGraphLaunch(exec, stream) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("an event draws another stream into the capture, and its work into the graph") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream(), other = scene.make_stream();
  const CUevent fork = scene.make_event(), join = scene.make_event();
  const CUdeviceptr data = scene.allocate(std::vector<int>(1, 0));
  CUstreamCaptureStatus status = {};
  begin(scene, stream);
  scene->cuMemsetD8Async(data, 1, 4, stream);
  CHECK(scene->cuEventRecord(fork, stream) == CUDA_SUCCESS);
  CHECK(scene->cuStreamWaitEvent(other, fork, 0) == CUDA_SUCCESS);
  CHECK(scene->cuStreamIsCapturing(other, &status) == CUDA_SUCCESS);
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  scene->cuMemsetD8Async(data, 2, 4, other);
  CHECK(scene->cuEventRecord(join, other) == CUDA_SUCCESS);
  CHECK(scene->cuStreamWaitEvent(stream, join, 0) == CUDA_SUCCESS);
  CHECK(scene->cuEventQuery(fork) == CUDA_ERROR_CAPTURED_EVENT);
  const CUgraphExec exec = finish(scene, stream);
  CHECK(scene->cuStreamIsCapturing(other, &status) == CUDA_SUCCESS);
  CHECK(status == CU_STREAM_CAPTURE_STATUS_NONE);
  CHECK(scene->cuStreamWaitEvent(other, join, 0) == CUDA_ERROR_CAPTURED_EVENT);
  CHECK(scene->cuGraphLaunch(exec, other) == CUDA_SUCCESS);
  CHECK(scene->cuStreamSynchronize(other) == CUDA_SUCCESS);
  CHECK(scene.read<int>(data, 1)[0] == 0x02020202);
}

TEST_CASE("waiting for a captured stream ends the capture") {
  const EmulatorScene scene;
  const CUstream stream = scene.make_stream();
  CUgraph graph = nullptr;
  CUstreamCaptureStatus status = {};
  begin(scene, stream);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  scene->cuStreamIsCapturing(stream, &status);
  CHECK(status == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  CHECK(scene->cuMemsetD8Async(scene.allocate(4), 1, 4, stream) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK(scene->cuStreamEndCapture(stream, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK(graph == nullptr);
  CHECK(scene->cuStreamSynchronize(stream) == CUDA_SUCCESS);
}

TEST_CASE("the legacy stream is not captured, and ends captures of blocking streams") {
  const EmulatorScene scene;
  const CUstream blocking = scene.make_stream(CU_STREAM_DEFAULT);
  const CUdeviceptr data = scene.allocate(4);
  CUgraph graph = nullptr;
  CHECK(scene->cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  begin(scene, blocking);
  CHECK(scene->cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_ERROR_ILLEGAL_STATE);
  CHECK(scene->cuMemsetD8Async(data, 1, 4, nullptr) == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CHECK(scene->cuStreamEndCapture(blocking, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK(scene->cuStreamEndCapture(blocking, &graph) == CUDA_ERROR_ILLEGAL_STATE);
}
