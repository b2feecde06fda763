// The LLVM types of the kernel IR's types. b1 is i1 in a register, i8 in memory and in parameters; f2 and bf16 are i16:
// emit_half.hpp says how they are computed.
#pragma once

#include "jitc/dtype.hpp"
#include "src/codegen/llvm.hpp"

namespace jitc::codegen {

inline llvm::Type* register_type(llvm::LLVMContext& context, DType dtype) {
  if (dtype == DType::f4) return llvm::Type::getFloatTy(context);
  if (dtype == DType::f8) return llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, is_bool(dtype) ? 1 : size_bits(dtype));
}

inline llvm::Type* memory_type(llvm::LLVMContext& context, DType dtype) {
  return is_bool(dtype) ? llvm::Type::getInt8Ty(context) : register_type(context, dtype);
}

inline llvm::Align memory_align(DType dtype) { return llvm::Align(size_bytes(dtype)); }

}  // namespace jitc::codegen
