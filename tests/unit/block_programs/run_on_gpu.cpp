#include "tests/unit/block_programs/run_on_gpu.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "src/codegen/codegen.hpp"

namespace jitc::blocks {

using namespace runtime::cuda;

namespace {

void check(CUresult code, const char* what) {
  if (code != CUDA_SUCCESS) throw std::runtime_error(fmt::format("{} gives code {}", what, static_cast<int>(code)));
}

/// An array of the device's memory for the time of a run.
class DeviceArray {
 public:
  template <class T>
  DeviceArray(const Driver& driver, const std::vector<T>& elems) : driver_(driver) {
    check(driver.cuMemAlloc(&data, elems.size() * sizeof(T)), "cuMemAlloc");
    check(driver.cuMemcpyHtoD(data, elems.data(), elems.size() * sizeof(T)), "cuMemcpyHtoD");
  }
  ~DeviceArray() { driver_.cuMemFree(data); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  template <class T>
  void read(std::vector<T>& elems) const {
    check(driver_.cuMemcpyDtoH(elems.data(), data, elems.size() * sizeof(T)), "cuMemcpyDtoH");
  }

  CUdeviceptr data = 0;

 private:
  const Driver& driver_;
};

class LoadedModule {
 public:
  LoadedModule(const Driver& driver, const std::string& ptx) : driver_(driver) {
    check(driver.cuModuleLoadData(&module_, ptx.c_str()), "cuModuleLoadData");
  }
  ~LoadedModule() { driver_.cuModuleUnload(module_); }
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  CUfunction function(const std::string& name) const {
    CUfunction found = nullptr;
    check(driver_.cuModuleGetFunction(&found, module_, name.c_str()), "cuModuleGetFunction");
    return found;
  }
  /// Whether a thread of a checked kernel has failed.
  bool has_failed(const std::string& symbol) const {
    CUdeviceptr record = 0;
    size_t size = 0;
    const CUresult code = driver_.cuModuleGetGlobal(&record, &size, module_, (symbol + "__fail").c_str());
    if (code == CUDA_ERROR_NOT_FOUND) return false;  // none of its threads can fail
    check(code, "cuModuleGetGlobal");
    FailRecord value;
    check(driver_.cuMemcpyDtoH(&value, record, sizeof value), "cuMemcpyDtoH");
    return value.state != 0;
  }

 private:
  const Driver& driver_;
  CUmodule module_ = nullptr;
};

void launch(const Driver& driver, const BlockProgram& program, CUfunction function, bool is_cooperative,
            void** params) {
  const auto& [gx, gy, gz] = program.grid;
  const auto& [bx, by, bz] = program.block;
  const auto shared = static_cast<unsigned>(program.dynamic_shared_bytes);
  check(is_cooperative ? driver.cuLaunchCooperativeKernel(function, gx, gy, gz, bx, by, bz, shared, nullptr, params)
                       : driver.cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, nullptr, params, nullptr),
        "the launch");
  check(driver.cuCtxSynchronize(), "the kernel");
}

void run_with(const Driver& driver, const BlockProgram& program, const Artifact& artifact, BlockRun& run) {
  const LoadedModule module(driver, artifact.code);
  BlockMemory& m = run.memory;
  const DeviceArray out(driver, m.out), in(driver, m.in), exchange(driver, m.exchange), wide(driver, m.wide),
      narrow(driver, m.narrow);
  int64_t scalar = program.scalar;
  const DeviceArray* arrays[] = {&out, &in, &exchange, &wide, &narrow};
  std::vector<void*> params;
  for (const DeviceArray* array : arrays) params.push_back(const_cast<CUdeviceptr*>(&array->data));
  params.push_back(&scalar);
  launch(driver, program, module.function(artifact.symbol), artifact.cooperative, params.data());
  out.read(m.out), in.read(m.in), exchange.read(m.exchange), wide.read(m.wide), narrow.read(m.narrow);
  run.failed = !program.program.fail_sites.empty() && module.has_failed(artifact.symbol);
}

}  // namespace

Gpu::Gpu(const std::string& driver_library) : driver_(Driver::load(driver_library)) { open(); }

Gpu::~Gpu() { close(); }

void Gpu::open() {
  CUcontext context = nullptr;
  check(driver_->cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  check(driver_->cuCtxPushCurrent(context), "cuCtxPushCurrent");
}

void Gpu::close() {
  driver_->cuCtxPopCurrent(nullptr);
  driver_->cuDevicePrimaryCtxRelease(0);
}

BlockRun Gpu::run(const BlockProgram& program, int sm) {
  BlockRun run{initial_memory(program)};
  try {
    run_with(*driver_, program, codegen::emit(program.program, {codegen::Target::Kind::nvptx, sm}), run);
  } catch (const std::runtime_error& error) {
    run.error = error.what();
    close();  // a kernel that failed has broken the context
    open();
  }
  return run;
}

}  // namespace jitc::blocks
