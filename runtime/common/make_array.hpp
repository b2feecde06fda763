// Arrays as the runtime makes them.
#pragma once

#include <memory>
#include <vector>

#include "jitc/array.hpp"
#include "runtime/common/queue.hpp"

namespace jitc::runtime {

class Backend;

/// Uninitialised, in C order, allocated on `queue`. Throws Error(argument), Error(memory).
Array make_array(const std::shared_ptr<Backend>& backend, const std::vector<int64_t>& shape, DType dtype,
                 const std::shared_ptr<Queue>& queue);

}  // namespace jitc::runtime
