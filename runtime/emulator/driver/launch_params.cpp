#include "runtime/emulator/driver/launch_params.hpp"

#include <cstring>

namespace jitc::emulator::driver {
namespace {

/// Pairs of keys and values up to an end. Source: the driver API's page of cuLaunchKernel.
CUresult read_block(void** extra, std::vector<std::byte>& out) {
  const void* block = nullptr;
  size_t size_bytes = 0;
  for (; reinterpret_cast<uintptr_t>(*extra) != kLaunchParamEnd; extra += 2) {
    const auto key = reinterpret_cast<uintptr_t>(extra[0]);
    if (key != kLaunchParamBuffer && key != kLaunchParamBufferSize) return CUDA_ERROR_INVALID_VALUE;
    if (key == kLaunchParamBuffer) block = extra[1];
    if (key == kLaunchParamBufferSize) std::memcpy(&size_bytes, extra[1], sizeof size_bytes);
  }
  if (size_bytes < out.size() || (block == nullptr && !out.empty())) return CUDA_ERROR_INVALID_VALUE;
  if (!out.empty()) std::memcpy(out.data(), block, out.size());
  return CUDA_SUCCESS;
}

}  // namespace

CUresult read_params(const DecodedFunction& entry, void** params, void** extra, std::vector<std::byte>& out) {
  out.resize(entry.param_bytes);
  if (extra != nullptr) return params == nullptr ? read_block(extra, out) : CUDA_ERROR_INVALID_VALUE;
  if (entry.params.empty()) return CUDA_SUCCESS;
  if (params == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < entry.params.size(); ++i) {
    if (params[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(out.data() + entry.params[i].offset_bytes, params[i], entry.params[i].size_bytes);
  }
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
