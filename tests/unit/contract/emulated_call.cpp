#include <stdexcept>
#include <string>

#include "runtime/cuda/driver.hpp"
#include "src/codegen/codegen.hpp"
#include "tests/unit/contract/kernel_call.hpp"

namespace jitc::contract {

using namespace runtime::cuda;

namespace {

void check(CUresult code, const std::string& what) {
  if (code != CUDA_SUCCESS) throw std::runtime_error(what + " gives code " + std::to_string(static_cast<int>(code)));
}

/// The emulator with its context, for the time of the process.
const Driver& emulator() {
  static const std::shared_ptr<const Driver> driver = [] {
    std::shared_ptr<const Driver> made = Driver::load(JITC_CUDAEMU);
    CUcontext context = nullptr;
    check(made->cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    check(made->cuCtxPushCurrent(context), "cuCtxPushCurrent");
    return made;
  }();
  return *driver;
}

}  // namespace

std::vector<Bytes> run_emulated(const kernel::KernelProgram& program, KernelCall call) {
  return run_emulated_with({}, program, std::move(call));
}

std::vector<Bytes> run_emulated_with(const codegen::EmitOptions& options, const kernel::KernelProgram& program,
                                     KernelCall call) {
  const Driver& driver = emulator();
  const Artifact artifact = codegen::emit(program, {codegen::Target::Kind::nvptx, 80}, options);
  CUmodule module = nullptr;
  check(driver.cuModuleLoadData(&module, artifact.code.c_str()), "cuModuleLoadData");
  CUfunction function = nullptr;
  check(driver.cuModuleGetFunction(&function, module, artifact.symbol.c_str()), "cuModuleGetFunction");
  std::vector<CUdeviceptr> memory(call.buffers.size());
  for (size_t i = 0; i < memory.size(); ++i) {
    check(driver.cuMemAlloc(&memory[i], call.buffers[i].size()), "cuMemAlloc");
    check(driver.cuMemcpyHtoD(memory[i], call.buffers[i].data(), call.buffers[i].size()), "cuMemcpyHtoD");
  }
  std::vector<uint64_t> values;
  for (const ParamSlot& slot : artifact.params) {
    values.push_back(value_of(slot, call, [&](int buffer) { return memory.at(static_cast<size_t>(buffer)); }));
  }
  std::vector<void*> params;
  for (uint64_t& value : values) params.push_back(&value);
  const auto& [gx, gy, gz] = call.grid;
  const auto& [bx, by, bz] = call.block;
  check(driver.cuLaunchKernel(function, gx, gy, gz, bx, by, bz, 0, nullptr, params.data(), nullptr), "the launch");
  check(driver.cuCtxSynchronize(), "the kernel");
  for (size_t i = 0; i < memory.size(); ++i) {
    check(driver.cuMemcpyDtoH(call.buffers[i].data(), memory[i], call.buffers[i].size()), "cuMemcpyDtoH");
    driver.cuMemFree(memory[i]);
  }
  driver.cuModuleUnload(module);
  return std::move(call.buffers);
}

}  // namespace jitc::contract
