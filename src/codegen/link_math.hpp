// Brings in the math functions that the module calls.
#pragma once

#include "src/codegen/llvm_session.hpp"

namespace jitc::codegen {

/// Links what the module declares and the math library defines, with what that needs in turn; all of it becomes
/// internal. Does nothing for a module that calls no math function.
void link_math(LlvmSession& session);

}  // namespace jitc::codegen
