// Start, errors, devices.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "tests/fakes/device_attributes.hpp"
#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

struct CodeText {
  CUresult code;
  const char* name;
  const char* text;
};

constexpr CodeText kTexts[] = {
#define JITC_CUDA_CODE(number, kind, afterwards, name, text) {name, #name, text},
#include "runtime/cuda/driver_codes.def"
#undef JITC_CUDA_CODE
};

CUresult find_text(CUresult code, const char* CodeText::*member, const char** out) {
  const auto* row =
      std::find_if(std::begin(kTexts), std::end(kTexts), [&](const CodeText& r) { return r.code == code; });
  *out = row == std::end(kTexts) ? nullptr : row->*member;
  return *out == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace

const FakeDevice* find_device(CUdevice device) {
  const auto& devices = world().pose.devices;
  return device >= 0 && device < static_cast<int>(devices.size()) ? &devices[static_cast<size_t>(device)] : nullptr;
}

CUresult do_cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (world().pose.devices.empty()) return CUDA_ERROR_NO_DEVICE;
  state().is_initialised = true;
  return CUDA_SUCCESS;
}

CUresult do_cuDriverGetVersion(int* version) {
  *version = world().pose.driver_version;
  return CUDA_SUCCESS;
}

CUresult do_cuGetErrorName(CUresult code, const char** name) { return find_text(code, &CodeText::name, name); }

CUresult do_cuGetErrorString(CUresult code, const char** text) { return find_text(code, &CodeText::text, text); }

CUresult do_cuDeviceGetCount(int* count) {
  *count = static_cast<int>(world().pose.devices.size());
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGet(CUdevice* device, int ordinal) {
  if (find_device(ordinal) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetName(char* name, int size_bytes, CUdevice device) {
  const FakeDevice* found = find_device(device);
  if (found == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (size_bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  const size_t length = std::min(found->name.size(), static_cast<size_t>(size_bytes) - 1);
  std::memcpy(name, found->name.data(), length);
  name[length] = '\0';
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<char>(16 * device + i);
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceTotalMem(size_t* size_bytes, CUdevice device) {
  const FakeDevice* found = find_device(device);
  if (found == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *size_bytes = found->memory_bytes;
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  const FakeDevice* found = find_device(device);
  if (found == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const auto known = device_attribute(*found, attribute);
  if (!known) return CUDA_ERROR_INVALID_VALUE;
  *value = *known;
  return CUDA_SUCCESS;
}

CUresult do_cuDeviceCanAccessPeer(int* can_access, CUdevice device, CUdevice peer) {
  if (find_device(device) == nullptr || find_device(peer) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *can_access = device != peer ? 1 : 0;
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
