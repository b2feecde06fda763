#include "runtime/cpu/cpu_kernel.hpp"

#include <atomic>
#include <cstdio>
#include <functional>
#include <utility>

#include "runtime/common/error.hpp"
#include "runtime/common/failure.hpp"
#include "runtime/cpu/fp_mode.hpp"
#include "runtime/cpu/scratch.hpp"

namespace jitc::runtime::cpu {

KernelCode::KernelCode(const Artifact& artifact_, std::unique_ptr<LoadedObject> object_)
    : artifact(artifact_), object(std::move(object_)) {
  artifact.code.clear();
  artifact.code.shrink_to_fit();
}

void run_kernel(const KernelCode& code, CpuLaunch launch, std::span<const std::byte> params, ThreadPool& pool) {
  const Artifact& artifact = code.artifact;
  FailRecord record;
  if (!artifact.fail_sites.empty()) launch.fail = &record;
  const uint64_t block_count = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const uint64_t scratch_bytes =
      cpu_scratch_size(artifact.cpu_scratch_bytes, artifact.cpu_scratch_bytes_per_thread, artifact.cooperative, launch);
  std::atomic<bool> out_of_memory = false;
  const KernelFpMode mode;
  const auto run = [&](uint64_t begin, uint64_t end) {
    std::byte* scratch = scratch_bytes == 0 ? nullptr : thread_scratch(scratch_bytes);
    if (scratch_bytes != 0 && scratch == nullptr) {
      out_of_memory = true;
      return;
    }
    code.object->entry()(params.data(), &launch, begin, end, scratch);
  };
  if (artifact.cooperative || artifact.prints) {
    run(0, block_count);
  } else {
    pool.run(block_count, std::ref(run));  // by reference, so that the function needs no memory
  }
  if (artifact.prints) std::fflush(stdout);
  if (out_of_memory) {
    fail(ErrorCode::memory, "kernel '{}' needs {} bytes of host memory for the threads that work together",
         artifact.name, scratch_bytes);
  }
  throw_if_failed(artifact, record);
}

}  // namespace jitc::runtime::cpu
