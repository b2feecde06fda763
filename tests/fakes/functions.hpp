// The functions of the list, as the fake sees them: a number for each, what it needs, and what it does.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/cuda/driver_abi.hpp"

namespace jitc::tests::fake {

using namespace runtime::cuda;  // NOLINT(google-build-using-namespace): the driver's own words

enum class Function : uint16_t {
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) name,
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
  count
};

const char* symbol_of(Function function);
std::optional<Function> find_function(std::string_view symbol);

/// Fails where no context is current, and in a broken one.
bool needs_context(Function function);
/// Frees something: does so in a broken context too, and then returns the code that broke it.
bool is_release(Function function);
/// Works before cuInit, and when the driver is gone.
bool works_always(Function function);

/// Every later call in the context fails with this code.
bool breaks_context(CUresult code);
/// Every later call fails with this code.
bool ends_driver(CUresult code);

// What the functions do once the recorder lets them: called with the lock held, in the files named *_calls.cpp.
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) CUresult do_##name params;
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION

}  // namespace jitc::tests::fake
