// Atomic operations: LLVM's own where it has them, else a loop around compare-and-exchange. All are relaxed.
#include "src/base/check.hpp"
#include "src/codegen/emit_arithmetic.hpp"
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/llvm_types.hpp"

namespace jitc::codegen {

using namespace kernel;
using llvm::AtomicRMWInst;

namespace {

constexpr llvm::AtomicOrdering kRelaxed = llvm::AtomicOrdering::Monotonic;

/// LLVM's operation of that meaning, or BAD_BINOP.
AtomicRMWInst::BinOp llvm_op(AtomicOp op, DType dtype) {
  const bool of_float = is_float(dtype), of_signed = is_signed_int(dtype);
  switch (op) {
    case AtomicOp::kAdd: return of_float ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
    case AtomicOp::kSub: return of_float ? AtomicRMWInst::BAD_BINOP : AtomicRMWInst::Sub;
    case AtomicOp::kAnd: return AtomicRMWInst::And;
    case AtomicOp::kOr: return AtomicRMWInst::Or;
    case AtomicOp::kXor: return AtomicRMWInst::Xor;
    case AtomicOp::kExch: return of_float ? AtomicRMWInst::BAD_BINOP : AtomicRMWInst::Xchg;
    case AtomicOp::kInc: return AtomicRMWInst::UIncWrap;
    case AtomicOp::kDec: return AtomicRMWInst::UDecWrap;
    case AtomicOp::kMax:
    case AtomicOp::kNanMax:
      if (of_float) return AtomicRMWInst::BAD_BINOP;
      return of_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
    case AtomicOp::kMin:
    case AtomicOp::kNanMin:
      if (of_float) return AtomicRMWInst::BAD_BINOP;
      return of_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
    case AtomicOp::kCas: return AtomicRMWInst::BAD_BINOP;
  }
  return AtomicRMWInst::BAD_BINOP;
}

/// Does a maximum or minimum replace `old`? With a NaN: kMax and kMin never, kNanMax and kNanMin where old is the NaN.
llvm::Value* replaces(Builder& b, AtomicOp op, DType dtype, llvm::Value* old, llvm::Value* value) {
  const bool max = op == AtomicOp::kMax || op == AtomicOp::kNanMax;
  llvm::Value* better = emit_compare(b, max ? CompareOp::kGt : CompareOp::kLt, dtype, value, old);
  if (!is_float(dtype) || op == AtomicOp::kMax || op == AtomicOp::kMin) return better;
  return b.CreateOr(better, b.CreateAnd(b.CreateFCmpUNO(old, old), b.CreateFCmpORD(value, value)));
}

/// What the operation leaves in memory.
llvm::Value* new_value(Builder& b, AtomicOp op, DType dtype, llvm::Value* old, llvm::Value* value) {
  llvm::Type* type = old->getType();
  const auto one = [&] { return llvm::ConstantInt::get(type, 1); };
  switch (op) {
    case AtomicOp::kAdd: return emit_binary(b, BinaryOp::kAdd, dtype, old, value);
    case AtomicOp::kSub: return emit_binary(b, BinaryOp::kSub, dtype, old, value);
    case AtomicOp::kAnd: return b.CreateAnd(old, value);
    case AtomicOp::kOr: return b.CreateOr(old, value);
    case AtomicOp::kXor: return b.CreateXor(old, value);
    case AtomicOp::kExch: return value;
    case AtomicOp::kInc:
      return b.CreateSelect(b.CreateICmpUGE(old, value), llvm::ConstantInt::get(type, 0), b.CreateAdd(old, one()));
    case AtomicOp::kDec: {
      llvm::Value* wraps = b.CreateOr(b.CreateIsNull(old), b.CreateICmpUGT(old, value));
      return b.CreateSelect(wraps, value, b.CreateSub(old, one()));
    }
    case AtomicOp::kMax:
    case AtomicOp::kMin:
    case AtomicOp::kNanMax:
    case AtomicOp::kNanMin: return b.CreateSelect(replaces(b, op, dtype, old, value), value, old);
    case AtomicOp::kCas: break;
  }
  JITC_CHECK(false, "cas has its own form");
}

/// Floats are compared and exchanged as integers of their bits.
class Bits {
 public:
  Bits(Builder& b, DType dtype) : b_(b), type_(b.getIntNTy(size_bits(dtype))) {}
  llvm::Type* type() const { return type_; }
  llvm::Value* of(llvm::Value* value) const { return b_.CreateBitCast(value, type_); }

