// Vectors pay for both sides of a branch. Long sides that hardly any lane takes are skipped where none does.
#pragma once

#include "src/codegen/llvm.hpp"

namespace jitc::codegen {

/// Of an optimised module: what only one operand of selects by the same vector of conditions needs, if it is long,
/// moves behind a branch that is taken when a lane asks for it. A huge argument's reduction in sin is the example.
/// Results keep every bit.
void skip_rare_lanes(llvm::Module& module);

}  // namespace jitc::codegen
