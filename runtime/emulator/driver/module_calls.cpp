// Modules: PTX texts in memory, their kernels and their variables.
#include <algorithm>

#include "runtime/emulator/driver/device_memory.hpp"
#include "runtime/emulator/driver/jit_log.hpp"
#include "runtime/emulator/driver/load_text.hpp"
#include "runtime/emulator/driver/loaded_code.hpp"
#include "runtime/emulator/driver/ptx_versions.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

/// A module of the current context, or null.
std::shared_ptr<CodeModule> find_module(CUmodule handle) {
  auto module = state().modules.find(handle);
  return module != nullptr && module->code->context == current_context() ? module : nullptr;
}

LoadTarget target_of(const Context& context) {
  const LoadTarget parser;
  return {static_cast<uint32_t>(context.device.sm->number),
          std::min(parser.max_version, newest_ptx(state().settings.driver_version))};
}

CUmodule add_module(const std::shared_ptr<LoadedCode>& code) {
  const auto module = std::make_shared<CodeModule>();
  module->code = code;
  for (const Program& program : code->module.programs)
    module->kernels[program.name] = state().kernels.add(make_kernel(code, program));
  return state().modules.add(module);
}

CUresult load(CUmodule* out, const void* image, const JitLog& log) {
  LoadResult result = load_text(image, target_of(*current_context()));
  log.write_errors(result.log);
  log.write_infos({});
  if (result.code != CUDA_SUCCESS) return report(result.code, result.log);
  const auto code = place(std::move(*result.module), *current_context());
  if (code == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *out = add_module(code);
  return CUDA_SUCCESS;
}

/// A variable that the module defines, or null.
const Symbol* find_symbol(const CodeModule& module, const char* name) {
  const Image& image = module.code->module.image;
  const auto found = image.symbol_by_name.find(name);
  return found == image.symbol_by_name.end() ? nullptr : &image.symbols[found->second];
}

}  // namespace

CUresult do_cuModuleLoadData(CUmodule* module, const void* image) {
  return do_cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}

CUresult do_cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                               void** values) {
  if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  return load(module, image, JitLog(count, options, values));
}

/// The context's work goes on to the end first: it may use the module.
CUresult do_cuModuleUnload(CUmodule handle) {
  const auto module = find_module(handle);
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  drain(*module->code->context);
  for (const auto& [name, kernel] : module->kernels) state().kernels.remove(kernel);
  for (const AllocationPtr& segment : {module->code->global, module->code->constant}) {
    if (segment != nullptr) release(segment);
  }
  state().modules.remove(handle);
  return CUDA_SUCCESS;
}

CUresult do_cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  const auto module = find_module(handle);
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto found = module->kernels.find(name);
  if (found == module->kernels.end()) return CUDA_ERROR_NOT_FOUND;
  *function = found->second;
  return CUDA_SUCCESS;
}

CUresult do_cuModuleGetGlobal(CUdeviceptr* data, size_t* size_bytes, CUmodule handle, const char* name) {
  const auto module = find_module(handle);
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Symbol* symbol = find_symbol(*module, name);
  if (symbol == nullptr) return CUDA_ERROR_NOT_FOUND;
  if (data != nullptr) *data = address_of(*module->code, *symbol);
  if (size_bytes != nullptr) *size_bytes = symbol->size_bytes;
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
