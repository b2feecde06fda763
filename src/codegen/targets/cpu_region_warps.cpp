// Meetings of a warp: a first loop over the lanes collects what each brings, a second gives each its result.
#include "src/codegen/llvm_types.hpp"
#include "src/codegen/targets/cpu_regions.hpp"
#include "src/kernel/ops.hpp"
#include "src/kernel/uniformity.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

/// An operand: one value for the warp, or one per lane in an array of the function's frame.
struct Operand {
  ExprId expr;
  llvm::Value* same = nullptr;
  llvm::AllocaInst* of_lanes = nullptr;

  bool per_lane() const { return of_lanes != nullptr; }
};

}  // namespace

/// Emits one operation. The arrays are those of all others of their type: no two operations overlap.
class CpuRegionHooks::WarpEmitter {
 public:
  WarpEmitter(CpuRegionHooks& hooks, FunctionEmitter& emitter, const Warp& stmt)
      : hooks_(hooks), emitter_(emitter), b_(emitter.builder()), stmt_(stmt) {
    mask_ = prepare(stmt.mask, "warp.masks");
    lane_ = prepare(stmt.lane, "warp.lanes");
    if (is_vote(stmt.op)) {
      holds_ = start_bits("warp.holds");
    } else {
      value_ = prepare(stmt.value, "warp.values");
    }
    if (hooks.plan_.masks) {
      here_ = start_bits("warp.here");
    } else {
      all_here_ = existing_lanes();
    }
  }

  /// Must the lanes bring anything?
  bool has_first_loop() const { return here_ || holds_ || mask_.per_lane() || lane_.per_lane() || value_.per_lane(); }

  /// May lanes bring something that the block does not have? What counts bits is masked with the lanes that exist.
  bool is_harmless() const {
    const auto harmless = [&](ExprId id) { return !id.valid() || hooks_.is_harmless(id); };
    return harmless(stmt_.mask) && harmless(stmt_.value) && harmless(stmt_.lane);
  }

  /// In the first loop.
  void bring(llvm::Value* lane) {
    std::vector<ExprId> read;
    for (const Operand* operand : {&mask_, &lane_, &value_}) {
      if (operand->per_lane()) read.push_back(operand->expr);
    }
    if (holds_) read.push_back(stmt_.value);
    hooks_.fill_reads(emitter_, read);
    for (const Operand* operand : {&mask_, &lane_, &value_}) {
      if (operand->per_lane()) b_.CreateStore(emitter_.value(operand->expr), element(operand->of_lanes, lane));
    }
    llvm::Value* bit = b_.CreateShl(b_.getInt32(1), b_.CreateTrunc(lane, b_.getInt32Ty()));
    if (here_) add_bits(here_, bit);
    if (holds_) add_bits(holds_, b_.CreateSelect(emitter_.value(stmt_.value), bit, b_.getInt32(0)));
  }

  /// In the second loop.
  llvm::Value* result(llvm::Value* lane) {
    llvm::Value* here = here_ ? load(here_) : all_here_;
    if (stmt_.op == WarpOp::kActive) return here;
    llvm::Value* named = b_.CreateAnd(of_lane(mask_, lane), here);
    if (is_shuffle(stmt_.op)) return shuffle(lane, named);
    if (is_vote(stmt_.op)) return vote(named);
    llvm::Value* equal = b_.CreateAnd(equal_lanes(lane), named);
    if (stmt_.op == WarpOp::kMatchAny) return equal;
    return b_.CreateSelect(b_.CreateICmpEQ(equal, named), named, b_.getInt32(0));
  }

 private:
  Operand prepare(ExprId id, const char* name) {
    Operand out{id};
    if (!id.valid()) return out;
    if (is_uniform(hooks_.program_, id, hooks_.plan_.stored_once, hooks_.plan_.level)) {
      emitter_.begin_statement();
      out.same = emitter_.value(id);
    } else {
      const DType dtype = hooks_.program_.exprs[id].type.dtype;
      out.of_lanes = hooks_.warp_array(emitter_, register_type(emitter_.context(), dtype), name);
    }
    return out;
  }

  llvm::AllocaInst* start_bits(const char* name) {
    llvm::AllocaInst* bits = emitter_.entry_alloca(b_.getInt32Ty(), name);
    b_.CreateStore(b_.getInt32(0), bits);
    return bits;
  }

  /// Bit per lane of the warp: the block's last one may be short.
  llvm::Value* existing_lanes() {
    llvm::Value* count = b_.CreateSub(hooks_.warp_end_, hooks_.warp_begin_);
    llvm::Value* missing = b_.CreateTrunc(b_.CreateSub(b_.getInt64(kLanes), count), b_.getInt32Ty());
    return b_.CreateLShr(b_.getInt32(0xffffffff), missing);
  }

