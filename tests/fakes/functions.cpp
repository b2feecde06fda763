#include "tests/fakes/functions.hpp"

#include <algorithm>
#include <initializer_list>

namespace jitc::tests::fake {

namespace {

constexpr std::string_view kSymbols[] = {
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) #symbol,
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
};

enum class Afterwards : uint8_t { usable, poisoned, gone };

struct CodeRow {
  CUresult code;
  Afterwards afterwards;
};

constexpr CodeRow kCodes[] = {
#define JITC_CUDA_CODE(number, kind, afterwards, name, text) {name, Afterwards::afterwards},
#include "runtime/cuda/driver_codes.def"
#undef JITC_CUDA_CODE
};

Afterwards afterwards(CUresult code) {
  for (const CodeRow& row : kCodes) {
    if (row.code == code) return row.afterwards;
  }
  return Afterwards::usable;
}

bool is_one_of(Function function, std::initializer_list<Function> functions) {
  return std::find(functions.begin(), functions.end(), function) != functions.end();
}

}  // namespace

const char* symbol_of(Function function) { return kSymbols[static_cast<size_t>(function)].data(); }

std::optional<Function> find_function(std::string_view symbol) {
  const auto* row = std::find(std::begin(kSymbols), std::end(kSymbols), symbol);
  if (row == std::end(kSymbols)) return std::nullopt;
  return static_cast<Function>(row - std::begin(kSymbols));
}

/// Questions about devices and the thread's stack of contexts need none, nor what carries its context or device with
/// it.
bool needs_context(Function function) {
  const std::string_view symbol = symbol_of(function);
  for (const char* prefix : {"cuDevice", "cuMemPool", "cuGraphInstantiate", "cuGraphDestroy", "cuGraphExecDestroy"}) {
    if (symbol.starts_with(prefix)) return false;
  }
  return !works_always(function) &&
         !is_one_of(function,
                    {Function::cuInit, Function::cuCtxPushCurrent, Function::cuCtxPopCurrent, Function::cuCtxGetCurrent,
                     Function::cuCtxSetCurrent, Function::cuCtxGetDevice, Function::cuPointerGetAttribute});
}

bool is_release(Function function) {
  return is_one_of(function, {Function::cuMemFree, Function::cuMemFreeAsync, Function::cuMemFreeHost,
                              Function::cuMemHostUnregister, Function::cuMemPoolDestroy, Function::cuModuleUnload,
                              Function::cuStreamDestroy, Function::cuEventDestroy, Function::cuGraphDestroy,
                              Function::cuGraphExecDestroy, Function::cuLinkDestroy});
}

bool works_always(Function function) {
  return is_one_of(function, {Function::cuDriverGetVersion, Function::cuGetErrorName, Function::cuGetErrorString});
}

bool breaks_context(CUresult code) { return afterwards(code) != Afterwards::usable; }

/// A destroyed context is not the whole driver.
bool ends_driver(CUresult code) { return code == CUDA_ERROR_DEINITIALIZED; }

}  // namespace jitc::tests::fake
