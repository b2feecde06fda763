// A view of what a map computes becomes a map of views, so that views are of memory alone and maps fuse.
#pragma once

#include "src/array/ir.hpp"

namespace jitc::array {

/// Only where the map has no other use or is cheap, and nothing is stored in between. Reshapes stay: their base gets
/// memory.
Program push_views(Program program);

}  // namespace jitc::array
