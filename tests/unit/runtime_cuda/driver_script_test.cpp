// The fake's script, log of calls, and environment.
#include <cstdlib>

#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_cuda/driver_scene.hpp"

using namespace jitc::runtime::cuda;
using jitc::tests::DriverScene;
using jitc::tests::FakeCall;
using jitc::tests::FakeDriver;
using jitc::tests::FakeLasting;

namespace {

/// A variable of the environment for its lifetime.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

CUresult count_devices(const DriverScene& scene) {
  int count = 0;
  return scene->cuDeviceGetCount(&count);
}

}  // namespace

TEST_CASE("a script counts from when it was given") {
  const DriverScene scene;
  CHECK(count_devices(scene) == CUDA_SUCCESS);
  scene.fake->script({"cuDeviceGetCount", 2, CUDA_ERROR_NOT_READY});
  CHECK(count_devices(scene) == CUDA_SUCCESS);
  CHECK(count_devices(scene) == CUDA_ERROR_NOT_READY);
  CHECK(count_devices(scene) == CUDA_SUCCESS);
}

TEST_CASE("a script can last, or mean any function") {
  const DriverScene scene;
  scene.fake->script({"cuDeviceGetCount", 2, CUDA_ERROR_NOT_READY, FakeLasting::forever});
  CHECK(count_devices(scene) == CUDA_SUCCESS);
  CHECK(count_devices(scene) == CUDA_ERROR_NOT_READY);
  CHECK(count_devices(scene) == CUDA_ERROR_NOT_READY);
  scene.fake->script({"*", 1, CUDA_ERROR_UNKNOWN});
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_UNKNOWN);
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("a script may say that a code is for one call only, whatever the code") {
  const DriverScene scene;
  scene.fake->script({"cuCtxSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS, FakeLasting::once});
  CHECK(scene->cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(scene->cuCtxSynchronize() == CUDA_SUCCESS);
}

TEST_CASE("calls are counted and logged with their codes") {
  const DriverScene scene;
  const size_t before = scene.fake->calls().size();
  scene.fake->script({"cuCtxSynchronize", 1, CUDA_ERROR_UNKNOWN});
  scene->cuCtxSynchronize();
  count_devices(scene);
  CHECK(scene.fake->count("cuCtxSynchronize") == 1);
  CHECK(scene.fake->count("*") == scene.fake->calls().size());
  const std::vector<FakeCall> calls = scene.fake->calls();
  REQUIRE(calls.size() == before + 2);
  CHECK(calls[before].function == "cuCtxSynchronize");
  CHECK(calls[before].code == CUDA_ERROR_UNKNOWN);
  CHECK(calls[before + 1].function == "cuDeviceGetCount");
}

TEST_CASE("a script for a function that does not exist is an error of the test") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  CHECK_THROWS_AS(fake->script({"cuMemAlloc", 1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(fake->count("cuMemAlloc"), std::invalid_argument);
}

TEST_CASE("the environment poses and scripts") {
  const Variable pose("JITC_FAKE_POSE",
                      "version=12040;devices=2;sm=86;name=NVIDIA Fake;memory=4096;1.sm=90;pools=0;attribute.10=64");
  const Variable script("JITC_FAKE_SCRIPT", "cuDeviceGetCount:2:600;cuCtxGetDevice:1:1:forever");
  const FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  CHECK(driver->version() == 12040);
  int count = 0, minor = 0, warp = 0, device = 0;
  char name[32] = "";
  size_t memory = 0;
  CHECK(driver->cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(driver->cuDeviceGetCount(&count) == CUDA_ERROR_NOT_READY);
  CHECK(count == 2);
  CHECK(driver->cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0) == CUDA_SUCCESS);
  CHECK(minor == 6);
  CHECK(driver->cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 1) == CUDA_SUCCESS);
  CHECK(minor == 0);
  CHECK(driver->cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1) == CUDA_SUCCESS);
  CHECK(warp == 64);
  CHECK(driver->cuDeviceGetName(name, sizeof name, 1) == CUDA_SUCCESS);
  CHECK(name == std::string("NVIDIA Fake"));
  CHECK(driver->cuDeviceTotalMem(&memory, 0) == CUDA_SUCCESS);
  CHECK(memory == 4096);
  for (int i = 0; i < 2; ++i) CHECK(driver->cuCtxGetDevice(&device) == CUDA_ERROR_INVALID_VALUE);
}
