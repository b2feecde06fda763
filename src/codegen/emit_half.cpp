#include "src/codegen/emit_half.hpp"

#include "src/codegen/emit_arithmetic.hpp"
#include "src/codegen/emit_convert.hpp"
#include "src/codegen/llvm_types.hpp"
#include "src/kernel/ops.hpp"

namespace jitc::codegen {

using kernel::BinaryOp;
using kernel::UnaryOp;

namespace {

constexpr uint16_t kSign = 0x8000;

///   %y = call float @jitc_f2_to_f4(i16 %x)
llvm::Value* call_library(Builder& b, const std::string& function, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> args) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* arg : args) types.push_back(arg->getType());
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  return b.CreateCall(module.getOrInsertFunction("jitc_" + function, llvm::FunctionType::get(result, types, false)),
                      args);
}

std::string conversion(DType from, DType to) { return std::string(name(from)) + "_to_" + std::string(name(to)); }

}  // namespace

llvm::Value* widen_half(Builder& b, DType half, llvm::Value* bits) {
  return call_library(b, conversion(half, DType::f4), b.getFloatTy(), {bits});
}

/// An f4 holds every integer that does not overflow f2. For bf16 it would be a first rounding, so that wide integers
/// have a function of their own.
llvm::Value* narrow_to_half(Builder& b, DType from, DType half, llvm::Value* value) {
  if (!is_float(from)) {
    const bool exact = half == DType::f2 || size_bytes(from) <= 2;
    const DType wide = exact ? DType::f4 : is_signed_int(from) ? DType::i8 : DType::u8;
    value = emit_convert(b, from, wide, value);
    from = wide;
  }
  return call_library(b, conversion(from, half), b.getInt16Ty(), {value});
}

/// What only moves signs stays in the 16 bits.
llvm::Value* emit_half_unary(Builder& b, UnaryOp op, DType half, llvm::Value* operand) {
  if (op == UnaryOp::kNeg) return b.CreateXor(operand, b.getInt16(kSign));
  if (op == UnaryOp::kAbs) return b.CreateAnd(operand, b.getInt16(kSign - 1));
  llvm::Value* result = emit_unary(b, op, DType::f4, widen_half(b, half, operand));
  return kernel::info(op).gives_bool ? result : narrow_to_half(b, DType::f4, half, result);
}

llvm::Value* emit_half_binary(Builder& b, BinaryOp op, DType half, llvm::Value* lhs, llvm::Value* rhs) {
  if (op == BinaryOp::kCopySign) {
    return b.CreateOr(b.CreateAnd(lhs, b.getInt16(kSign - 1)), b.CreateAnd(rhs, b.getInt16(kSign)));
  }
  llvm::Value* result = emit_binary(b, op, DType::f4, widen_half(b, half, lhs), widen_half(b, half, rhs));
  return narrow_to_half(b, DType::f4, half, result);
}

llvm::Value* emit_half_fma(Builder& b, DType half, llvm::ArrayRef<llvm::Value*> args) {
  return call_library(b, "fma_" + std::string(name(half)), b.getInt16Ty(), args);
}

}  // namespace jitc::codegen
