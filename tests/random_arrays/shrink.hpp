// Makes a program that shows a difference smaller, as long as it shows the same one.
#pragma once

#include <functional>

#include "tests/random_arrays/program.hpp"

namespace jitc::random_arrays {

/// `shows` is asked for each smaller program. At most `max_tries` times.
Program shrink(Program program, const std::function<bool(const Program&)>& shows, int max_tries = 2000);

}  // namespace jitc::random_arrays
