#include "src/codegen/emit_arithmetic.hpp"

#include "src/base/check.hpp"
#include "src/codegen/emit_half.hpp"

namespace jitc::codegen {

using kernel::BinaryOp;
using kernel::CompareOp;
using kernel::UnaryOp;

namespace {

/// Predicates of one comparison on signed integers, on unsigned ones and b1, and on floats.
struct Predicates {
  llvm::CmpInst::Predicate on_signed, on_unsigned, on_float;
};

Predicates predicates(CompareOp op) {
  using P = llvm::CmpInst;
  switch (op) {
    case CompareOp::kEq: return {P::ICMP_EQ, P::ICMP_EQ, P::FCMP_OEQ};
    case CompareOp::kNe: return {P::ICMP_NE, P::ICMP_NE, P::FCMP_UNE};
    case CompareOp::kLt: return {P::ICMP_SLT, P::ICMP_ULT, P::FCMP_OLT};
    case CompareOp::kLe: return {P::ICMP_SLE, P::ICMP_ULE, P::FCMP_OLE};
    case CompareOp::kGt: return {P::ICMP_SGT, P::ICMP_UGT, P::FCMP_OGT};
    case CompareOp::kGe: return {P::ICMP_SGE, P::ICMP_UGE, P::FCMP_OGE};
  }
  JITC_CHECK(false, "no such comparison");
}

llvm::Value* is_nan(Builder& b, llvm::Value* x) { return b.CreateFCmpUNO(x, x); }

llvm::Value* call(Builder& b, llvm::Intrinsic::ID id, llvm::Value* x) { return b.CreateUnaryIntrinsic(id, x); }

llvm::Value* compare_to_infinity(Builder& b, llvm::CmpInst::Predicate predicate, llvm::Value* x) {
  llvm::Value* infinity = llvm::ConstantFP::getInfinity(x->getType());
  return b.CreateFCmp(predicate, call(b, llvm::Intrinsic::fabs, x), infinity);
}

llvm::Value* sign_bit(Builder& b, DType dtype, llvm::Value* x) {
  llvm::Type* bits = b.getIntNTy(size_bits(dtype));
  return b.CreateICmpSLT(b.CreateBitCast(x, bits), llvm::ConstantInt::get(bits, 0));
}

llvm::Value* emit_abs(Builder& b, DType dtype, llvm::Value* x) {
  if (is_float(dtype)) return call(b, llvm::Intrinsic::fabs, x);
  if (!is_signed_int(dtype)) return x;
  return b.CreateSelect(b.CreateICmpSLT(x, llvm::ConstantInt::get(x->getType(), 0)), b.CreateNeg(x), x);
}

///   %low = call i32 @llvm.cttz.i32(i32 %x, i1 false);  %n = select i1 (icmp eq %x, 0), i32 0, i32 (add %low, 1)
llvm::Value* find_first_set(Builder& b, llvm::Value* x) {
  llvm::Constant* zero = llvm::ConstantInt::get(x->getType(), 0);
  llvm::Value* low = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, x, b.getFalse());
  return b.CreateSelect(b.CreateICmpEQ(x, zero), zero, b.CreateAdd(low, llvm::ConstantInt::get(x->getType(), 1)));
}

/// lhs where `lhs op rhs`, or where `number` is a NaN; else rhs. With number = lhs a NaN spreads, with number = rhs
/// the other operand wins (NumPy's minimum and fmin). Compares and selects, because llvm.minimum and llvm.minnum
/// treat signed zeros differently on different targets.
llvm::Value* pick(Builder& b, CompareOp op, DType dtype, llvm::Value* lhs, llvm::Value* rhs, llvm::Value* number) {
  llvm::Value* take_lhs = emit_compare(b, op, dtype, lhs, rhs);
  if (is_float(dtype)) take_lhs = b.CreateOr(take_lhs, is_nan(b, number));
  return b.CreateSelect(take_lhs, lhs, rhs);
}

/// rhs where `rhs op lhs`, else lhs: Python's min and max.
llvm::Value* python_pick(Builder& b, CompareOp op, DType dtype, llvm::Value* lhs, llvm::Value* rhs) {
  return b.CreateSelect(emit_compare(b, op, dtype, rhs, lhs), rhs, lhs);
}

llvm::Value* emit_plain(Builder& b, BinaryOp op, DType dtype, llvm::Value* lhs, llvm::Value* rhs) {
  if (op == BinaryOp::kAdd) return is_float(dtype) ? b.CreateFAdd(lhs, rhs) : b.CreateAdd(lhs, rhs);
  if (op == BinaryOp::kSub) return is_float(dtype) ? b.CreateFSub(lhs, rhs) : b.CreateSub(lhs, rhs);
  return is_float(dtype) ? b.CreateFMul(lhs, rhs) : b.CreateMul(lhs, rhs);
}

}  // namespace

