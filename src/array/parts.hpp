// Real and imaginary parts of complex arrays: views where someone may store through them, else maps, which fuse.
#pragma once

#include "src/array/ir.hpp"

namespace jitc::array {

/// A Part stays, without its map, where its memory is stored to at all; elsewhere its map takes its place.
Program settle_parts(Program program);

}  // namespace jitc::array
