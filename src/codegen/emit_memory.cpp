// Element addresses, loads and stores.
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/llvm_types.hpp"

namespace jitc::codegen {

using namespace kernel;

///   %row = getelementptr inbounds i8, ptr %X, i64 (mul nsw i64 %i, %stride)
///   %elem = getelementptr inbounds float, ptr %row, i64 %j
/// An index outside is the caller's fault, so inbounds and nsw hold for every address that is accessed.
llvm::Value* FunctionEmitter::emit_address(const MemRef& ref) {
  llvm::Value* ptr = operand(ref.base);
  const DType elem = dtype(ref.base);
  for (const AddressTerm& term : ref.terms) ptr = emit_term(ptr, elem, term);
  return ptr;
}

/// A stride that is a multiple of the element's size becomes a step in elements: the form in which scalar evolution
/// and the vectoriser recognise neighbours.
llvm::Value* FunctionEmitter::emit_term(llvm::Value* ptr, DType elem, const AddressTerm& term) {
  llvm::Value *index = operand(term.index), *stride_bytes = operand(term.stride_bytes);
  const auto size = static_cast<int64_t>(size_bytes(elem));
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(stride_bytes);
  if (!constant || constant->getSExtValue() % size != 0) {
    llvm::Value* offset = builder_.CreateMul(index, stride_bytes, "", false, true);
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), ptr, offset);
  }
  const int64_t step = constant->getSExtValue() / size;
  if (step != 1) index = builder_.CreateMul(index, builder_.getInt64(static_cast<uint64_t>(step)), "", false, true);
  return builder_.CreateInBoundsGEP(memory_type(context(), elem), ptr, index);
}

///   %raw = load i8, ptr %elem, align 1
///   %x = icmp ne i8 %raw, 0              ; b1 only: any non-zero byte is True
llvm::Value* FunctionEmitter::emit_load(const MemRef& ref, DType dtype) {
  llvm::Value* ptr = emit_address(ref);
  llvm::LoadInst* load = builder_.CreateAlignedLoad(memory_type(context(), dtype), ptr, memory_align(dtype));
  hooks_.mark_access(*load, program_.exprs[ref.base].type.space);
  return is_bool(dtype) ? builder_.CreateIsNotNull(load) : load;
}

void FunctionEmitter::emit_store(const Store& stmt) {
  const DType elem = dtype(stmt.ref.base);
  llvm::Value* stored = value(stmt.value);
  value(stmt.ref.base);
  for (const AddressTerm& term : stmt.ref.terms) value(term.index), value(term.stride_bytes);
  if (is_bool(elem)) stored = builder_.CreateZExt(stored, builder_.getInt8Ty());
  llvm::StoreInst* store = builder_.CreateAlignedStore(stored, emit_address(stmt.ref), memory_align(elem));
  hooks_.mark_access(*store, program_.exprs[stmt.ref.base].type.space);
}

}  // namespace jitc::codegen
