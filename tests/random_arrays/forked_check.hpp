// A check in a process of its own, for programs that end the process.
#pragma once

#include "tests/random_arrays/check_program.hpp"

namespace jitc::random_arrays {

/// As Checker::check(); a process that a signal has ended is a difference.
std::optional<Difference> forked_check(const Program& program, const std::vector<Where>& wheres, Mistake mistake);

}  // namespace jitc::random_arrays
