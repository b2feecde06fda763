#include "runtime/emulator/driver/calls.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace jitc::emulator::driver {
namespace {

struct CallRow {
  std::string_view name;
  std::string_view symbol;
};

constexpr CallRow kCalls[] = {
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) {#name, #symbol},
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
};

bool is_one_of(Call call, std::initializer_list<Call> calls) {
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

}  // namespace

std::string_view symbol_of(Call call) { return kCalls[static_cast<size_t>(call)].symbol; }

std::optional<Call> find_call(std::string_view name) {
  const auto* row = std::find_if(std::begin(kCalls), std::end(kCalls),
                                 [&](const CallRow& r) { return r.name == name || r.symbol == name; });
  if (row == std::end(kCalls)) return std::nullopt;
  return static_cast<Call>(row - std::begin(kCalls));
}

/// Questions about devices and the thread's stack of contexts need none, nor what carries its context or device with
/// it.
bool needs_context(Call call) {
  const std::string_view symbol = symbol_of(call);
  for (const char* prefix : {"cuDevice", "cuMemPool", "cuGraphInstantiate", "cuGraphDestroy", "cuGraphExecDestroy"}) {
    if (symbol.starts_with(prefix)) return false;
  }
  return !works_always(call) &&
         !is_one_of(call, {Call::cuInit, Call::cuCtxPushCurrent, Call::cuCtxPopCurrent, Call::cuCtxGetCurrent,
                           Call::cuCtxSetCurrent, Call::cuCtxGetDevice, Call::cuPointerGetAttribute});
}

bool is_release(Call call) {
  return is_one_of(call, {Call::cuMemFree, Call::cuMemFreeAsync, Call::cuMemFreeHost, Call::cuMemHostUnregister,
                          Call::cuModuleUnload, Call::cuStreamDestroy, Call::cuEventDestroy, Call::cuLinkDestroy});
}

bool works_always(Call call) {
  return is_one_of(call, {Call::cuDriverGetVersion, Call::cuGetErrorName, Call::cuGetErrorString});
}

}  // namespace jitc::emulator::driver
