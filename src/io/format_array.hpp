// Arrays as text: exact and readable back, or laid out for people.
#pragma once

#include <string>

#include "src/io/host_array.hpp"

namespace jitc::io {

/// `f4[2,2] {{1, 2.5}, {-0, nan}}`: a SPEC that reads back to the same elements (any NaN as nan). Rank 0: `f4[] {1}`.
std::string format_literal(const HostArray& array);

/// What NumPy's print shows: brackets, aligned columns, 8 digits after the point, lines of 75 characters, and three
/// items at each end of an axis when there are more than 200 elements (NumPy: 1000). No newline at the end.
std::string format_pretty(const HostArray& array);

}  // namespace jitc::io
