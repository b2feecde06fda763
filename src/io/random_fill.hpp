// The elements of random: and normal:, each a pure function of seed and index.
#pragma once

#include <cstdint>

#include "src/io/array_spec.hpp"

namespace jitc::io {

/// Overwrites `out` with what `spec` (random or normal) asks for. Throws InputError for a range that is empty or does
/// not fit the type, and for normal: of a type that is not real.
void fill_random(const FillSpec& spec, HostArray& out);

}  // namespace jitc::io
