// The shapes of a call of array functions: planned before anything runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jitc/program.hpp"

namespace jitc::runtime {

/// The shape of an elementwise result: that of all array arguments, () where there are none. Throws Error(argument),
/// which begins with `title` and shows the shape of each array by name, where they differ.
std::vector<int64_t> elementwise_shape(std::string_view title, std::span<const std::string> names,
                                       std::span<const Argument> args);

/// Whether `out` can take the result that is stored while `args` are still read: element by element it lies exactly
/// over an argument, or shares no byte with it. All are C-contiguous.
bool may_store_directly(const Array& out, std::span<const Argument> args);

}  // namespace jitc::runtime