llvm::Value* emit_unary(Builder& b, UnaryOp op, DType dtype, llvm::Value* operand) {
  if (is_half(dtype)) return emit_half_unary(b, op, dtype, operand);
  switch (op) {
    case UnaryOp::kNeg: return is_float(dtype) ? b.CreateFNeg(operand) : b.CreateNeg(operand);
    case UnaryOp::kNot:
    case UnaryOp::kInvert: return b.CreateNot(operand);
    case UnaryOp::kAbs: return emit_abs(b, dtype, operand);
    case UnaryOp::kSqrt: return call(b, llvm::Intrinsic::sqrt, operand);
    case UnaryOp::kFloor: return call(b, llvm::Intrinsic::floor, operand);
    case UnaryOp::kCeil: return call(b, llvm::Intrinsic::ceil, operand);
    case UnaryOp::kTrunc: return call(b, llvm::Intrinsic::trunc, operand);
    case UnaryOp::kRint: return call(b, llvm::Intrinsic::roundeven, operand);
    case UnaryOp::kIsNan: return is_nan(b, operand);
    case UnaryOp::kIsInf: return compare_to_infinity(b, llvm::CmpInst::FCMP_OEQ, operand);
    case UnaryOp::kIsFinite: return compare_to_infinity(b, llvm::CmpInst::FCMP_OLT, operand);
    case UnaryOp::kSignBit: return sign_bit(b, dtype, operand);
    case UnaryOp::kPopCount: return call(b, llvm::Intrinsic::ctpop, operand);
    case UnaryOp::kReverseBits: return call(b, llvm::Intrinsic::bitreverse, operand);
    case UnaryOp::kLeadingZeros: return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, operand, b.getFalse());
    case UnaryOp::kFindFirstSet: return find_first_set(b, operand);
  }
  JITC_CHECK(false, "no such operation");
}

llvm::Value* emit_binary(Builder& b, BinaryOp op, DType dtype, llvm::Value* lhs, llvm::Value* rhs) {
  if (is_half(dtype)) return emit_half_binary(b, op, dtype, lhs, rhs);
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
    case BinaryOp::kMul: return emit_plain(b, op, dtype, lhs, rhs);
    case BinaryOp::kDiv: return b.CreateFDiv(lhs, rhs);
    case BinaryOp::kFloorDiv: return emit_floor_div(b, dtype, lhs, rhs);
    case BinaryOp::kMod: return emit_mod(b, dtype, lhs, rhs);
    case BinaryOp::kShl: return emit_shl(b, dtype, lhs, rhs);
    case BinaryOp::kShr: return emit_shr(b, dtype, lhs, rhs);
    case BinaryOp::kAnd: return b.CreateAnd(lhs, rhs);
    case BinaryOp::kOr: return b.CreateOr(lhs, rhs);
    case BinaryOp::kXor: return b.CreateXor(lhs, rhs);
    case BinaryOp::kMin: return python_pick(b, CompareOp::kLt, dtype, lhs, rhs);
    case BinaryOp::kMax: return python_pick(b, CompareOp::kGt, dtype, lhs, rhs);
    case BinaryOp::kMinimum: return pick(b, CompareOp::kLt, dtype, lhs, rhs, lhs);
    case BinaryOp::kMaximum: return pick(b, CompareOp::kGt, dtype, lhs, rhs, lhs);
    case BinaryOp::kFmin: return pick(b, CompareOp::kLt, dtype, lhs, rhs, rhs);
    case BinaryOp::kFmax: return pick(b, CompareOp::kGt, dtype, lhs, rhs, rhs);
    case BinaryOp::kCopySign: return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, lhs, rhs);
    case BinaryOp::kIntPow: break;
  }
  JITC_CHECK(false, "not one instruction sequence");
}

llvm::Value* emit_compare(Builder& b, CompareOp op, DType dtype, llvm::Value* lhs, llvm::Value* rhs) {
  if (is_half(dtype)) { return emit_compare(b, op, DType::f4, widen_half(b, dtype, lhs), widen_half(b, dtype, rhs)); }
  const Predicates p = predicates(op);
  if (is_float(dtype)) return b.CreateFCmp(p.on_float, lhs, rhs);
  return b.CreateICmp(is_signed_int(dtype) ? p.on_signed : p.on_unsigned, lhs, rhs);
}

}  // namespace jitc::codegen
