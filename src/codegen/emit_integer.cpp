#include "src/codegen/emit_integer.hpp"

namespace jitc::codegen {

namespace {

/// A divisor that LLVM can divide by: 1 in place of 0, and of -1 below MIN (MIN // 1 and MIN % 1 are the wanted
/// values). LLVM deletes a test for zero that comes after the division, so it has to come before.
///   %zero = icmp eq i32 %b, 0
///   %min = icmp eq i32 %a, -2147483648
///   %one = icmp eq i32 %b, -1
///   %safe = select i1 (%zero | %min & %one), i32 1, i32 %b
llvm::Value* safe_divisor(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* rhs) {
  llvm::Type* type = rhs->getType();
  llvm::Value* unsafe = b.CreateICmpEQ(rhs, llvm::ConstantInt::get(type, 0));
  if (is_signed_int(dtype)) {
    const llvm::APInt min = llvm::APInt::getSignedMinValue(size_bits(dtype));
    llvm::Value* is_min = b.CreateICmpEQ(lhs, llvm::ConstantInt::get(type, min));
    llvm::Value* is_minus_one = b.CreateICmpEQ(rhs, llvm::ConstantInt::getAllOnesValue(type));
    unsafe = b.CreateOr(unsafe, b.CreateAnd(is_min, is_minus_one));
  }
  return b.CreateSelect(unsafe, llvm::ConstantInt::get(type, 1), rhs);
}

/// True where a truncated remainder and its divisor differ in sign: there the floored quotient is one less.
llvm::Value* needs_floor(Builder& b, llvm::Value* remainder, llvm::Value* divisor) {
  llvm::Value* zero = llvm::ConstantInt::get(divisor->getType(), 0);
  llvm::Value* signs_differ = b.CreateICmpSLT(b.CreateXor(remainder, divisor), zero);
  return b.CreateAnd(b.CreateICmpNE(remainder, zero), signs_differ);
}

/// count < width, as unsigned: negative counts are huge.
llvm::Value* count_in_range(Builder& b, DType dtype, llvm::Value* count) {
  return b.CreateICmpULT(count, llvm::ConstantInt::get(count->getType(), size_bits(dtype)));
}

}  // namespace

llvm::Value* emit_floor_div(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* rhs) {
  llvm::Value* divisor = safe_divisor(b, dtype, lhs, rhs);
  llvm::Value* zero = llvm::ConstantInt::get(rhs->getType(), 0);
  llvm::Value* by_zero = b.CreateICmpEQ(rhs, zero);
  if (!is_signed_int(dtype)) return b.CreateSelect(by_zero, zero, b.CreateUDiv(lhs, divisor));
  llvm::Value* quotient = b.CreateSDiv(lhs, divisor);
  llvm::Value* remainder = b.CreateSRem(lhs, divisor);
  llvm::Value* less = b.CreateSExt(needs_floor(b, remainder, divisor), rhs->getType());
  return b.CreateSelect(by_zero, zero, b.CreateAdd(quotient, less));
}

llvm::Value* emit_mod(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* rhs) {
  llvm::Value* divisor = safe_divisor(b, dtype, lhs, rhs);  // x % 1 = 0 is the value for a zero divisor too
  if (!is_signed_int(dtype)) return b.CreateURem(lhs, divisor);
  llvm::Value* remainder = b.CreateSRem(lhs, divisor);
  llvm::Value* zero = llvm::ConstantInt::get(rhs->getType(), 0);
  return b.CreateAdd(remainder, b.CreateSelect(needs_floor(b, remainder, divisor), divisor, zero));
}

llvm::Value* emit_shl(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* count) {
  llvm::Value* zero = llvm::ConstantInt::get(lhs->getType(), 0);
  llvm::Value* in_range = count_in_range(b, dtype, count);
  return b.CreateSelect(in_range, b.CreateShl(lhs, b.CreateSelect(in_range, count, zero)), zero);
}

llvm::Value* emit_shr(Builder& b, DType dtype, llvm::Value* lhs, llvm::Value* count) {
  llvm::Value* in_range = count_in_range(b, dtype, count);
  if (is_signed_int(dtype)) {
    llvm::Value* last = llvm::ConstantInt::get(lhs->getType(), size_bits(dtype) - 1);
    return b.CreateAShr(lhs, b.CreateSelect(in_range, count, last));
  }
  llvm::Value* zero = llvm::ConstantInt::get(lhs->getType(), 0);
  return b.CreateSelect(in_range, b.CreateLShr(lhs, b.CreateSelect(in_range, count, zero)), zero);
}

}  // namespace jitc::codegen
