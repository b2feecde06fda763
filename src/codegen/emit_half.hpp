// f2 and bf16. In LLVM's eyes they are 16 bits: its own half types become calls of functions that no kernel can reach.
// Arithmetic is f4's, rounded once: for + - * / and sqrt that is the correctly rounded result, since f4 has more than
// twice the digits (S. Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30 no. 3, 1995). An fma has no
// such luck and is a function of its own.
// The conversions are the math library's functions, in integer arithmetic; native_half.hpp gives them one instruction
// where the target has it.
#pragma once

#include "src/codegen/emit_integer.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

/// The f4 of the same value.
llvm::Value* widen_half(Builder& b, DType half, llvm::Value* bits);
/// A value of another type (but of another half: widen that first) rounded once.
llvm::Value* narrow_to_half(Builder& b, DType from, DType half, llvm::Value* value);

llvm::Value* emit_half_unary(Builder& b, kernel::UnaryOp op, DType half, llvm::Value* operand);
llvm::Value* emit_half_binary(Builder& b, kernel::BinaryOp op, DType half, llvm::Value* lhs, llvm::Value* rhs);
llvm::Value* emit_half_fma(Builder& b, DType half, llvm::ArrayRef<llvm::Value*> args);

}  // namespace jitc::codegen
