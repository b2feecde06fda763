// Runs a kernel program on the host through its object code, in the test's own loader.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/cpu_abi.hpp"
#include "src/codegen/codegen.hpp"
#include "src/kernel/builder.hpp"

namespace jitc::codegen::tests {

/// Loaded machine code.
class CpuProgram {
 public:
  explicit CpuProgram(const kernel::KernelProgram& program, const EmitOptions& options = {});
  ~CpuProgram();

  const Artifact& artifact() const { return artifact_; }
  CpuKernel entry() const { return entry_; }
  /// Runs all blocks. `params`: one value per KernelProgram::params, each of its exact C++ type.
  template <class... Params>
  void run(CpuLaunch launch, Params... params) const {
    const std::vector<std::byte> block = pack(params...);
    const uint64_t blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    std::vector<std::byte> scratch(64 + cpu_scratch_size(artifact_.cpu_scratch_bytes,
                                                         artifact_.cpu_scratch_bytes_per_thread, artifact_.cooperative,
                                                         launch));
    const auto address = reinterpret_cast<uintptr_t>(scratch.data());
    entry_(block.data(), &launch, 0, blocks, scratch.data() + (64 - address % 64));
  }
  template <class... Params>
  std::vector<std::byte> pack(Params... params) const {
    std::vector<std::byte> block(artifact_.params_size_bytes);
    size_t slot = 0;
    (put(block, slot++, &params, sizeof(params)), ...);
    if (slot != artifact_.params.size()) throw std::logic_error("the kernel has another number of parameters");
    return block;
  }

 private:
  void put(std::vector<std::byte>& block, size_t slot, const void* value, size_t size_bytes) const {
    const ParamSlot& where = artifact_.params.at(slot);
    if (where.size_bytes != size_bytes) throw std::logic_error("a parameter has another size");
    std::memcpy(block.data() + where.offset_bytes, value, size_bytes);
  }

  struct Loader;
  Artifact artifact_;
  std::unique_ptr<Loader> loader_;
  CpuKernel entry_ = nullptr;
};

/// 256 threads a block, enough blocks for `count_elems` threads.
CpuLaunch launch_for(size_t count_elems);

}  // namespace jitc::codegen::tests
