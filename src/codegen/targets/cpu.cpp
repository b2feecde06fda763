// The host's processor: one function call runs a range of blocks, as loops over blocks and over their threads.
//
//   define void @axpy(ptr %params, ptr %launch, i64 %block_begin, i64 %block_end)
//   block = block_begin
//   while block < block_end:                 # one iteration is one row: the threads that differ in x alone
//       for tx in range(x_begin, x_end):     # those of the row that pass the thread guard
//           body                             # Return goes to the next tx
//       advance (ty, tz, block_idx.x, block_idx.y, block_idx.z) like an odometer, and block when tz wraps
#include <cstddef>

#include "jitc/cpu_abi.hpp"
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/llvm_types.hpp"
#include "src/codegen/param_layout.hpp"
#include "src/codegen/targets/thread_range.hpp"
#include "src/codegen/thread_order.hpp"
#include "src/kernel/kernel.hpp"

namespace jitc::codegen {

using kernel::MemorySpace;
using kernel::ThreadValue;

namespace {

using Axes = std::array<llvm::Value*, 3>;

class CpuHooks : public TargetHooks {
 public:
  unsigned address_space(MemorySpace) const override { return 0; }

  void begin_entry(FunctionEmitter& emitter) override {
    create_function(emitter);
    load_launch(emitter);
    emitter.set_params(load_params(emitter));
    emitter.create_locals();
    access_group_ = llvm::MDNode::getDistinct(emitter.context(), {});
    begin_rows(emitter);
    begin_row(emitter);
  }

  void end_entry(FunctionEmitter& emitter) override {
    end_row(emitter);
    end_rows(emitter);
    emitter.builder().CreateRetVoid();
  }

  llvm::Value* memory_base(FunctionEmitter&, uint32_t) override { JITC_CHECK(false, "not yet"); }

  llvm::Value* thread_value(FunctionEmitter& emitter, ThreadValue value, unsigned axis) override {
    if (value == ThreadValue::kThreadIdx) return thread_idx_[axis];
    if (value == ThreadValue::kBlockIdx) return block_idx_[axis];
    if (value == ThreadValue::kBlockDim) return block_dim_[axis];
    if (value == ThreadValue::kGridDim) return grid_dim_[axis];
    return lane_id(emitter.builder());
  }

  /// Threads are independent, so the row's iterations are: LLVM vectorises without tests for overlap, where that keeps
  /// the order within a thread.
  void mark_access(llvm::Instruction& access) override {
    access.setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
  }

  llvm::Value* fail_record(FunctionEmitter& emitter) override {
    Builder& b = emitter.builder();
    return b.CreateLoad(b.getPtrTy(), field(b, launch_, offsetof(CpuLaunch, fail)));
  }

  void publish_failure(FunctionEmitter& emitter, llvm::Value* state_ptr, llvm::Value* state) override {
    llvm::StoreInst* store = emitter.builder().CreateAlignedStore(state, state_ptr, llvm::Align(4));
    store->setAtomic(llvm::AtomicOrdering::Release);
  }

 private:
  static llvm::Value* field(Builder& b, llvm::Value* base, size_t offset_bytes) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset_bytes);
  }

