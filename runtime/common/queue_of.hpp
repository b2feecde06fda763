// From the Stream that a caller names to the queue of one device.
#pragma once

#include <memory>
#include <string_view>

#include "jitc/stream.hpp"
#include "runtime/common/backend.hpp"

namespace jitc::runtime {

/// The stream's queue, or the default one of `backend`. Throws Error(argument) that says what (`subject`: "an array")
/// lies on which device, when the stream is of another.
const std::shared_ptr<Queue>& queue_of(const Stream& stream, Backend& backend, std::string_view subject);

}  // namespace jitc::runtime
