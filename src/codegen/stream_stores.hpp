// Vectors that a kernel stores for good go past the caches.
#pragma once

#include "src/codegen/llvm.hpp"

namespace jitc::codegen {

/// Of an optimised module: vector stores to what is not the function's own memory become non-temporal ones where their
/// address is known to be a multiple of their size, and functions end with a fence, behind which other threads see
/// them.
void stream_stores(llvm::Module& module);

}  // namespace jitc::codegen
