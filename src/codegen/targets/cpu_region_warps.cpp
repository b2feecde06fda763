// Meetings of a warp: a first loop over the lanes collects what each brings, a second gives each its result.
#include "src/codegen/targets/cpu_regions.hpp"
#include "src/kernel/ops.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

constexpr uint64_t kLanes = 32;

/// What the lanes brought, in the function's frame.
struct Brought {
  llvm::AllocaInst* values;  ///< [32 x i64]: the bits of each lane's value
  llvm::AllocaInst* masks;   ///< [32 x i32]
  llvm::AllocaInst* lanes;   ///< [32 x i32]
  llvm::AllocaInst* here;    ///< i32: bit per lane that takes part
  llvm::AllocaInst* holds;   ///< i32: bit per lane whose predicate holds
};

class WarpEmitter {
 public:
  WarpEmitter(FunctionEmitter& emitter, const Warp& stmt) : emitter_(emitter), b_(emitter.builder()), stmt_(stmt) {
    llvm::Type *word = b_.getInt32Ty(), *words = llvm::ArrayType::get(word, kLanes);
    brought_ = {emitter.entry_alloca(llvm::ArrayType::get(b_.getInt64Ty(), kLanes), "warp.values"),
                emitter.entry_alloca(words, "warp.masks"), emitter.entry_alloca(words, "warp.lanes"),
                emitter.entry_alloca(word, "warp.here"), emitter.entry_alloca(word, "warp.holds")};
    b_.CreateStore(b_.getInt32(0), brought_.here);
    b_.CreateStore(b_.getInt32(0), brought_.holds);
  }

  /// In the first loop.
  void bring(llvm::Value* lane) {
    const auto operand = [&](ExprId id) { return id.valid() ? emitter_.value(id) : nullptr; };
    llvm::Value *mask = operand(stmt_.mask), *value = operand(stmt_.value), *source = operand(stmt_.lane);
    llvm::Value* bit = b_.CreateShl(b_.getInt32(1), b_.CreateTrunc(lane, b_.getInt32Ty()));
    add_bits(brought_.here, bit);
    if (mask) b_.CreateStore(mask, element(brought_.masks, lane));
    if (source) b_.CreateStore(source, element(brought_.lanes, lane));
    if (is_vote(stmt_.op)) {
      add_bits(brought_.holds, b_.CreateSelect(value, bit, b_.getInt32(0)));
    } else if (value) {
      b_.CreateStore(bits_of(value), element(brought_.values, lane));
    }
  }

  /// In the second loop.
  llvm::Value* result(llvm::Value* lane) {
    llvm::Value* here = load(brought_.here);
    if (stmt_.op == WarpOp::kActive) return here;
    llvm::Value* named = b_.CreateAnd(b_.CreateLoad(b_.getInt32Ty(), element(brought_.masks, lane)), here);
    if (is_shuffle(stmt_.op)) return shuffle(lane, named);
    if (is_vote(stmt_.op)) return vote(named);
    llvm::Value* equal = b_.CreateAnd(equal_lanes(lane), named);
    if (stmt_.op == WarpOp::kMatchAny) return equal;
    return b_.CreateSelect(b_.CreateICmpEQ(equal, named), named, b_.getInt32(0));
  }

 private:
  llvm::Value* load(llvm::AllocaInst* from) { return b_.CreateLoad(from->getAllocatedType(), from); }
  llvm::Value* element(llvm::AllocaInst* array, llvm::Value* lane) {
    return b_.CreateInBoundsGEP(array->getAllocatedType(), array, {b_.getInt64(0), lane});
  }
  void add_bits(llvm::AllocaInst* to, llvm::Value* bits) { b_.CreateStore(b_.CreateOr(load(to), bits), to); }

