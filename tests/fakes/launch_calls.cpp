// Kernel launches: checked, recorded, and done by the test's function if there is one.
#include <algorithm>
#include <cstring>

#include "tests/fakes/callbacks.hpp"
#include "tests/fakes/device_attributes.hpp"
#include "tests/fakes/function_attributes.hpp"
#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

namespace {

constexpr size_t kMaxLaunches = 4096;

int device_value(CUfunction function, CUdevice_attribute attribute) {
  return device_attribute(*find_device(function->context->device), attribute).value_or(0);
}

int threads_of(const FakeLaunch& launch) {
  return static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
}

bool exceeds(const unsigned (&shape)[3], const CUdevice_attribute (&limits)[3], CUfunction function) {
  for (int axis = 0; axis < 3; ++axis) {
    if (shape[axis] == 0 || shape[axis] > static_cast<unsigned>(device_value(function, limits[axis]))) return true;
  }
  return false;
}

bool has_impossible_shape(CUfunction function, const FakeLaunch& launch) {
  constexpr CUdevice_attribute kGridLimits[] = {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y,
                                                CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z};
  constexpr CUdevice_attribute kBlockLimits[] = {
      CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z};
  return exceeds(launch.grid, kGridLimits, function) || exceeds(launch.block, kBlockLimits, function) ||
         threads_of(launch) > device_value(function, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
}

/// All blocks of a cooperative launch must run at once.
CUresult check_cooperative(CUfunction function, const FakeLaunch& launch, int blocks_per_multiprocessor) {
  if (device_value(function, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) == 0) return CUDA_ERROR_NOT_SUPPORTED;
  const int multiprocessors = device_value(function, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const uint64_t blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const auto at_once = static_cast<uint64_t>(blocks_per_multiprocessor) * static_cast<uint64_t>(multiprocessors);
  return blocks > at_once ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

/// In the order of the driver: shapes, then what the function needs, then whether all blocks fit at once.
CUresult check_shape(CUfunction function, const FakeLaunch& launch) {
  const int most_shared = function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  if (has_impossible_shape(function, launch) || launch.shared_bytes > static_cast<unsigned>(most_shared))
    return CUDA_ERROR_INVALID_VALUE;
  const int blocks = active_blocks(function, threads_of(launch), launch.shared_bytes);
  if (blocks == 0) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  return launch.is_cooperative ? check_cooperative(function, launch, blocks) : CUDA_SUCCESS;
}

/// Fills `out` from the block that `extra` describes; false where that is shorter.
bool read_block(void** extra, std::vector<std::byte>& out) {
  const void* block = nullptr;
  size_t size_bytes = 0;
  for (; reinterpret_cast<uintptr_t>(*extra) != kLaunchParamEnd; extra += 2) {
    const auto key = reinterpret_cast<uintptr_t>(extra[0]);
    if (key == kLaunchParamBuffer) block = extra[1];
    if (key == kLaunchParamBufferSize) std::memcpy(&size_bytes, extra[1], sizeof size_bytes);
  }
  if (size_bytes < out.size() || (block == nullptr && !out.empty())) return false;
  if (!out.empty()) std::memcpy(out.data(), block, out.size());
  return true;
}

/// The parameter block of a launch, from either form; false where it is too short or absent.
bool read_params(const PtxEntry& entry, void** params, void** extra, FakeLaunch& launch) {
  launch.params.resize(entry.params_size_bytes);
  for (const PtxParam& param : entry.params) launch.param_offsets.push_back(param.offset_bytes);
  if (extra != nullptr) return params == nullptr && read_block(extra, launch.params);
  if (entry.params.empty()) return true;
  if (params == nullptr) return false;
  for (size_t i = 0; i < entry.params.size(); ++i)
    std::memcpy(launch.params.data() + entry.params[i].offset_bytes, params[i], entry.params[i].size_bytes);
  return true;
}

/// The memory that parameters of pointer size point into; pointers to freed memory and other devices' are a misuse.
std::vector<AllocationPtr> memory_of(Function called, const PtxEntry& entry, const FakeLaunch& launch) {
  std::vector<AllocationPtr> used;
  for (const PtxParam& param : entry.params) {
    uintptr_t address = 0;
    if (param.size_bytes != sizeof address) continue;
    std::memcpy(&address, launch.params.data() + param.offset_bytes, sizeof address);
    AllocationPtr found = world().memory.containing(address);
    if (found == nullptr && world().memory.was_freed(address))
      misuse(called, launch.entry + " takes memory that is free");
    if (found == nullptr) continue;
    if (found->context != current_context() && !is_host_memory(*found))
      misuse(called, launch.entry + " takes memory of another device");
    used.push_back(std::move(found));
  }
  return used;
}

/// The kernel's turn. What it returns breaks the context, as the driver notices at the next call.
void run_launch(const FakeLaunch& launch, CUcontext context) {
  const FakeKernel kernel = world().kernel;
  if (kernel == nullptr) return;
  int code = 0;
  run_kernel([&] { code = kernel(launch); });
  if (code != 0) context->state = static_cast<CUresult>(code);
}

CUresult launch_on(Function called, CUfunction function, FakeLaunch launch, void** params, void** extra) {
  CUstream stream = find_stream(launch.stream);
  if (!is_function(function) || stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  launch.entry = function->entry->name;
  launch.device = function->context->device;
  const CUresult shape = check_shape(function, launch);
  if (shape != CUDA_SUCCESS) return shape;
  if (!read_params(*function->entry, params, extra, launch)) return CUDA_ERROR_INVALID_VALUE;
  std::vector<AllocationPtr> used = memory_of(called, *function->entry, launch);
  if (world().launches.size() == kMaxLaunches) world().launches.pop_front();
  world().launches.push_back(launch);
  const auto run = [launch, context = function->context](CUresult) { run_launch(launch, context); };
  return submit(stream, {.function = called, .uses = std::move(used), .run = run});
}

}  // namespace

CUresult do_cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                           unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** params,
                           void** extra) {
  FakeLaunch launch{.grid = {grid_x, grid_y, grid_z},
                    .block = {block_x, block_y, block_z},
                    .shared_bytes = shared_bytes,
                    .stream = stream};
  return launch_on(Function::cuLaunchKernel, function, std::move(launch), params, extra);
}

CUresult do_cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                      CUstream stream, void** params) {
  FakeLaunch launch{.grid = {grid_x, grid_y, grid_z},
                    .block = {block_x, block_y, block_z},
                    .shared_bytes = shared_bytes,
                    .stream = stream,
                    .is_cooperative = true};
  return launch_on(Function::cuLaunchCooperativeKernel, function, std::move(launch), params, nullptr);
}

CUresult do_cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  FakeLaunch launch{.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                    .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
                    .shared_bytes = config->sharedMemBytes,
                    .stream = config->hStream};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
      launch.is_cooperative = config->attrs[i].value.cooperative != 0;
  }
  return launch_on(Function::cuLaunchKernelEx, function, std::move(launch), params, extra);
}

}  // namespace jitc::tests::fake
