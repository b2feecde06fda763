// What the library offers beside the driver's functions: failures on demand, and what there is.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;
using namespace jitc::runtime::cuda;

namespace {

std::map<std::string, uint64_t> objects(const JitcEmulatorControl& control) {
  std::vector<JitcEmulatorCounter> rows(control.objects(nullptr, 0));
  control.objects(rows.data(), rows.size());
  std::map<std::string, uint64_t> out;
  for (const JitcEmulatorCounter& row : rows) out[row.name] = row.value;
  return out;
}

}  // namespace

TEST_CASE("calls that fail are chosen while the program runs, counted from then on") {
  const EmulatorScene scene(EmulatorSettings{{"FAIL", "cuMemAlloc:2:801"}});
  const JitcEmulatorControl& control = scene.control();
  CUdeviceptr data = 0;
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_SUCCESS);
  CHECK(control.set_fails("cuMemAlloc:3:2;cuMemAlloc_v2:1:1") == 1);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_ERROR_INVALID_VALUE);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_SUCCESS);
  CHECK(control.set_fails("cuMemAlloc:0:2") == 0);
  CHECK(scene->cuMemAlloc(&data, 16) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(control.calls("cuMemAlloc") == 3);
  CHECK(control.calls("cuMemAlloc_v2") == 3);
  CHECK(control.calls("cuNoSuchCall") == 0);
  CHECK(control.set_fails(nullptr) == 1);
  CHECK(control.calls("cuMemAlloc") == 0);
}

TEST_CASE("the library counts what a program has of it") {
  const EmulatorScene scene({}, true);
  const JitcEmulatorControl& control = scene.control();
  const auto before = objects(control);
  const CUdeviceptr data = scene.allocate(16);
  void* host = nullptr;
  REQUIRE(scene->cuMemHostAlloc(&host, 16, 0) == CUDA_SUCCESS);
  const CUstream stream = scene.make_stream();
  const CUevent event = scene.make_event();
  const CUmodule module = scene.load(store_text());
  auto expected = before;
  for (const char* name : {"memory", "host", "streams", "events", "modules"}) ++expected.at(name);
  CHECK(objects(control) == expected);
  CHECK(before.at("contexts") == 1);
  CHECK(scene->cuMemFree(data) == CUDA_SUCCESS);
  CHECK(scene->cuMemFreeHost(host) == CUDA_SUCCESS);
  CHECK(scene->cuStreamDestroy(stream) == CUDA_SUCCESS);
  CHECK(scene->cuEventDestroy(event) == CUDA_SUCCESS);
  CHECK(scene->cuModuleUnload(module) == CUDA_SUCCESS);
  CHECK(objects(control) == before);
}
