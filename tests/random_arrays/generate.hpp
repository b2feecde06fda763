// Programs by chance.
#pragma once

#include "tests/random_arrays/program.hpp"

namespace jitc::random_arrays {

/// Small, and well typed by construction: all that is drawn fits in types, ranks and extents.
Program generate(uint64_t seed);

}  // namespace jitc::random_arrays
