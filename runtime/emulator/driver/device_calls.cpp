// Start and devices.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {
namespace {

/// The device's model, or null.
const DeviceModel* find_device(CUdevice device) {
  const Context* context = find_context(device);
  return context == nullptr ? nullptr : &context->device;
}

}  // namespace

CUresult do_cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const std::string& problem = state().settings.problem;
  if (!problem.empty()) {
    std::fprintf(stderr, "libjitc-cudaemu: %s\n", problem.c_str());
    return report(CUDA_ERROR_INVALID_VALUE, problem);
  }
  if (state().contexts.empty()) return CUDA_ERROR_NO_DEVICE;
  state().is_initialised = true;
  return CUDA_SUCCESS;
}

CUresult do_cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = state().settings.driver_version;
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetCount(int* count) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = static_cast<int>(state().contexts.size());
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (find_device(ordinal) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetName(char* name, int size_bytes, CUdevice device) {
  const DeviceModel* found = find_device(device);
  if (found == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (name == nullptr || size_bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  const std::string text = found->name();
  const size_t length = std::min(text.size(), static_cast<size_t>(size_bytes) - 1);
  std::memcpy(name, text.data(), length);
  name[length] = '\0';
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::string text = fmt::format("jitc-emulator{:03}", device);
  std::memcpy(uuid->bytes, text.data(), sizeof uuid->bytes);
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceTotalMem(size_t* size_bytes, CUdevice device) {
  const DeviceModel* found = find_device(device);
  if (found == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (size_bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *size_bytes = found->memory_bytes;
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  const DeviceModel* found = find_device(device);
  if (found == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const auto known = found->attribute(attribute);
  if (value == nullptr || !known) return CUDA_ERROR_INVALID_VALUE;
  *value = *known;
  return CUDA_SUCCESS;
}

/// Copies between devices need no access; kernels have none to other devices' memory.
CUresult do_cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  if (find_device(device) == nullptr || find_device(peer) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (can_access == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *can_access = 0;
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
