// Kernel launches: checked, and put on their stream.
#include <algorithm>
#include <atomic>
#include <cstdio>

#include "runtime/emulator/driver/execute.hpp"
#include "runtime/emulator/driver/fault_codes.hpp"
#include "runtime/emulator/driver/launch_checks.hpp"
#include "runtime/emulator/driver/launch_counts.hpp"
#include "runtime/emulator/driver/launch_observers.hpp"
#include "runtime/emulator/driver/launch_params.hpp"
#include "runtime/emulator/driver/launch_shape.hpp"
#include "runtime/emulator/driver/limits.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

/// A launch on its way; keeps all that it needs.
struct LaunchJob {
  std::shared_ptr<const Kernel> kernel;
  LaunchShape shape;
  uint32_t stack_bytes = 0;
  std::vector<std::byte> params;
};

KernelLaunch as_launch(const LaunchJob& job, const AddressMap& memory, std::string& printed) {
  static std::atomic<uint64_t> grids = 0;
  KernelLaunch launch;
  launch.program = &job.kernel->linked;
  launch.grid = job.shape.grid;
  launch.block = job.shape.block;
  launch.dynamic_shared_bytes = job.shape.dynamic_shared_bytes;
  launch.is_cooperative = job.shape.is_cooperative;
  launch.params = job.params;
  launch.memory = &memory;
  launch.stack_bytes = job.stack_bytes;
  launch.multiprocessors = static_cast<uint32_t>(job.kernel->code->context->device.multiprocessors);
  launch.grid_id = ++grids;
  launch.host_threads = static_cast<uint32_t>(state().settings.host_threads);
  launch.print = [&](std::string_view text) { printed += text; };
  return launch;
}

bool is_counting() {
  const std::lock_guard lock(state().mutex);
  return state().is_counting;
}

/// With all that watches it. Checks want one host thread.
std::optional<LaunchFault> execute_watched(KernelLaunch launch, LaunchCounts* counts) {
  LaunchObservers observers;
  if (counts != nullptr) observers.add(*counts);
  std::optional<LaunchChecks> checks;
  if (state().settings.checks.any()) {
    launch.host_threads = 1;
    observers.add(checks.emplace(launch, state().settings.checks));
  }
  if (!observers.is_empty()) launch.observer = &observers;
  return execute(launch);
}

/// On the stream's thread. What the kernel prints is written when it ends.
CUresult run(const LaunchJob& job) {
  const auto memory = state().memory.map_for(job.kernel->code->context->device.ordinal);
  std::string printed;
  const KernelLaunch launch = as_launch(job, *memory, printed);
  std::optional<LaunchCounts> counts;
  if (is_counting()) counts.emplace();
  const auto fault = execute_watched(launch, counts ? &*counts : nullptr);
  std::fwrite(printed.data(), 1, printed.size(), stdout);
  if (!printed.empty()) std::fflush(stdout);  // before whoever waits for the launch writes there by other means
  const std::lock_guard lock(state().mutex);
  if (counts) state().counters.add(counts->of(launch));
  if (!fault) return CUDA_SUCCESS;
  if (state().settings.prints_reports) std::fprintf(stderr, "libjitc-cudaemu: %s\n", fault->report.c_str());
  return report(code_of(fault->fault.kind), fault->report);
}

CUresult launch_on(CUfunction function, const LaunchShape& shape, CUstream handle, void** params, void** extra) {
  const StreamPtr stream = find_stream(handle);
  const auto kernel = find_kernel(function);
  if (kernel == nullptr || stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  CUresult code = check_shape(*kernel, shape);
  if (code != CUDA_SUCCESS) return code;
  auto job = std::make_shared<LaunchJob>();
  job->kernel = kernel;
  job->shape = shape;
  job->stack_bytes = static_cast<uint32_t>(std::min<size_t>(limit_of(*stream->context, CU_LIMIT_STACK_SIZE), 1u << 20));
  code = read_params(kernel->program->functions[0], params, extra, job->params);
  if (code != CUDA_SUCCESS)
    return report(code, "the parameters of kernel " + kernel->program->name + " are incomplete");
  return submit(stream, {.run = [job](CUresult) { return run(*job); }, .after = {}});
}

/// Attributes that change nothing here are taken as they are.
CUresult read_attributes(const CUlaunchConfig& config, LaunchShape& shape) {
  if (config.numAttrs != 0 && config.attrs == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.is_cooperative = attribute.value.cooperative != 0;
    const auto& cluster = attribute.value.clusterDim;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && cluster.x * cluster.y * cluster.z > 1)
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult do_cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                           unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** params,
                           void** extra) {
  const LaunchShape shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
  return launch_on(function, shape, stream, params, extra);
}

CUresult do_cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                      CUstream stream, void** params) {
  const LaunchShape shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, true};
  return launch_on(function, shape, stream, params, nullptr);
}

CUresult do_cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  LaunchShape shape = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                       {config->blockDimX, config->blockDimY, config->blockDimZ},
                       config->sharedMemBytes};
  const CUresult code = read_attributes(*config, shape);
  return code == CUDA_SUCCESS ? launch_on(function, shape, config->hStream, params, extra) : code;
}

}  // namespace jitc::emulator::driver
