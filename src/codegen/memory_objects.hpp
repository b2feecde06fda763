// The arrays that a kernel declares, in LLVM's and the launch's terms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/codegen/llvm.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

/// [272 x float]
llvm::ArrayType* memory_object_type(llvm::LLVMContext& context, const kernel::MemoryObject& object);
/// The values of a constant array.
llvm::Constant* memory_object_init(llvm::LLVMContext& context, const kernel::MemoryObject& object);
/// "tile.3": distinct in the module.
std::string memory_object_name(const kernel::KernelProgram& program, uint32_t object);

uint64_t size_of(const kernel::MemoryObject& object);
/// Offsets of the objects of one space, one after the other, each aligned; kUnplaced for the others.
struct MemoryLayout {
  static constexpr uint64_t kUnplaced = ~uint64_t{0};
  std::vector<uint64_t> offsets;  ///< by object
  uint64_t size_bytes = 0;
};
/// Dynamic objects are not placed.
MemoryLayout lay_out_memory(const kernel::KernelProgram& program, kernel::MemorySpace space);

}  // namespace jitc::codegen
