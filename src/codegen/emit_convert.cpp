#include "src/codegen/emit_convert.hpp"

#include "src/codegen/emit_half.hpp"
#include "src/codegen/llvm_types.hpp"

namespace jitc::codegen {

namespace {

/// First value of `type` that is too large for the integers of `dtype`: a power of two, hence exact.
llvm::Constant* end_of_range(llvm::Type* type, DType dtype) {
  const int exponent = static_cast<int>(size_bits(dtype)) - (is_signed_int(dtype) ? 1 : 0);
  llvm::APFloat one(type->getFltSemantics(), 1);
  return llvm::ConstantFP::get(type, scalbn(one, exponent, llvm::APFloat::rmNearestTiesToEven));
}

/// The least integer of `dtype`, exact in `type`: zero or minus a power of two.
llvm::Constant* start_of_range(llvm::Type* type, DType dtype) {
  if (!is_signed_int(dtype)) return llvm::ConstantFP::get(type, 0.0);
  return llvm::ConstantFP::get(type, -llvm::cast<llvm::ConstantFP>(end_of_range(type, dtype))->getValueAPF());
}

/// Converts only operands in range: outside, fptosi is poison, and NVPTX's own saturation gives MIN for a NaN at
/// some widths.
///   %in = (%x >= -0x1p31) & (%x < 0x1p31)
///   %i = fptosi float (select %in, %x, 0.0) to i32
///   %r = select (%x >= 0x1p31), MAX, select (%x < -0x1p31), MIN, %i
llvm::Value* float_to_int(Builder& b, DType to, llvm::Value* value) {
  llvm::Constant* start = start_of_range(value->getType(), to);
  llvm::Constant* end = end_of_range(value->getType(), to);
  const unsigned width = size_bits(to);
  const bool is_signed = is_signed_int(to);
  llvm::Type* type = register_type(b.getContext(), to);
  const llvm::APInt min = is_signed ? llvm::APInt::getSignedMinValue(width) : llvm::APInt::getMinValue(width);
  const llvm::APInt max = is_signed ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width);

  llvm::Value* in_range = b.CreateAnd(b.CreateFCmpOGE(value, start), b.CreateFCmpOLT(value, end));
  llvm::Value* safe = b.CreateSelect(in_range, value, llvm::ConstantFP::get(value->getType(), 0.0));
  llvm::Value* result = is_signed ? b.CreateFPToSI(safe, type) : b.CreateFPToUI(safe, type);
  result = b.CreateSelect(b.CreateFCmpOLT(value, start), llvm::ConstantInt::get(type, min), result);
  return b.CreateSelect(b.CreateFCmpOGE(value, end), llvm::ConstantInt::get(type, max), result);
}

llvm::Value* to_bool(Builder& b, DType from, llvm::Value* value) {
  llvm::Constant* zero = llvm::Constant::getNullValue(value->getType());
  return is_float(from) ? b.CreateFCmpUNE(value, zero) : b.CreateICmpNE(value, zero);
}

}  // namespace

llvm::Value* emit_convert(Builder& b, DType from, DType to, llvm::Value* value) {
  if (from == to) return value;
  if (is_half(from)) return emit_convert(b, DType::f4, to, widen_half(b, from, value));
  if (is_half(to)) return narrow_to_half(b, from, to, value);
  if (is_bool(to)) return to_bool(b, from, value);
  llvm::Type* type = register_type(b.getContext(), to);
  if (is_float(from)) return is_float(to) ? b.CreateFPCast(value, type) : float_to_int(b, to, value);
  const bool is_signed = is_signed_int(from);
  if (is_float(to)) return is_signed ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
  return b.CreateIntCast(value, type, is_signed);
}

}  // namespace jitc::codegen
