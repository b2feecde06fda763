// A kernel on the CPU: its machine code, and one launch of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "jitc/cpu_abi.hpp"
#include "runtime/common/backend.hpp"
#include "runtime/cpu/object_loader.hpp"
#include "runtime/cpu/thread_pool.hpp"

namespace jitc::runtime::cpu {

/// Code, and its artifact for the fail sites. Shared by the kernel and the work that waits to run it.
struct KernelCode {
  KernelCode(const Artifact& artifact_, std::unique_ptr<LoadedObject> object_);

  Artifact artifact;  // without its code
  std::unique_ptr<LoadedObject> object;
};

class CpuLoadedKernel : public LoadedKernel {
 public:
  explicit CpuLoadedKernel(std::shared_ptr<const KernelCode> code) : code_(std::move(code)) {}
  const std::shared_ptr<const KernelCode>& code() const { return code_; }
  KernelResources resources() const override {
    return {.static_shared_bytes = code_->artifact.static_shared_bytes,
            .max_threads_per_block = code_->artifact.max_threads_per_block};
  }

 private:
  std::shared_ptr<const KernelCode> code_;
};

/// Runs all blocks. Blocks that must meet, and those that print, run in order on the calling thread, all others on the
/// pool. Throws Error(kernel) when a checked kernel stopped, Error(memory) when there is no room for shared arrays.
void run_kernel(const KernelCode& code, CpuLaunch launch, std::span<const std::byte> params, ThreadPool& pool);

}  // namespace jitc::runtime::cpu