  void create_function(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    llvm::Type* types[] = {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty(), b.getPtrTy()};
    auto* type = llvm::FunctionType::get(b.getVoidTy(), types, false);
    auto* function =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, emitter.program().symbol, emitter.module());
    function->setDoesNotThrow();
    params_ = function->getArg(0);
    launch_ = function->getArg(1);
    block_begin_ = function->getArg(2);
    block_end_ = function->getArg(3);
    b.SetInsertPoint(llvm::BasicBlock::Create(emitter.context(), "entry", function));
  }

  ///   %d = load i32, ptr %field, !range !{i32 1, i32 1025}
  ///   %block_dim.x = zext nneg i32 %d to i64
  void load_launch(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    llvm::MDBuilder metadata(emitter.context());
    const auto load = [&](size_t offset_bytes, uint64_t end) {
      llvm::LoadInst* dim = b.CreateLoad(b.getInt32Ty(), field(b, launch_, offset_bytes));
      dim->setMetadata(llvm::LLVMContext::MD_range, metadata.createRange(llvm::APInt(32, 1), llvm::APInt(32, end)));
      return b.CreateZExt(dim, b.getInt64Ty(), "", true);
    };
    for (unsigned axis = 0; axis < 3; ++axis) {
      grid_dim_[axis] = load(offsetof(CpuLaunch, grid) + axis * sizeof(uint32_t), grid_dim_end(axis));
      block_dim_[axis] = load(offsetof(CpuLaunch, block) + axis * sizeof(uint32_t), block_dim_end(axis));
    }
  }

  std::vector<llvm::Value*> load_params(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    std::vector<llvm::Value*> values;
    const ParamLayout layout = lay_out_params(emitter.program());
    for (size_t i = 0; i < layout.slots.size(); ++i) {
      const kernel::Type& type = emitter.program().params[i].type;
      llvm::Type* loaded = type.is_pointer ? b.getPtrTy() : memory_type(emitter.context(), type.dtype);
      const llvm::Align align(layout.slots[i].size_bytes);
      values.push_back(b.CreateAlignedLoad(loaded, field(b, params_, layout.slots[i].offset_bytes), align));
    }
    return values;
  }

  llvm::PHINode* new_phi(Builder& b, llvm::Value* first, llvm::BasicBlock* from) {
    llvm::PHINode* phi = b.CreatePHI(b.getInt64Ty(), 2);
    phi->addIncoming(first, from);
    return phi;
  }

  /// One division per call finds the first block's coordinates; from row to row they are counted on.
  void begin_rows(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    function_end_ = emitter.new_block("end");
    llvm::BasicBlock *start = emitter.new_block("rows"), *body = emitter.new_block("row");
    b.CreateCondBr(b.CreateICmpULT(block_begin_, block_end_), start, function_end_);
    emitter.enter(start);
    llvm::Value* line = b.CreateUDiv(block_begin_, grid_dim_[0]);
    const Axes first = {b.CreateURem(block_begin_, grid_dim_[0]), b.CreateURem(line, grid_dim_[1]),
                        b.CreateUDiv(line, grid_dim_[1])};
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
    branch->setMetadata(llvm::LLVMContext::MD_loop, row_hints(emitter));
    emitter.enter(row_end_);
  }

  /// Vectors multiply the body (main loop, remainder, lanes); a large one is left alone, since its compile time grows
  /// with more than its square.
  llvm::MDNode* row_hints(FunctionEmitter& emitter) {
    constexpr size_t kMaxVectorisedNodes = 2000;
    llvm::LLVMContext& context = emitter.context();
    llvm::SmallVector<llvm::Metadata*> hints = {nullptr};
    if (is_order_safe_in_parallel_rows(emitter.program())) {
      llvm::Metadata* parallel[] = {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), access_group_};
      hints.push_back(llvm::MDNode::get(context, parallel));
    }
    if (kernel::node_count(emitter.program()) > kMaxVectorisedNodes) {
      llvm::Metadata* off = llvm::ConstantAsMetadata::get(emitter.builder().getFalse());
      llvm::Metadata* scalar[] = {llvm::MDString::get(context, "llvm.loop.vectorize.enable"), off};
      hints.push_back(llvm::MDNode::get(context, scalar));
      hints.push_back(llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable")));
    }
    llvm::MDNode* loop = llvm::MDNode::getDistinct(context, hints);
    loop->replaceOperandWith(0, loop);
    return loop;
  }

  /// Threads of a block are numbered x fastest; 32 of them make a warp.
  llvm::Value* lane_id(Builder& b) const {
    llvm::Value* row = b.CreateAdd(b.CreateMul(thread_idx_[2], block_dim_[1]), thread_idx_[1]);
    return b.CreateAnd(b.CreateAdd(b.CreateMul(row, block_dim_[0]), thread_idx_[0]), b.getInt64(31));
  }

  llvm::Value *params_ = nullptr, *launch_ = nullptr, *block_begin_ = nullptr, *block_end_ = nullptr;
  Axes grid_dim_{}, block_dim_{}, block_idx_{}, thread_idx_{};
  llvm::PHINode* block_ = nullptr;
  llvm::Value* x_end_ = nullptr;
  llvm::BasicBlock *function_end_ = nullptr, *row_end_ = nullptr;
  llvm::MDNode* access_group_ = nullptr;
};

}  // namespace

std::unique_ptr<TargetHooks> make_cpu_hooks() { return std::make_unique<CpuHooks>(); }

}  // namespace jitc::codegen
