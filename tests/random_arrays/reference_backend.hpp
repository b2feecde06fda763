// A device whose kernels are kernel IR, which the reference interpreter runs: an array function's plan is carried out
// without LLVM.
#pragma once

#include <map>
#include <mutex>

#include "src/engine/engine.hpp"
#include "tests/support/host_backend.hpp"

namespace jitc::random_arrays {

struct ReferenceOptions {
  bool is_gpu = false;     ///< forms of kernels and launch shapes as for a GPU
  bool backwards = false;  ///< threads last first
};

class ReferenceBackend : public tests::HostBackend {
 public:
  explicit ReferenceBackend(ReferenceOptions options)
      : HostBackend(options.is_gpu ? "reference of a GPU" : "reference"),
        options_(options),
        target_(options.is_gpu ? "sm_80" : "cpu") {}

  const std::string& target() const override { return target_; }
  unsigned worker_threads() const override { return 2; }
  bool is_host() const override { return !options_.is_gpu; }

  std::byte* allocate(size_t size_bytes, runtime::Queue& queue) override;
  void deallocate(runtime::Allocation allocation) noexcept override;

  std::shared_ptr<runtime::LoadedKernel> load(const Artifact& artifact) override;
  void check_launch(const runtime::LoadedKernel&, const LaunchConfig&) override {}
  void launch(const runtime::LoadedKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
              runtime::Queue& queue) override;

  uint64_t launches = 0;

  /// Stands in for codegen::emit(): an artifact whose code is the address of the program, which outlives it.
  static Artifact emit(const kernel::KernelProgram& program, const codegen::Target& target, const codegen::EmitOptions&,
                       codegen::EmitTimes*);

 private:
  ReferenceOptions options_;
  std::string target_;
  std::map<const std::byte*, size_t> allocations_;
};

}  // namespace jitc::random_arrays
