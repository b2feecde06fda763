// The CUDA devices of this process: the driver is loaded once, each device opened once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jitc/device.hpp"
#include "runtime/common/backend.hpp"

namespace jitc::runtime::cuda {

/// What the driver is and why it cannot be used, in one sentence. Loads it when no one has yet; what that ends in is
/// remembered. Throws nothing.
DriverInfo driver_info();

/// 0 when the driver cannot be used.
int device_count();

/// Opens it when no one has yet. Throws Error(device).
std::shared_ptr<Backend> open_device(int ordinal);

/// The device whose primary context this is. Throws Error(argument) for another context, Error(device).
std::shared_ptr<Backend> open_device_of_context(void* context);

/// All devices, those that cannot be used among them. Opens none: how much memory is free is known of open ones alone.
std::vector<DeviceInfo> list_devices();

}  // namespace jitc::runtime::cuda
