// Integer operations that LLVM leaves undefined for some operands, made total before LLVM sees them.
#pragma once

#include "jitc/dtype.hpp"
#include "src/codegen/llvm.hpp"

namespace jitc::codegen {

using Builder = llvm::IRBuilder<>;

/// Quotient rounded to minus infinity; x // 0 = 0, MIN // -1 = MIN.
llvm::Value* emit_floor_div(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* rhs);
/// lhs - floor_div(lhs, rhs) * rhs, with the sign of rhs; x % 0 = 0.
llvm::Value* emit_mod(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* rhs);
/// 0 for a count that is negative or not below the width.
llvm::Value* emit_shl(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* count);
/// As emit_shl, but -1 for a negative lhs of a signed type.
llvm::Value* emit_shr(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* count);

}  // namespace jitc::codegen
