#include "src/codegen/targets/nvptx_sync.hpp"

#include <algorithm>
#include <string>

#include "src/base/match.hpp"
#include "src/codegen/codegen.hpp"
#include "src/kernel/ops.hpp"

namespace jitc::codegen {

using namespace kernel;
using llvm::Intrinsic::ID;

namespace {

llvm::Value* call(Builder& b, ID id, llvm::ArrayRef<llvm::Value*> args = {}) { return b.CreateIntrinsic(id, {}, args); }

// --- the grid's barrier

/// @kernel__grid_barrier = internal addrspace(1) global i32 0: the high bit flips when all blocks have arrived, the low
/// bits then are 0 again, so that the next barrier and the next launch find it ready.
llvm::GlobalVariable* grid_barrier(FunctionEmitter& emitter) {
  const std::string name = emitter.program().symbol + "__grid_barrier";
  llvm::Module& module = emitter.module();
  if (llvm::GlobalVariable* made = module.getGlobalVariable(name, true)) return made;
  auto* type = emitter.builder().getInt32Ty();
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                  llvm::Constant::getNullValue(type), name, nullptr, llvm::GlobalValue::NotThreadLocal,
                                  /*global*/ 1);
}

/// Is this the first along all three axes? And, for blocks, how many there are.
llvm::Value* is_first(FunctionEmitter& emitter, ThreadValue value) {
  llvm::Value* all = emitter.thread_value(value, 0);
  for (unsigned axis = 1; axis < 3; ++axis) {
    all = emitter.builder().CreateOr(all, emitter.thread_value(value, axis));
  }
  return emitter.builder().CreateIsNull(all);
}

/// One thread of each block adds 1, that of the first block 2^31 - (blocks - 1): the sum flips the high bit and waits
/// see it (the method of CUDA's cooperative groups). Relaxed accesses and fences: LLVM 19 has no others here.
void emit_grid_barrier(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  constexpr uint32_t kFlip = 0x80000000U;
  call(b, llvm::Intrinsic::nvvm_barrier0);
  llvm::BasicBlock *arrive = emitter.new_block("grid.arrive"), *wait = emitter.new_block("grid.wait"),
                   *seen = emitter.new_block("grid.seen"), *end = emitter.new_block("grid.end");
  b.CreateCondBr(is_first(emitter, ThreadValue::kThreadIdx), arrive, end);
  emitter.enter(arrive);
  llvm::Value* blocks = emitter.thread_value(ThreadValue::kGridDim, 0);
  for (unsigned axis = 1; axis < 3; ++axis) {
    blocks = b.CreateMul(blocks, emitter.thread_value(ThreadValue::kGridDim, axis));
  }
  llvm::Value* last = b.CreateSub(b.getInt32(kFlip + 1), b.CreateTrunc(blocks, b.getInt32Ty()));
  llvm::Value* step = b.CreateSelect(is_first(emitter, ThreadValue::kBlockIdx), last, b.getInt32(1));
  call(b, llvm::Intrinsic::nvvm_membar_gl);
  llvm::GlobalVariable* word = grid_barrier(emitter);
  llvm::Value* before =
      b.CreateAtomicRMW(llvm::AtomicRMWInst::Add, word, step, llvm::Align(4), llvm::AtomicOrdering::Monotonic);
  b.CreateBr(wait);
  emitter.enter(wait);
  llvm::Value* now = b.CreateAlignedLoad(b.getInt32Ty(), word, llvm::Align(4), /*isVolatile=*/true);
  llvm::Value* flipped = b.CreateICmpSLT(b.CreateXor(before, now), b.getInt32(0));
  b.CreateCondBr(flipped, seen, wait);
  emitter.enter(seen);
  call(b, llvm::Intrinsic::nvvm_membar_gl);
  b.CreateBr(end);
  emitter.enter(end);
  call(b, llvm::Intrinsic::nvvm_barrier0);
}

// --- shuffles

/// PTX ISA, "shfl.sync": the last operand holds the clamp, 0x1f but for `up`, where it is 0.
struct Shuffle {
  ID id;
  uint32_t clamp;
};

Shuffle shuffle(WarpOp op) {
  if (op == WarpOp::kShflUp) return {llvm::Intrinsic::nvvm_shfl_sync_up_i32, 0};
  if (op == WarpOp::kShflDown) return {llvm::Intrinsic::nvvm_shfl_sync_down_i32, 0x1f};
  if (op == WarpOp::kShflXor) return {llvm::Intrinsic::nvvm_shfl_sync_bfly_i32, 0x1f};
  return {llvm::Intrinsic::nvvm_shfl_sync_idx_i32, 0x1f};
}

/// 64 bits go as two halves.
llvm::Value* emit_shuffle(Builder& b, WarpOp op, llvm::Value* mask, llvm::Value* value, llvm::Value* lane) {
  const Shuffle s = shuffle(op);
  const unsigned width = value->getType()->getPrimitiveSizeInBits().getFixedValue();
  llvm::Type* bits_type = b.getIntNTy(width);
  llvm::Value* bits = b.CreateBitCast(value, bits_type);
  const auto exchange = [&](llvm::Value* word) { return call(b, s.id, {mask, word, lane, b.getInt32(s.clamp)}); };
  if (width == 32) return b.CreateBitCast(exchange(bits), value->getType());
  llvm::Value* low = exchange(b.CreateTrunc(bits, b.getInt32Ty()));
  llvm::Value* high = exchange(b.CreateTrunc(b.CreateLShr(bits, 32), b.getInt32Ty()));
  llvm::Value* both = b.CreateOr(b.CreateZExt(low, bits_type), b.CreateShl(b.CreateZExt(high, bits_type), 32));
  return b.CreateBitCast(both, value->getType());
}

llvm::Value* emit_match(Builder& b, WarpOp op, llvm::Value* mask, llvm::Value* value) {
  const unsigned width = value->getType()->getPrimitiveSizeInBits().getFixedValue();
  llvm::Value* bits = b.CreateBitCast(value, b.getIntNTy(width));
  if (op == WarpOp::kMatchAny) {
    return call(b, width == 32 ? llvm::Intrinsic::nvvm_match_any_sync_i32 : llvm::Intrinsic::nvvm_match_any_sync_i64,
                {mask, bits});
  }
  llvm::Value* pair =
      call(b, width == 32 ? llvm::Intrinsic::nvvm_match_all_sync_i32p : llvm::Intrinsic::nvvm_match_all_sync_i64p,
           {mask, bits});
  return b.CreateExtractValue(pair, 0);
}

}  // namespace

