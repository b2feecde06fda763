// How wide the elements of one printed array are, and each element in that width: NumPy's rules.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "jitc/program.hpp"

namespace jitc::io {

/// Turns an element into text that has the same width for all `shown` elements (at least one, all of one dtype).
using ColumnFormat = std::function<std::string(Scalar)>;
ColumnFormat choose_column_format(const std::vector<Scalar>& shown);

}  // namespace jitc::io
