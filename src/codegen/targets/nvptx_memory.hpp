// The arrays that a kernel declares, as PTX variables.
#pragma once

#include "src/codegen/function_emitter.hpp"

namespace jitc::codegen {

/// Address of KernelProgram::memory[object].
llvm::Value* nvptx_memory_base(FunctionEmitter& emitter, const TargetHooks& hooks, uint32_t object);

}  // namespace jitc::codegen
