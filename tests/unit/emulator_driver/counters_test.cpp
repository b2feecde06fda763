// What launches count, through the library's own function.
#include "tests/unit/emulator_driver/emulator_scene.hpp"

using namespace jitc::tests;

namespace {

std::map<std::string, uint64_t> counters(const JitcEmulatorControl& control) {
  std::vector<JitcEmulatorCounter> rows(control.counters(nullptr, 0));
  CHECK(control.counters(rows.data(), rows.size()) == rows.size());
  std::map<std::string, uint64_t> out;
  for (const JitcEmulatorCounter& row : rows) out[row.name] = row.value;
  return out;
}

}  // namespace

TEST_CASE("launches are counted when they are asked to be") {
  const EmulatorScene scene({}, true);
  const JitcEmulatorControl& control = scene.control();
  const cuda::CUdeviceptr data = scene.allocate(4 * 96 * 3);
  const cuda::CUfunction store = scene.function(store_text(), "store");
  const auto launch = [&] {
    CHECK(scene.launch(store, 3, 96, nullptr, data) == cuda::CUDA_SUCCESS);
    CHECK(scene->cuCtxSynchronize() == cuda::CUDA_SUCCESS);
  };
  launch();
  CHECK(counters(control)["launches"] == 0);
  control.set_counting(1);
  launch();
  launch();
  control.set_counting(0);
  launch();
  CHECK(counters(control)["launches"] == 2);
  CHECK(counters(control)["blocks"] == 6);
  CHECK(counters(control)["threads"] == 6 * 96);
  CHECK(counters(control)["global.store.requests"] == 6 * 3);
  control.reset_counters();
  CHECK(counters(control)["launches"] == 0);

  JitcEmulatorCounter first = {};
  CHECK(control.counters(&first, 1) > 1);
  CHECK(std::string(first.name) == "launches");
}

TEST_CASE("the environment can have launches counted from the start") {
  const EmulatorSettings counting = {{"COUNTS", "1"}};
  const EmulatorScene scene(counting);
  const cuda::CUdeviceptr data = scene.allocate(4);
  CHECK(scene.launch(scene.function(store_text(), "store"), 1, 1, nullptr, data) == cuda::CUDA_SUCCESS);
  CHECK(scene->cuCtxSynchronize() == cuda::CUDA_SUCCESS);
  CHECK(counters(scene.control())["threads"] == 1);
}
