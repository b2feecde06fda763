#include "src/cli/device_text.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "jitc/error.hpp"

namespace jitc::cli {

std::vector<DeviceInfo> examine_devices() {
  std::map<std::string, std::string> problems;
  for (const DeviceInfo& device : Device::list()) {
    if (!device.problem.empty()) continue;
    try {
      Device::open(device.name);
    } catch (const Error& error) { problems[device.name] = error.what(); }
  }
  std::vector<DeviceInfo> out = Device::list();
  for (DeviceInfo& device : out) {
    if (device.problem.empty()) device.problem = problems[device.name];
  }
  return out;
}

std::string cuda_version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string ptx_isa_text(int ptx_isa) { return fmt::format("{}.{}", ptx_isa / 10, ptx_isa % 10); }

nlohmann::ordered_json to_json(const DeviceInfo& device) {
  nlohmann::ordered_json out;
  out["name"] = device.name;
  out["description"] = device.description;
  out["target"] = device.target;
  out["total_memory"] = device.total_memory;
  out["free_memory"] = device.free_memory;
  out["problem"] = nullptr;
  if (!device.problem.empty()) out["problem"] = device.problem;
  return out;
}

}  // namespace jitc::cli
