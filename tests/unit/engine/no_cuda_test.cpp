// Devices where the CUDA driver cannot be loaded.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "jitc/jitc.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;

namespace {

const int is_set = setenv("JITC_CUDA_DRIVER", "/nowhere/libcuda.so", 1);
const std::string kProblem = "there is no CUDA driver at '/nowhere/libcuda.so': the file does not exist";

}  // namespace

TEST_CASE("without a driver auto is the CPU and says why") {
  REQUIRE(is_set == 0);
  const Device device = Device::open("auto");
  CHECK(device.name() == "cpu");
  CHECK(device == Device::open("cpu"));
  CHECK(device.why() == "cpu, because " + kProblem);
}

TEST_CASE("without a driver CUDA devices are refused with what is wrong") {
  CHECK_ERROR(Device::open("cuda:0"), ErrorCode::device, "device 'cuda:0' cannot be opened: " + kProblem);
  CHECK_ERROR(Device::open("gpu"), ErrorCode::device,
              "there is no device 'gpu'; 'auto' and 'cpu' can be opened, CUDA devices cannot: " + kProblem);
}

TEST_CASE("without a driver the list has the CPU alone") {
  const std::vector<DeviceInfo> all = Device::list();
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "cpu");
  CHECK(all[0].total_memory > 0);
}

TEST_CASE("without a driver there is no version, but a problem") {
  const DriverInfo driver = Device::cuda_driver();
  CHECK(driver.library == "/nowhere/libcuda.so");
  CHECK(driver.version == 0);
  CHECK(driver.problem == kProblem);
}

TEST_CASE("without a driver no context is of a device") {
  int nothing = 0;
  CHECK_ERROR(Device::of_context(&nothing), ErrorCode::device, kProblem);
}
