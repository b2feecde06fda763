// Kernels whose threads never meet: one function call runs a range of blocks, as loops over blocks and their threads.
//
//   block = block_begin
//   while block < block_end:                 # one iteration is one row: the threads that differ in x alone
//       for tx in range(x_begin, x_end):     # those of the row that pass the thread guard
//           body                             # Return goes to the next tx
//       advance (ty, tz, block_idx.x, block_idx.y, block_idx.z) like an odometer, and block when tz wraps
#include "src/base/check.hpp"
#include "src/codegen/targets/cpu_hooks.hpp"
#include "src/codegen/targets/thread_range.hpp"
#include "src/codegen/thread_order.hpp"

namespace jitc::codegen {

namespace {

class CpuRowHooks : public CpuHooks {
 public:
  void emit_entry(FunctionEmitter& emitter) override {
    begin_function(emitter);
    begin_rows(emitter);
    begin_row(emitter);
    emitter.emit_thread();
    end_row(emitter);
    end_rows(emitter);
    emitter.builder().CreateRetVoid();
  }

  llvm::Value* emit_barrier(FunctionEmitter&, const kernel::Barrier&) override { JITC_CHECK(false, "a meeting"); }
  llvm::Value* emit_warp(FunctionEmitter&, const kernel::Warp&) override { JITC_CHECK(false, "a meeting"); }
  void end_thread(FunctionEmitter& emitter) override { emitter.branch_to(emitter.thread_end()); }
  void leave_region(FunctionEmitter&, kernel::LabelId, bool) override { JITC_CHECK(false, "a label without blocks"); }

 private:
  /// One division per call finds the first block's coordinates; from row to row they are counted on.
  void begin_rows(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    function_end_ = emitter.new_block("end");
    llvm::BasicBlock *start = emitter.new_block("rows"), *body = emitter.new_block("row");
    b.CreateCondBr(b.CreateICmpULT(block_begin_, block_end_), start, function_end_);
    emitter.enter(start);
    const Axes first = block_coordinates(b, block_begin_);
    b.CreateBr(body);
    emitter.enter(body);
    block_ = new_phi(b, block_begin_, start);
    for (unsigned axis = 0; axis < 3; ++axis) block_idx_[axis] = new_phi(b, first[axis], start);
    for (unsigned axis = 1; axis < 3; ++axis) thread_idx_[axis] = new_phi(b, b.getInt64(0), start);
  }

  void end_rows(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    llvm::Value* carry = b.getInt64(1);
    for (unsigned axis = 1; axis < 3; ++axis) carry = advance(b, thread_idx_[axis], block_dim_[axis], carry);
    llvm::Value* next = b.CreateAdd(block_, carry, "", true);
    block_->addIncoming(next, b.GetInsertBlock());
    for (unsigned axis = 0; axis < 3; ++axis) carry = advance(b, block_idx_[axis], grid_dim_[axis], carry);
    b.CreateCondBr(b.CreateICmpULT(next, block_end_), block_->getParent(), function_end_);
    emitter.enter(function_end_);
  }

  /// One wheel of the odometer; returns the carry to the next.
  ///   %n = add i64 %idx, %carry;  %wraps = icmp eq i64 %n, %dim;  next %idx = select i1 %wraps, i64 0, i64 %n
  static llvm::Value* advance(Builder& b, llvm::Value* idx, llvm::Value* dim, llvm::Value* carry) {
    llvm::Value* next = b.CreateAdd(idx, carry, "", true, true);
    llvm::Value* wraps = b.CreateICmpEQ(next, dim);
    llvm::cast<llvm::PHINode>(idx)->addIncoming(b.CreateSelect(wraps, b.getInt64(0), next), b.GetInsertBlock());
    return b.CreateZExt(wraps, b.getInt64Ty());
  }

  void begin_row(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    const auto [begin, end] = emit_thread_range(emitter, block_idx_[0], block_dim_[0]);
    llvm::BasicBlock *start = emitter.new_block("threads"), *body = emitter.new_block("thread");
    row_end_ = emitter.new_block("row.end");
    b.CreateCondBr(b.CreateICmpULT(begin, end), start, row_end_);
    emitter.enter(start);
    b.CreateBr(body);
    emitter.enter(body);
    thread_idx_[0] = new_phi(b, begin, start);
    x_end_ = end;
  }

  ///   br i1 %more, label %thread, label %row.end, !llvm.loop !{!self, !{!"llvm.loop.parallel_accesses", !group}}
  void end_row(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    auto* tx = llvm::cast<llvm::PHINode>(thread_idx_[0]);
    llvm::Value* next = b.CreateAdd(tx, b.getInt64(1), "", true, true);
    tx->addIncoming(next, b.GetInsertBlock());
    llvm::Instruction* branch = b.CreateCondBr(b.CreateICmpULT(next, x_end_), tx->getParent(), row_end_);
    const kernel::KernelProgram& program = emitter.program();
    const bool small = is_small_enough_for_vectors(program);
    const LoopHints hints = {is_order_safe_in_parallel_rows(program, program.body), small, small};
    branch->setMetadata(llvm::LLVMContext::MD_loop, loop_hints(emitter, hints));
    emitter.enter(row_end_);
  }

  /// Threads of a block are numbered x fastest; 32 of them make a warp.
  llvm::Value* lane_id(Builder& b) const override {
    llvm::Value* row = b.CreateAdd(b.CreateMul(thread_idx_[2], block_dim_[1]), thread_idx_[1]);
    return b.CreateAnd(b.CreateAdd(b.CreateMul(row, block_dim_[0]), thread_idx_[0]), b.getInt64(31));
  }

  llvm::PHINode* block_ = nullptr;
  llvm::Value* x_end_ = nullptr;
  llvm::BasicBlock *function_end_ = nullptr, *row_end_ = nullptr;
};

}  // namespace

std::unique_ptr<TargetHooks> make_cpu_row_hooks() { return std::make_unique<CpuRowHooks>(); }

}  // namespace jitc::codegen