 private:
  Builder& b_;
  llvm::Type* type_;
};

}  // namespace

void FunctionEmitter::emit_atomic(const Atomic& stmt) {
  const Type base = program_.exprs[stmt.ref.base].type;
  llvm::Value* operand_value = value(stmt.value);
  llvm::Value* expected = stmt.expected.valid() ? value(stmt.expected) : nullptr;
  value(stmt.ref.base);
  for (const AddressTerm& term : stmt.ref.terms) value(term.index), value(term.stride_bytes);
  llvm::Value* ptr = emit_address(stmt.ref);
  llvm::Value* old = hooks_.is_shared_between_threads(base.space)
                         ? emit_atomic_update(stmt.op, base.dtype, ptr, operand_value, expected)
                         : emit_plain_update(stmt.op, base.dtype, ptr, operand_value, expected);
  store_result(stmt.result, old);
}

llvm::Value* FunctionEmitter::emit_atomic_update(AtomicOp op, DType dtype, llvm::Value* ptr, llvm::Value* operand_value,
                                                 llvm::Value* expected) {
  const llvm::Align align = memory_align(dtype);
  const Bits bits(builder_, dtype);
  llvm::Type* type = operand_value->getType();
  if (op == AtomicOp::kCas) {
    llvm::Value* pair =
        builder_.CreateAtomicCmpXchg(ptr, bits.of(expected), bits.of(operand_value), align, kRelaxed, kRelaxed);
    return builder_.CreateBitCast(builder_.CreateExtractValue(pair, 0), type);
  }
  if (op == AtomicOp::kExch) {
    llvm::Value* old = builder_.CreateAtomicRMW(AtomicRMWInst::Xchg, ptr, bits.of(operand_value), align, kRelaxed);
    return builder_.CreateBitCast(old, type);
  }
  if (op == AtomicOp::kSub && is_float(dtype)) {  // x - v is x + (-v)
    return builder_.CreateAtomicRMW(AtomicRMWInst::FAdd, ptr, builder_.CreateFNeg(operand_value), align, kRelaxed);
  }
  const AtomicRMWInst::BinOp llvm_operation = llvm_op(op, dtype);
  if (llvm_operation != AtomicRMWInst::BAD_BINOP) {
    return builder_.CreateAtomicRMW(llvm_operation, ptr, operand_value, align, kRelaxed);
  }
  return emit_exchange_loop(op, dtype, ptr, operand_value);
}

///   first = load atomic;  do { old = …; if it stays: break; old = cmpxchg old → new } while it was another's
llvm::Value* FunctionEmitter::emit_exchange_loop(AtomicOp op, DType dtype, llvm::Value* ptr,
                                                 llvm::Value* operand_value) {
  const llvm::Align align = memory_align(dtype);
  const Bits bits(builder_, dtype);
  llvm::LoadInst* first = builder_.CreateAlignedLoad(bits.type(), ptr, align);
  first->setAtomic(kRelaxed);
  llvm::BasicBlock *before = builder_.GetInsertBlock(), *test = new_block("atomic.test"),
                   *exchange = new_block("atomic.exchange"), *end = new_block("atomic.end");
  branch_to(test);
  enter(test);
  llvm::PHINode* seen = builder_.CreatePHI(bits.type(), 2);
  seen->addIncoming(first, before);
  llvm::Value* old = builder_.CreateBitCast(seen, operand_value->getType());
  builder_.CreateCondBr(replaces(builder_, op, dtype, old, operand_value), exchange, end);
  enter(exchange);
  llvm::Value* pair = builder_.CreateAtomicCmpXchg(ptr, seen, bits.of(operand_value), align, kRelaxed, kRelaxed);
  seen->addIncoming(builder_.CreateExtractValue(pair, 0), exchange);
  builder_.CreateCondBr(builder_.CreateExtractValue(pair, 1), end, test);
  enter(end);
  return old;
}

/// For memory that one thread of the host alone works on.
llvm::Value* FunctionEmitter::emit_plain_update(AtomicOp op, DType dtype, llvm::Value* ptr, llvm::Value* operand_value,
                                                llvm::Value* expected) {
  llvm::Value* old = builder_.CreateAlignedLoad(operand_value->getType(), ptr, memory_align(dtype));
  llvm::Value* stored = nullptr;
  if (op == AtomicOp::kCas) {
    const Bits bits(builder_, dtype);
    stored = builder_.CreateSelect(builder_.CreateICmpEQ(bits.of(old), bits.of(expected)), operand_value, old);
  } else {
    stored = new_value(builder_, op, dtype, old, operand_value);
  }
  builder_.CreateAlignedStore(stored, ptr, memory_align(dtype));
  return old;
}

}  // namespace jitc::codegen
