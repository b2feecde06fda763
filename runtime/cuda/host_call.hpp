// Functions of the host in the order of a stream.
#pragma once

#include <functional>
#include <memory>

#include "runtime/cuda/context.hpp"
#include "runtime/cuda/work_reports.hpp"

namespace jitc::runtime::cuda {

/// Calls `function` on a thread of the driver after the work that `stream` has; what it throws goes to `reports`. The
/// context is current. Throws DriverError.
void call_behind(Context& context, CUstream stream, std::function<void()> function,
                 std::shared_ptr<WorkReports> reports);

}  // namespace jitc::runtime::cuda