  llvm::Type* value_type() const {
    const DType dtype = emitter_.program().exprs[stmt_.value].type.dtype;
    if (dtype == DType::f4) return b_.getFloatTy();
    return dtype == DType::f8 ? b_.getDoubleTy() : b_.getIntNTy(size_bits(dtype));
  }
  llvm::Value* bits_of(llvm::Value* value) {
    llvm::Type* bits = b_.getIntNTy(value->getType()->getPrimitiveSizeInBits().getFixedValue());
    return b_.CreateZExt(b_.CreateBitCast(value, bits), b_.getInt64Ty());
  }
  llvm::Value* value_of_lane(llvm::Value* lane) {
    llvm::Value* bits = b_.CreateLoad(b_.getInt64Ty(), element(brought_.values, lane));
    llvm::Type* type = value_type();
    llvm::Type* narrow = b_.getIntNTy(type->getPrimitiveSizeInBits().getFixedValue());
    return b_.CreateBitCast(b_.CreateTrunc(bits, narrow), type);
  }

  /// The source lane, or the own one where the source lies outside or takes no part.
  llvm::Value* shuffle(llvm::Value* lane, llvm::Value* named) {
    llvm::Value* low = b_.CreateAnd(b_.CreateLoad(b_.getInt32Ty(), element(brought_.lanes, lane)), b_.getInt32(31));
    llvm::Value* step = b_.CreateZExt(low, b_.getInt64Ty());
    llvm::Value* source = step;
    if (stmt_.op == WarpOp::kShflUp) source = b_.CreateSub(lane, step);
    if (stmt_.op == WarpOp::kShflDown) source = b_.CreateAdd(lane, step);
    if (stmt_.op == WarpOp::kShflXor) source = b_.CreateXor(lane, step);
    llvm::Value* inside = b_.CreateICmpULT(source, b_.getInt64(kLanes));
    llvm::Value* within = b_.CreateSelect(inside, source, lane);
    llvm::Value* shifted = b_.CreateLShr(named, b_.CreateTrunc(within, b_.getInt32Ty()));
    llvm::Value* takes_part = b_.CreateTrunc(shifted, b_.getInt1Ty());
    return value_of_lane(b_.CreateSelect(takes_part, within, lane));
  }

  llvm::Value* vote(llvm::Value* named) {
    llvm::Value* holds = b_.CreateAnd(load(brought_.holds), named);
    if (stmt_.op == WarpOp::kBallot) return holds;
    llvm::Value *any = b_.CreateIsNotNull(holds), *all = b_.CreateICmpEQ(holds, named);
    if (stmt_.op == WarpOp::kAny) return any;
    return stmt_.op == WarpOp::kAll ? all : b_.CreateOr(all, b_.CreateNot(any));
  }

  /// Bit per lane that brought the same bits as this one; lanes that take no part are left to the caller.
  llvm::Value* equal_lanes(llvm::Value* lane) {
    llvm::Value* own = b_.CreateLoad(b_.getInt64Ty(), element(brought_.values, lane));
    llvm::Value* equal = b_.getInt32(0);
    for (uint32_t other = 0; other < kLanes; ++other) {
      llvm::Value* its = b_.CreateLoad(b_.getInt64Ty(), element(brought_.values, b_.getInt64(other)));
      equal = b_.CreateOr(equal, b_.CreateSelect(b_.CreateICmpEQ(its, own), b_.getInt32(1U << other), b_.getInt32(0)));
    }
    return equal;
  }

  FunctionEmitter& emitter_;
  Builder& b_;
  const Warp& stmt_;
  Brought brought_{};
};

}  // namespace

void CpuRegionHooks::emit_warp_meeting(FunctionEmitter& emitter, const Warp& stmt) {
  if (!stmt.result.valid() || !plan_.per_thread[stmt.result.index]) return;  // no one looks at the result
  WarpEmitter warp(emitter, stmt);
  const auto lane = [&] { return lane_id(emitter.builder()); };
  each_thread(emitter, Group::kWarp, plan_.masks, {}, [&] {
    fill_reads(emitter, {stmt.mask, stmt.value, stmt.lane});
    warp.bring(lane());
  });
  each_thread(emitter, Group::kWarp, plan_.masks, {}, [&] { store_result(emitter, stmt.result, warp.result(lane())); });
}

}  // namespace jitc::codegen
