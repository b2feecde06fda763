#include "tests/random_arrays/reference_backend.hpp"

#include <algorithm>
#include <cstring>

#include "tests/support/reference_interpreter.hpp"

namespace jitc::random_arrays {

namespace {

class Loaded : public runtime::LoadedKernel {
 public:
  explicit Loaded(const Artifact& artifact) : artifact_(artifact) {
    JITC_CHECK(artifact.code.size() == sizeof program_, "code that is no address of a program");
    std::memcpy(&program_, artifact.code.data(), sizeof program_);
  }
  KernelResources resources() const override {
    KernelResources out;
    out.max_threads_per_block = program_->max_threads_per_block;
    return out;
  }
  const kernel::KernelProgram& program() const { return *program_; }
  const Artifact& artifact() const { return artifact_; }

 private:
  Artifact artifact_;
  const kernel::KernelProgram* program_ = nullptr;
};

}  // namespace

Artifact ReferenceBackend::emit(const kernel::KernelProgram& program, const codegen::Target& target,
                                const codegen::EmitOptions&, codegen::EmitTimes*) {
  Artifact out;
  out.target = target.kind == codegen::Target::Kind::cpu ? "cpu" : "sm_80";
  out.name = program.name;
  out.symbol = program.symbol;
  out.signature = program.signature;
  out.arguments = program.arguments;
  const kernel::KernelProgram* const address = &program;
  out.code.assign(reinterpret_cast<const char*>(&address), sizeof address);
  for (const kernel::Param& p : program.params) {
    out.params.push_back({p.part, p.argument, p.axis, out.params_size_bytes, 8});
    out.params_size_bytes += 8;
  }
  return out;
}

std::byte* ReferenceBackend::allocate(size_t size_bytes, runtime::Queue&) {
  if (size_bytes == 0) return nullptr;
  auto* const data = static_cast<std::byte*>(::operator new (size_bytes, std::align_val_t{64}));
  std::memset(data, 0x7b, size_bytes);  // what has no value yet is no usual one
  allocations_.emplace(data, size_bytes);
  return data;
}

void ReferenceBackend::deallocate(runtime::Allocation allocation) noexcept {
  allocations_.erase(allocation.data);
  ::operator delete (allocation.data, std::align_val_t{64});
}

std::shared_ptr<runtime::LoadedKernel> ReferenceBackend::load(const Artifact& artifact) {
  return std::make_shared<Loaded>(artifact);
}

void ReferenceBackend::launch(const runtime::LoadedKernel& kernel, const LaunchConfig& config,
                              std::span<const std::byte> params, runtime::Queue&) {
  const auto& loaded = dynamic_cast<const Loaded&>(kernel);
  reference::ReferenceLaunch launch;
  launch.grid = {config.grid.x, config.grid.y, config.grid.z};
  launch.block = {config.block.x, config.block.y, config.block.z};
  launch.backwards = options_.backwards;
  for (const ParamSlot& slot : loaded.artifact().params) {
    reference::Bits value = 0;
    std::memcpy(&value, params.data() + slot.offset_bytes, slot.size_bytes);
    launch.params.push_back(value);
  }
  for (const auto& [data, size] : allocations_) launch.memory.push_back({data, size});
  const reference::ReferenceResult result = reference::run(loaded.program(), launch);
  if (result.failure) throw std::runtime_error("a kernel has failed");
  ++launches;
}

}  // namespace jitc::random_arrays
