// Scalar operations of the kernel IR as LLVM instructions. Floating-point instructions carry no flags at all.
#pragma once

#include "src/codegen/emit_integer.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

/// `dtype` is the operands' type. kIntPow is a call into the math library: see FunctionEmitter.
llvm::Value* emit_unary(Builder& b, kernel::UnaryOp op, DType dtype, llvm::Value* operand);
llvm::Value* emit_binary(Builder& b, kernel::BinaryOp op, DType dtype, llvm::Value* lhs, llvm::Value* rhs);
llvm::Value* emit_compare(Builder& b, kernel::CompareOp op, DType dtype, llvm::Value* lhs, llvm::Value* rhs);

}  // namespace jitc::codegen
