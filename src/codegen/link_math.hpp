// Brings in the math functions that the module calls.
#pragma once

#include <functional>
#include <string>

#include "src/codegen/llvm_session.hpp"

namespace jitc::codegen {

/// Links what the session's module declares and `library`, read lazily, defines, with what that needs in turn; all of
/// it becomes internal. `adopt` sees each function that came in. `what` names the library in errors.
void link_needed(LlvmSession& session, llvm::Expected<std::unique_ptr<llvm::Module>> library, const std::string& what,
                 const std::function<void(llvm::Function&)>& adopt = {});

/// link_needed() of the math library. Does nothing for a module that calls no math function.
void link_math(LlvmSession& session);

}  // namespace jitc::codegen
