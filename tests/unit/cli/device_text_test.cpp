#include "src/cli/device_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace jitc;

TEST_CASE("sizes are shown in the largest unit that leaves at least one") {
  CHECK(cli::size_text(0) == "0 bytes");
  CHECK(cli::size_text(1023) == "1023 bytes");
  CHECK(cli::size_text(48 << 10) == "48.0 KiB");
  CHECK(cli::size_text(uint64_t{1} << 20) == "1.0 MiB");
  CHECK(cli::size_text(150754820096) == "140.4 GiB");
  CHECK(cli::size_text(uint64_t{3} << 50) == "3072.0 TiB");
}

TEST_CASE("versions of CUDA and of PTX have a point") {
  CHECK(cli::cuda_version_text(12040) == "12.4");
  CHECK(cli::cuda_version_text(11080) == "11.8");
  CHECK(cli::ptx_isa_text(84) == "8.4");
}

TEST_CASE("a device without a problem has null in JSON") {
  const DeviceInfo device{"cuda:0", "H200", "sm_90", 2, 1, ""};
  CHECK(cli::to_json(device).dump() ==
        R"({"name":"cuda:0","description":"H200","target":"sm_90","total_memory":2,"free_memory":1,"problem":null})");
  CHECK(cli::to_json({"cuda:1", "", "", 0, 0, "it is old"})["problem"] == "it is old");
}

TEST_CASE("the processor is the last of all devices") {
  const std::vector<DeviceInfo> devices = cli::examine_devices();
  REQUIRE_FALSE(devices.empty());
  CHECK(devices.back().name == "cpu");
  CHECK(devices.back().target == "cpu");
}
