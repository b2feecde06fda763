// From an Artifact of PTX to a kernel that a device can run.
#include <algorithm>
#include <charconv>

#include "jitc/cpu_abi.hpp"
#include "runtime/common/error.hpp"
#include "runtime/cuda/cuda_kernel.hpp"
#include "runtime/cuda/ptx_isa.hpp"

namespace jitc::runtime::cuda {

namespace {

constexpr size_t kLogBytes = 8192;

/// 80 for "sm_80"; 0 for what is no SM.
int sm_number(std::string_view target) {
  int sm = 0;
  if (target.starts_with("sm_")) std::from_chars(target.data() + 3, target.data() + target.size(), sm);
  return sm;
}

void check_target(const DeviceFacts& facts, const Artifact& artifact) {
  if (artifact.kind != Artifact::Kind::ptx) {
    fail(ErrorCode::target, "{} was compiled for {}, not for {}", title_of(artifact), artifact.target, facts.name);
  }
  if (sm_number(artifact.target) <= facts.sm()) return;
  fail(ErrorCode::target, "{} was compiled for {}, {} ({}) is an {} device: compile it for {} or older",
       title_of(artifact), artifact.target, facts.name, facts.product, facts.target(), facts.target());
}

void check_ptx_isa(const Driver& driver, const Artifact& artifact) {
  const int newest = newest_ptx_isa(driver.version());
  if (artifact.ptx_isa <= newest) return;
  const int wanted = oldest_driver_for(artifact.ptx_isa);
  const std::string remedy =
      wanted == 0 ? "a newer driver" : fmt::format("a driver for CUDA {} or newer", version_text(wanted));
  fail(ErrorCode::target, "{} needs PTX ISA {}, the driver (CUDA {}) takes up to {}: install {}", title_of(artifact),
       ptx_isa_text(artifact.ptx_isa), version_text(driver.version()), ptx_isa_text(newest), remedy);
}

/// What the driver's compiler said, in one piece of text.
std::string joined_logs(std::string_view errors, std::string_view infos) {
  std::string log(errors.substr(0, errors.find('\0')));
  const std::string_view info = infos.substr(0, infos.find('\0'));
  if (!log.empty() && !info.empty()) log += '\n';
  log += info;
  while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
  return log.empty() ? log : "its log:\n" + log;
}

CUmodule load_module(DeviceState& device, const Artifact& artifact) {
  std::string errors(kLogBytes, '\0');
  std::string infos(kLogBytes, '\0');
  const auto number = [](size_t value) { return reinterpret_cast<void*>(value); };  // the driver's way to pass numbers
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {errors.data(), number(kLogBytes - 1), infos.data(), number(kLogBytes - 1)};
  const Driver& driver = device.driver();
  CUmodule module = nullptr;
  const CUresult code = driver.cuModuleLoadDataEx(&module, artifact.code.c_str(), 4, options, values);
  if (code == CUDA_SUCCESS) return module;
  device.context.raise(driver.cuModuleLoadDataEx, code, "loading " + title_of(artifact), joined_logs(errors, infos));
}

CUfunction find_function(DeviceState& device, CUmodule module, const Artifact& artifact) {
  const Driver& driver = device.driver();
  CUfunction function = nullptr;
  device.context.check(driver.cuModuleGetFunction,
                       driver.cuModuleGetFunction(&function, module, artifact.symbol.c_str()), "looking for '{}' in {}",
                       artifact.symbol, title_of(artifact));
  return function;
}

/// 0 for a kernel that is not checked.
CUdeviceptr find_fail_record(DeviceState& device, CUmodule module, const Artifact& artifact) {
  if (artifact.fail_sites.empty()) return 0;
  const Driver& driver = device.driver();
  const std::string symbol = artifact.symbol + "__fail";
  CUdeviceptr record = 0;
  size_t size_bytes = 0;
  device.context.check(driver.cuModuleGetGlobal, driver.cuModuleGetGlobal(&record, &size_bytes, module, symbol.c_str()),
                       "looking for '{}' in {}", symbol, title_of(artifact));
  if (size_bytes != sizeof(FailRecord)) {
    fail(ErrorCode::internal, "'{}' of {} has {} bytes, not {}: a bug of jitc", symbol, title_of(artifact), size_bytes,
         sizeof(FailRecord));
  }
  return record;
}

uint32_t attribute(DeviceState& device, CUfunction function, CUfunction_attribute which, const Artifact& artifact) {
  const Driver& driver = device.driver();
  int value = 0;
  device.context.check(driver.cuFuncGetAttribute, driver.cuFuncGetAttribute(&value, which, function),
                       "asking what {} takes", title_of(artifact));
  return static_cast<uint32_t>(value);
}

KernelResources read_resources(DeviceState& device, CUfunction function, const Artifact& artifact) {
  const auto read = [&](CUfunction_attribute which) { return attribute(device, function, which, artifact); };
  KernelResources out;
  out.registers_per_thread = read(CU_FUNC_ATTRIBUTE_NUM_REGS);
  out.static_shared_bytes = read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  out.local_bytes_per_thread = read(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  out.const_bytes = read(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  out.max_threads_per_block = std::min(read(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), artifact.max_threads_per_block);
  return out;
}

}  // namespace

std::shared_ptr<CudaKernel> load_kernel(const std::shared_ptr<DeviceState>& device, const Artifact& artifact) {
  check_target(device->facts, artifact);
  check_ptx_isa(device->driver(), artifact);
  const ContextScope scope(device->context);
  KernelParts parts;
  parts.module = load_module(*device, artifact);
  try {
    parts.function = find_function(*device, parts.module, artifact);
    parts.fail_record = find_fail_record(*device, parts.module, artifact);
    parts.resources = read_resources(*device, parts.function, artifact);
    return std::make_shared<CudaKernel>(device, artifact, parts);
  } catch (...) {
    device->cleanup.add(parts.module);
    throw;
  }
}

}  // namespace jitc::runtime::cuda
