// LLVM's passes over the whole module, ours and the math functions it calls.
#pragma once

#include "src/codegen/codegen.hpp"
#include "src/codegen/llvm_session.hpp"

namespace jitc::codegen {

void optimize(LlvmSession& session, Target::Kind kind, int opt_level);

}  // namespace jitc::codegen
