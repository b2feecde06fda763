// Barriers, fences and warp operations in PTX's terms.
#pragma once

#include "src/codegen/function_emitter.hpp"

namespace jitc::codegen {

/// The result, or null where the operation has none.
llvm::Value* emit_nvptx_barrier(FunctionEmitter& emitter, const kernel::Barrier& stmt);
void emit_nvptx_fence(FunctionEmitter& emitter, kernel::FenceScope scope);
llvm::Value* emit_nvptx_warp(FunctionEmitter& emitter, const kernel::Warp& stmt);

/// The PTX ISA (10 * major + minor) that the program's operations need. Throws TargetError where the SM has none.
int ptx_isa_of(const kernel::KernelProgram& program, int sm);

}  // namespace jitc::codegen
