// The instructions that a target has for f2 and bf16.
#pragma once

#include "src/codegen/machine.hpp"

namespace jitc::codegen {

/// Gives the functions of the math library that the target has as one instruction a body with LLVM's half types, which
/// then wins over the library's. LLVM puts + - * / between such conversions in the 16-bit type where that is native.
void define_native_halves(llvm::Module& module, const Target& target, const MachineSpec& spec);

}  // namespace jitc::codegen
