// Modules: PTX texts, their functions and their global variables.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "runtime/emulator/driver/jit_log.hpp"
#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

using emulator::driver::JitLog;

namespace {

/// The newest PTX of each driver. Source: the table of releases in the PTX ISA's notes.
struct IsaRow {
  int driver_version;
  int isa;
};
constexpr IsaRow kIsas[] = {{11000, 70}, {11010, 71}, {11020, 72}, {11030, 73}, {11040, 74}, {11050, 75}, {11060, 76},
                            {11070, 77}, {11080, 78}, {12000, 80}, {12010, 81}, {12020, 82}, {12030, 83}, {12040, 84},
                            {12050, 85}, {12070, 86}, {12080, 87}, {12090, 88}, {13000, 90}, {13010, 91}};

int newest_isa(int driver_version) {
  int isa = 0;
  for (const IsaRow& row : kIsas) isa = driver_version >= row.driver_version ? row.isa : isa;
  return isa;
}

std::string dotted(int isa) { return std::to_string(isa / 10) + "." + std::to_string(isa % 10); }

/// What the driver's compiler says of a text; CUDA_SUCCESS and no log where it takes it.
CUresult judge(const PtxText& ptx, std::string& log) {
  if (!log.empty()) return CUDA_ERROR_INVALID_PTX;
  const int newest = newest_isa(world().pose.driver_version);
  if (ptx.isa > newest) {
    log = "ptxas fatal   : Unsupported .version " + dotted(ptx.isa) + "; current version is '" + dotted(newest) + "'";
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  const int sm = find_device(current_context()->device)->sm;
  if (ptx.target <= sm) return CUDA_SUCCESS;
  log = "ptxas fatal   : SM version specified by .target is higher than default SM version assumed";
  return CUDA_ERROR_INVALID_PTX;
}

/// A global variable's storage, all zero.
CUresult add_global(CUmodule loaded, const PtxGlobal& global) {
  if (global.size_bytes == 0) return CUDA_SUCCESS;
  AllocationPtr& made = loaded->globals[global.name];
  const CUresult code = world().memory.allocate(MemoryKind::global, global.size_bytes, loaded->context, nullptr, made);
  if (code == CUDA_SUCCESS) std::memset(reinterpret_cast<void*>(made->base), 0, made->size_bytes);  // NOLINT
  return code;
}

void add_function(CUmodule loaded, const PtxEntry& entry) {
  CUfunction function = world().functions.add();
  function->context = loaded->context;
  function->entry = &entry;
  for (const std::string& name : {std::string(), entry.name}) {
    for (const auto& [attribute, value] : world().function_attributes[name]) function->attributes[attribute] = value;
  }
  loaded->functions[entry.name] = function;
}

/// Texts of one module that were linked stand one behind the other.
CUresult load(CUmodule* out, const char* image, const JitLog& options) {
  std::string log;
  PtxText ptx = parse_ptx(image, log);
  const CUresult verdict = judge(ptx, log);
  if (verdict != CUDA_SUCCESS) {
    options.write_errors(log);
    return verdict;
  }
  CUmodule loaded = world().modules.add();
  loaded->context = current_context();
  loaded->ptx = std::move(ptx);
  for (const PtxGlobal& global : loaded->ptx.globals) {
    if (add_global(loaded, global) != CUDA_SUCCESS) return CUDA_ERROR_OUT_OF_MEMORY;
  }
  for (const PtxEntry& entry : loaded->ptx.entries) add_function(loaded, entry);
  options.write_errors({});
  options.write_infos({});
  *out = loaded;
  return CUDA_SUCCESS;
}

bool is_module(CUmodule handle) { return world().modules.holds(handle) && handle->context == current_context(); }

}  // namespace

CUresult do_cuModuleLoadData(CUmodule* loaded, const void* image) {
  return do_cuModuleLoadDataEx(loaded, image, 0, nullptr, nullptr);
}

CUresult do_cuModuleLoadDataEx(CUmodule* loaded, const void* image, unsigned count, CUjit_option* options,
                               void** values) {
  const JitLog jit(count, options, values);
  if (const auto answer = take_scripted_log()) {
    jit.write_errors(answer->log);
    return answer->code;
  }
  return image == nullptr ? CUDA_ERROR_INVALID_VALUE : load(loaded, static_cast<const char*>(image), jit);
}

/// Its work goes on to the end first.
CUresult do_cuModuleUnload(CUmodule handle) {
  if (!is_module(handle)) {
    misuse(Function::cuModuleUnload, "no module of this context");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  for (const auto& [name, global] : handle->globals) {
    check_unused(Function::cuModuleUnload, *global);
    world().memory.release(global);
  }
  for (const auto& [name, function] : handle->functions) world().functions.remove(function);
  world().modules.remove(handle);
  return CUDA_SUCCESS;
}

CUresult do_cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  if (!is_module(handle)) return CUDA_ERROR_INVALID_HANDLE;
  const auto found = handle->functions.find(name);
  if (found == handle->functions.end()) return CUDA_ERROR_NOT_FOUND;
  *function = found->second;
  return CUDA_SUCCESS;
}

CUresult do_cuModuleGetGlobal(CUdeviceptr* data, size_t* size_bytes, CUmodule handle, const char* name) {
  if (!is_module(handle)) return CUDA_ERROR_INVALID_HANDLE;
  const auto found = handle->globals.find(name);
  if (found == handle->globals.end()) return CUDA_ERROR_NOT_FOUND;
  if (data != nullptr) *data = found->second->base;
  if (size_bytes != nullptr) *size_bytes = found->second->size_bytes;
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
