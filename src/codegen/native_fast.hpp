// The approximate instructions of a GPU for the functions of fastmath=True.
#pragma once

#include "src/codegen/machine.hpp"

namespace jitc::codegen {

/// Gives the fast functions of f4 that `module` calls a body of approximate PTX instructions, which then wins over the
/// library's. Errors: docs/fastmath.md.
void define_native_fast(llvm::Module& module, const Target& target);

}  // namespace jitc::codegen
