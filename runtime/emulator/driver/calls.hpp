// The functions of the driver as the emulator sees them: a number for each, what it needs, and what it does.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/cuda/driver_abi.hpp"

namespace jitc::emulator::driver {

using namespace runtime::cuda;  // NOLINT(google-build-using-namespace): the driver's own words

enum class Call : uint16_t {
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) name,
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
};

/// As the library exports it: "cuMemAlloc_v2".
std::string_view symbol_of(Call call);
/// By its symbol, or by its name without the interface's number.
std::optional<Call> find_call(std::string_view name);

/// Fails where no context is current, and in a broken one.
bool needs_context(Call call);
/// Frees something: does so in a broken context too, and then returns the code that broke it.
bool is_release(Call call);
/// Works before cuInit.
bool works_always(Call call);

/// Whether every later call in the context fails with this code.
bool breaks_context(CUresult code);

// What the functions do once the gate lets them: called with the lock held.
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) CUresult do_##name params;
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION

}  // namespace jitc::emulator::driver
