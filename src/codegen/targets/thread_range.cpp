#include "src/codegen/targets/thread_range.hpp"

namespace jitc::codegen {

using kernel::CompareOp;
using kernel::ThreadValue;

namespace {

bool passes_equal(CompareOp op) { return op == CompareOp::kLe || op == CompareOp::kGt; }
bool is_upper(CompareOp op) { return op == CompareOp::kLt || op == CompareOp::kLe; }

/// The first x in [0, block_dim_x] with first + x >= bound, or > bound for kLe and kGt. The difference is used only
/// where it does not overflow.
///   %beyond = icmp sgt i64 %bound, %first
///   %room = call i64 @llvm.umin.i64(i64 (sub %bound, %first), i64 %block_dim_x)
///   %position = select i1 %beyond, i64 %room, i64 0
llvm::Value* position(Builder& b, CompareOp op, llvm::Value* bound, llvm::Value* first, llvm::Value* block_dim_x) {
  llvm::Value* beyond = passes_equal(op) ? b.CreateICmpSGE(bound, first) : b.CreateICmpSGT(bound, first);
  llvm::Value* room = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b.CreateSub(bound, first), block_dim_x);
  if (passes_equal(op)) room = b.CreateAdd(room, b.getInt64(1));
  return b.CreateSelect(beyond, room, b.getInt64(0));
}

void cut(Builder& b, ThreadRange& range, CompareOp op, llvm::Value* position) {
  if (is_upper(op)) {
    range.end = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, range.end, position);
  } else {
    range.begin = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, range.begin, position);
  }
}

}  // namespace

ThreadRange emit_thread_range(FunctionEmitter& emitter, llvm::Value* block_idx_x, llvm::Value* block_dim_x) {
  Builder& b = emitter.builder();
  llvm::Value* zero = b.getInt64(0);
  ThreadGuard guard = find_thread_guard(emitter.program());
  emitter.emit_block(guard.row_assigns);
  emitter.begin_statement();
  ThreadRange range = {zero, block_dim_x};
  for (const IndexBound& bound : guard.bounds) {
    llvm::Value* first = zero;
    if (bound.index == ThreadValue::kGlobalIdx) first = b.CreateMul(block_idx_x, block_dim_x, "", true, true);
    cut(b, range, bound.op, position(b, bound.op, emitter.value(bound.bound), first, block_dim_x));
  }
  for (const Condition& condition : guard.row_conditions) {
    llvm::Value* holds = emitter.value(condition.expr);
    range.end = condition.wanted ? b.CreateSelect(holds, range.end, zero) : b.CreateSelect(holds, zero, range.end);
  }
  emitter.use_guard(std::move(guard));
  return range;
}

}  // namespace jitc::codegen
