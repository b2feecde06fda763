// The arrays that a kernel declares, in LLVM's and the launch's terms.
#pragma once

#include <cstdint>
#include <string>

#include "src/codegen/llvm.hpp"
#include "src/kernel/memory_layout.hpp"

namespace jitc::codegen {

/// [272 x float]
llvm::ArrayType* memory_object_type(llvm::LLVMContext& context, const kernel::MemoryObject& object);
/// The values of a constant array.
llvm::Constant* memory_object_init(llvm::LLVMContext& context, const kernel::MemoryObject& object);
/// "tile.3": distinct in the module.
std::string memory_object_name(const kernel::KernelProgram& program, uint32_t object);

}  // namespace jitc::codegen
