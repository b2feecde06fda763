// How much memory of each space the arrays of one kernel may take.
#pragma once

#include <cstddef>

#include "src/sema/typed.hpp"
#include "src/source/diagnostic.hpp"

namespace jitc::sema {

struct MemoryLimit {
  const char* space;  ///< "shared"
  const char* owner;  ///< "a block"
  size_t bytes;
  const char* help;
};

/// Source of the numbers: CUDA C++ Programming Guide, "Technical Specifications". Shared memory above 48 KiB has to be
/// dynamic.
MemoryLimit memory_limit(types::MemorySpace space);

/// Reports the array with which those of the kernel, and of the functions it calls, take more than there is.
void check_memory_limits(const TypedFunction& kernel, source::DiagnosticSink& sink);

}  // namespace jitc::sema
