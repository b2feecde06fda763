// What a function needs, and how many of its blocks a multiprocessor holds.
#pragma once

#include <cstddef>

#include "tests/fakes/functions.hpp"

namespace jitc::tests::fake {

/// A function of the current context.
bool is_function(CUfunction function);
int function_attribute(CUfunction function, CUfunction_attribute attribute);
/// Blocks of `block_size` threads that one multiprocessor runs at once.
int active_blocks(CUfunction function, int block_size, size_t dynamic_shared_bytes);

}  // namespace jitc::tests::fake
