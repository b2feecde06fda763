#include "tests/unit/contract/kernel_call.hpp"

#include <cstring>

#include "tests/support/reference_interpreter.hpp"
#include "tests/unit/codegen/cpu_program.hpp"

namespace jitc::contract {

namespace {

auto host_address(KernelCall& call) {
  return
      [&call](int buffer) { return reinterpret_cast<uint64_t>(call.buffers.at(static_cast<size_t>(buffer)).data()); };
}

}  // namespace

std::vector<Bytes> run_reference(const kernel::KernelProgram& program, KernelCall call) {
  reference::ReferenceLaunch launch{.grid = call.grid, .block = call.block};
  for (const kernel::Param& param : program.params) {
    launch.params.push_back(value_of(param, call, host_address(call)));
  }
  for (const Bytes& buffer : call.buffers) launch.memory.push_back({buffer.data(), buffer.size()});
  reference::run(program, launch);
  return std::move(call.buffers);
}

std::vector<Bytes> run_cpu(const kernel::KernelProgram& program, KernelCall call) {
  const codegen::tests::CpuProgram compiled(program);
  const Artifact& artifact = compiled.artifact();
  Bytes params(artifact.params_size_bytes);
  for (const ParamSlot& slot : artifact.params) {
    const uint64_t value = value_of(slot, call, host_address(call));
    std::memcpy(params.data() + slot.offset_bytes, &value, slot.size_bytes);
  }
  CpuLaunch launch;
  for (size_t axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = call.grid[axis];
    launch.block[axis] = call.block[axis];
  }
  // Not zeros: what a kernel does not write it must not read.
  Bytes scratch(64 + cpu_scratch_size(artifact.cpu_scratch_bytes, artifact.cpu_scratch_bytes_per_thread, false, launch),
                std::byte{0x7f});
  std::byte* const aligned = scratch.data() + (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64);
  compiled.entry()(params.data(), &launch, 0, uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2], aligned);
  return std::move(call.buffers);
}

}  // namespace jitc::contract