  llvm::Value* of_lane(const Operand& operand, llvm::Value* lane) {
    if (!operand.per_lane()) return operand.same;
    llvm::Type* type = operand.of_lanes->getAllocatedType()->getArrayElementType();
    return b_.CreateLoad(type, element(operand.of_lanes, lane));
  }

  llvm::Value* load(llvm::AllocaInst* from) { return b_.CreateLoad(from->getAllocatedType(), from); }
  llvm::Value* element(llvm::AllocaInst* array, llvm::Value* lane) {
    return b_.CreateInBoundsGEP(array->getAllocatedType(), array, {b_.getInt64(0), lane});
  }
  void add_bits(llvm::AllocaInst* to, llvm::Value* bits) { b_.CreateStore(b_.CreateOr(load(to), bits), to); }

  /// The source lane, or the own one where the source lies outside or takes no part.
  llvm::Value* shuffle(llvm::Value* lane, llvm::Value* named) {
    llvm::Value* low = b_.CreateAnd(of_lane(lane_, lane), b_.getInt32(kLanes - 1));
    llvm::Value* step = b_.CreateZExt(low, b_.getInt64Ty());
    llvm::Value* source = step;
    if (stmt_.op == WarpOp::kShflUp) source = b_.CreateSub(lane, step);
    if (stmt_.op == WarpOp::kShflDown) source = b_.CreateAdd(lane, step);
    if (stmt_.op == WarpOp::kShflXor) source = b_.CreateXor(lane, step);
    llvm::Value* inside = b_.CreateICmpULT(source, b_.getInt64(kLanes));
    llvm::Value* within = b_.CreateSelect(inside, source, lane);
    llvm::Value* shifted = b_.CreateLShr(named, b_.CreateTrunc(within, b_.getInt32Ty()));
    llvm::Value* takes_part = b_.CreateTrunc(shifted, b_.getInt1Ty());
    return of_lane(value_, b_.CreateSelect(takes_part, within, lane));
  }

  llvm::Value* vote(llvm::Value* named) {
    llvm::Value* holds = b_.CreateAnd(load(holds_), named);
    if (stmt_.op == WarpOp::kBallot) return holds;
    llvm::Value *any = b_.CreateIsNotNull(holds), *all = b_.CreateICmpEQ(holds, named);
    if (stmt_.op == WarpOp::kAny) return any;
    return stmt_.op == WarpOp::kAll ? all : b_.CreateOr(all, b_.CreateNot(any));
  }

  /// Bit per lane that brought the same bits as this one; lanes that take no part are left to the caller.
  llvm::Value* equal_lanes(llvm::Value* lane) {
    const auto bits = [&](llvm::Value* at) {
      llvm::Value* value = of_lane(value_, at);
      return b_.CreateBitCast(value, b_.getIntNTy(value->getType()->getPrimitiveSizeInBits().getFixedValue()));
    };
    llvm::Value *own = bits(lane), *equal = b_.getInt32(0);
    for (uint32_t other = 0; other < kLanes; ++other) {
      llvm::Value* same = b_.CreateICmpEQ(bits(b_.getInt64(other)), own);
      equal = b_.CreateOr(equal, b_.CreateSelect(same, b_.getInt32(1U << other), b_.getInt32(0)));
    }
    return equal;
  }

  CpuRegionHooks& hooks_;
  FunctionEmitter& emitter_;
  Builder& b_;
  const Warp& stmt_;
  Operand mask_, value_, lane_;
  llvm::AllocaInst *here_ = nullptr, *holds_ = nullptr;  ///< bit per lane that takes part, whose predicate holds
  llvm::Value* all_here_ = nullptr;                      ///< in place of here_, where no lane is elsewhere
};

llvm::AllocaInst* CpuRegionHooks::warp_array(FunctionEmitter& emitter, llvm::Type* element, const char* name) {
  llvm::AllocaInst*& made = warp_arrays_[{element, name}];
  if (!made) made = emitter.entry_alloca(llvm::ArrayType::get(element, kLanes), name);
  return made;
}

void CpuRegionHooks::emit_warp_meeting(FunctionEmitter& emitter, const Warp& stmt) {
  if (!stmt.result.valid() || !plan_.per_thread[stmt.result.index]) return;  // no one looks at the result
  WarpEmitter warp(*this, emitter, stmt);
  const auto lane = [&] { return lane_id(emitter.builder()); };
  const bool whole = !plan_.masks;
  if (warp.has_first_loop()) {
    each_lane(emitter, plan_.masks, whole && warp.is_harmless(), {}, [&] { warp.bring(lane()); });
  }
  each_lane(emitter, plan_.masks, whole, {}, [&] { store_result(emitter, stmt.result, warp.result(lane())); });
}

}  // namespace jitc::codegen
