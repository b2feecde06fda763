// Devices in the words of `jitc devices` and `jitc doctor`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "jitc/device.hpp"
#include "runtime/common/size_text.hpp"

namespace jitc::cli {

/// Device::list() after every device that can be opened was, so that free memory is known and what keeps one from being
/// opened is its problem. The target is what the compiler makes of the device's own.
std::vector<DeviceInfo> examine_devices();

using runtime::size_text;

/// "12.4" of 12040.
std::string cuda_version_text(int version);
/// "8.4" of 84.
std::string ptx_isa_text(int ptx_isa);

/// {"name": "cuda:0", …}; sizes in bytes, `problem` is null where there is none.
nlohmann::ordered_json to_json(const DeviceInfo& device);

}  // namespace jitc::cli