///   call void @llvm.nvvm.barrier0()
///   %n = call i32 @llvm.nvvm.barrier0.popc(i32 %holds)
llvm::Value* emit_nvptx_barrier(FunctionEmitter& emitter, const Barrier& stmt) {
  Builder& b = emitter.builder();
  const auto reduce = [&](ID id) { return call(b, id, {b.CreateZExt(emitter.value(stmt.predicate), b.getInt32Ty())}); };
  switch (stmt.op) {
    case BarrierOp::kBlock: call(b, llvm::Intrinsic::nvvm_barrier0); return nullptr;
    case BarrierOp::kBlockCount: return reduce(llvm::Intrinsic::nvvm_barrier0_popc);
    case BarrierOp::kBlockAnd:
      return b.CreateZExt(b.CreateIsNotNull(reduce(llvm::Intrinsic::nvvm_barrier0_and)), b.getInt32Ty());
    case BarrierOp::kBlockOr:
      return b.CreateZExt(b.CreateIsNotNull(reduce(llvm::Intrinsic::nvvm_barrier0_or)), b.getInt32Ty());
    case BarrierOp::kGrid: emit_grid_barrier(emitter); return nullptr;
  }
  return nullptr;
}

void emit_nvptx_fence(FunctionEmitter& emitter, FenceScope scope) {
  constexpr ID kFences[] = {llvm::Intrinsic::nvvm_membar_cta, llvm::Intrinsic::nvvm_membar_gl,
                            llvm::Intrinsic::nvvm_membar_sys};
  call(emitter.builder(), kFences[static_cast<size_t>(scope)]);
}

///   %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %x, i32 16, i32 31)
llvm::Value* emit_nvptx_warp(FunctionEmitter& emitter, const Warp& stmt) {
  Builder& b = emitter.builder();
  const auto operand = [&](ExprId id) { return id.valid() ? emitter.value(id) : nullptr; };
  llvm::Value *mask = operand(stmt.mask), *value = operand(stmt.value), *lane = operand(stmt.lane);
  switch (stmt.op) {
    case WarpOp::kSync: call(b, llvm::Intrinsic::nvvm_bar_warp_sync, {mask}); return nullptr;
    case WarpOp::kShflIdx:
    case WarpOp::kShflUp:
    case WarpOp::kShflDown:
    case WarpOp::kShflXor: return emit_shuffle(b, stmt.op, mask, value, lane);
    case WarpOp::kAll: return call(b, llvm::Intrinsic::nvvm_vote_all_sync, {mask, value});
    case WarpOp::kAny: return call(b, llvm::Intrinsic::nvvm_vote_any_sync, {mask, value});
    case WarpOp::kUniform: return call(b, llvm::Intrinsic::nvvm_vote_uni_sync, {mask, value});
    case WarpOp::kBallot: return call(b, llvm::Intrinsic::nvvm_vote_ballot_sync, {mask, value});
    case WarpOp::kMatchAny:
    case WarpOp::kMatchAll: return emit_match(b, stmt.op, mask, value);
    case WarpOp::kActive: return call(b, llvm::Intrinsic::nvvm_activemask);
  }
  return nullptr;
}

/// PTX ISA: bar.warp.sync, shfl.sync and vote.sync from 6.0, activemask from 6.2; match.sync from 6.0, on sm_70.
int ptx_isa_of(const KernelProgram& program, int sm) {
  constexpr int kSyncIsa = 60, kActiveMaskIsa = 62, kMatchSm = 70;
  int isa = 0;
  for (const Stmt& stmt : program.stmts) {
    const auto* warp = std::get_if<Warp>(&stmt.kind);
    if (!warp) continue;
    isa = std::max(isa, warp->op == WarpOp::kActive ? kActiveMaskIsa : kSyncIsa);
    if (is_match(warp->op) && sm < kMatchSm) {
      throw TargetError("kernel '" + program.name + "' uses match_any_sync or match_all_sync, which sm_" +
                        std::to_string(sm) + " does not have: sm_70 is the first");
    }
  }
  return isa;
}

}  // namespace jitc::codegen
