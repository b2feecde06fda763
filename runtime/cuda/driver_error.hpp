// The one place where the driver's codes become errors.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "jitc/error.hpp"
#include "runtime/cuda/driver_table.hpp"

namespace jitc::runtime::cuda {

/// memory, target, launch, or device: also for numbers that have no name.
ErrorCode error_code_of(CUresult code);

/// No later call in the context can succeed: a kernel broke it, the device failed, or is_shutdown().
bool is_sticky(CUresult code);

/// The driver or the context is gone, and with it all that belonged to it: success for whoever wants to free something.
bool is_shutdown(CUresult code);

/// `<doing>: cuMemAlloc_v2 returned CUDA_ERROR_OUT_OF_MEMORY (2): out of memory; <context>`, the name and the text by
/// the driver itself, or by driver_codes.def when it has none.
DriverError make_driver_error(const AnyDriverFunction& function, CUresult code, std::string_view doing,
                              std::string_view context = {});

/// Throws that error unless the call succeeded: check(d.cuMemAlloc, d.cuMemAlloc(&p, n), "allocating {} bytes", n).
template <class... Args>
void check(const AnyDriverFunction& function, CUresult code, fmt::format_string<Args...> doing, Args&&... args) {
  if (code != CUDA_SUCCESS) [[unlikely]]
    throw make_driver_error(function, code, fmt::format(doing, std::forward<Args>(args)...));
}

}  // namespace jitc::runtime::cuda
