#include "src/codegen/targets/cpu_regions.hpp"

#include "src/base/check.hpp"
#include "src/base/match.hpp"
#include "src/codegen/llvm_types.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

uint64_t size_of_slot(const Type& type) { return type.is_pointer ? sizeof(void*) : size_bytes(type.dtype); }

}  // namespace

uint64_t CpuRegionHooks::padded_size(const MemoryObject& object) {
  constexpr uint64_t kUnit = 16;
  return (size_of(object) + kUnit - 1) / kUnit * kUnit;
}

CpuRegionHooks::CpuRegionHooks(const KernelProgram& program)
    : program_(program),
      plan_(plan_regions(program)),
      is_left_(program.labels.size()),
      is_continued_(program.labels.size()),
      labels_(program.labels.size()) {
  const auto place = [&](uint64_t size) {
    const uint64_t offset = bytes_per_thread_;
    bytes_per_thread_ += size;
    return offset;
  };
  for (const MemoryObject& object : program.memory) {
    const bool local = object.space == MemorySpace::kLocal;
    array_offsets_.push_back(local ? place(padded_size(object)) : 0);
  }
  for (size_t i = 0; i < program.locals.size(); ++i) {
    const Type type = program.locals[LocalId(static_cast<uint32_t>(i))].type;
    slot_offsets_.push_back(plan_.per_thread[i] ? place(size_of_slot(type)) : 0);
  }
  if (!plan_.masks) return;
  state_offset_ = place(sizeof(uint32_t));
  for (const Stmt& stmt : program.stmts) {
    if (const auto* exit = std::get_if<Exit>(&stmt.kind)) is_left_[exit->label.index] = true;
    if (const auto* next = std::get_if<Continue>(&stmt.kind)) is_continued_[next->label.index] = true;
  }
}

void CpuRegionHooks::describe(const KernelProgram& program, Artifact& artifact) const {
  CpuHooks::describe(program, artifact);
  artifact.cpu_scratch_bytes_per_thread = bytes_per_thread_;
}

void CpuRegionHooks::emit_entry(FunctionEmitter& emitter) {
  begin_function(emitter);
  find_scratch(emitter);
  if (plan_.level == Group::kGrid) {
    emit_body(emitter);
  } else {
    emit_blocks(emitter);
  }
  emitter.builder().CreateRetVoid();
}

/// The block's shared arrays (for a kernel that waits for the whole grid: those of each block), then one array per
/// local and thread.
void CpuRegionHooks::find_scratch(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  thread_count_ = b.CreateMul(b.CreateMul(block_dim_[0], block_dim_[1]), block_dim_[2], "threads", true, true);
  padded_count_ = round_up(b, thread_count_, 32);
  block_size_ = b.CreateAdd(round_up(b, dynamic_shared_bytes(emitter), 64),
                            b.getInt64((shared_layout_.size_bytes + 63) / 64 * 64));
  slot_count_ = padded_count_;
  llvm::Value* shared_size = block_size_;
  if (plan_.level == Group::kGrid) {
    block_count_ = b.CreateMul(b.CreateMul(grid_dim_[0], grid_dim_[1]), grid_dim_[2]);
    slot_count_ = b.CreateMul(slot_count_, block_count_);
    shared_size = b.CreateMul(shared_size, block_count_);
  }
  slots_ = byte_offset(b, scratch_, shared_size);
}

void CpuRegionHooks::emit_blocks(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  llvm::BasicBlock *start = emitter.new_block("blocks"), *end = emitter.new_block("end");
  b.CreateCondBr(b.CreateICmpULT(block_begin_, block_end_), start, end);
  emitter.enter(start);
  each_block(emitter, block_begin_, block_end_, [&] { emit_body(emitter); });
  emitter.branch_to(end);
  emitter.enter(end);
}

void CpuRegionHooks::emit_body(FunctionEmitter& emitter) {
  body_end_ = emitter.new_block("body.end");
  begin_locals(emitter);
  emit_nodes(emitter, plan_.body, plan_.level);
  if (emitter.is_open()) emitter.branch_to(body_end_);
  emitter.enter(body_end_);
}

void CpuRegionHooks::emit_nodes(FunctionEmitter& emitter, const RegionNodes& nodes, Group group) {
  for (const RegionNode& node : nodes) {
    if (!emitter.is_open()) return;
    base::match(
        node.kind, [&](const ThreadRegion& n) { emit_region(emitter, n.stmts, group); },
        [&](const EachGroup& n) { emit_each_group(emitter, n); },
        [&](const GroupAssign& n) {
          const auto& assign = std::get<Assign>(program_.stmts[n.stmt].kind);
          emitter.begin_statement();
          emitter.builder().CreateStore(emitter.value(assign.value), emitter.local(assign.local));
        },
        [&](const GroupIf& n) { emit_if(emitter, n, group); },      //
        [&](const GroupLoop& n) { emit_loop(emitter, n, group); },  //
        [&](const GroupScope& n) { emit_scope(emitter, n, group); },
        [&](const Meeting& n) { emit_meeting(emitter, n.stmt, group); },
        [&](const GroupJump& n) { emit_jump(emitter, n); });
  }
}

void CpuRegionHooks::emit_each_group(FunctionEmitter& emitter, const EachGroup& node) {
  if (node.level == Group::kWarp) return emit_each_warp(emitter, node.body);
  each_block(emitter, emitter.builder().getInt64(0), block_count_, [&] { emit_nodes(emitter, node.body, node.level); });
}

void CpuRegionHooks::emit_each_warp(FunctionEmitter& emitter, const RegionNodes& body) {
  Builder& b = emitter.builder();
  llvm::Value* warps = b.CreateLShr(padded_count_, 5);
  const CountedLoop loop = begin_loop(emitter, b.getInt64(0), warps, "warp");
  warp_begin_ = b.CreateShl(loop.index, 5, "", true, true);
  warp_end_ = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b.CreateAdd(warp_begin_, b.getInt64(32)), thread_count_);
  llvm::Value* row = b.CreateUDiv(warp_begin_, block_dim_[0]);
  warp_first_ = {b.CreateURem(warp_begin_, block_dim_[0]), b.CreateURem(row, block_dim_[1]),
                 b.CreateUDiv(row, block_dim_[1])};
  emit_nodes(emitter, body, Group::kWarp);
  end_loop(emitter, loop);
}

// --- control flow of groups

void CpuRegionHooks::emit_if(FunctionEmitter& emitter, const GroupIf& node, Group group) {
  if (!node.uniform) return emit_masked_if(emitter, node, group);
  const If& stmt = std::get<If>(program_.stmts[node.stmt].kind);
  llvm::BasicBlock *on_true = emitter.new_block("group.then"), *on_false = emitter.new_block("group.else"),
                   *end = emitter.new_block("group.end");
  emitter.begin_statement();
  emitter.builder().CreateCondBr(emitter.value(stmt.cond), on_true, on_false);
  emitter.enter(on_true);
  emit_nodes(emitter, node.then_nodes, group);
  if (emitter.is_open()) emitter.branch_to(end);
  emitter.enter(on_false);
  emit_nodes(emitter, node.else_nodes, group);
  if (emitter.is_open()) emitter.branch_to(end);
  emitter.enter(end);
}

/// Some threads take one branch, some the other: the first run while the second wait, and then the other way round. A
/// branch that no one takes is skipped.
void CpuRegionHooks::emit_masked_if(FunctionEmitter& emitter, const GroupIf& node, Group group) {
  const If& stmt = std::get<If>(program_.stmts[node.stmt].kind);
  Builder& b = emitter.builder();
  llvm::Value *runs = b.getInt32(kRuns), *waits = b.getInt32(waits_for_else(node.stmt)),
              *done = b.getInt32(has_done_then(node.stmt));
  const auto branch = [&](llvm::Value* is_taken, const RegionNodes& nodes) {
    llvm::BasicBlock *taken = emitter.new_block("mask.taken"), *end = emitter.new_block("mask.end");
    b.CreateCondBr(is_taken, taken, end);
    emitter.enter(taken);
    emit_nodes(emitter, nodes, group);
    emitter.branch_to(end);
    emitter.enter(end);
  };
  llvm::Value* any_then = any_thread(emitter, group, true, [&] {
    fill_reads(emitter, {stmt.cond});
    llvm::Value* holds = emitter.value(stmt.cond);
    set_state(emitter, b.CreateSelect(holds, runs, waits));
    return holds;
  });
  branch(any_then, node.then_nodes);
  if (node.else_nodes.empty()) return change_state(emitter, waits_for_else(node.stmt), kRuns, group);
  llvm::Value* any_else = any_thread(emitter, group, false, [&] {
    llvm::Value* now = state(emitter);
    llvm::Value* waited = b.CreateICmpEQ(now, waits);
    set_state(emitter, b.CreateSelect(waited, runs, b.CreateSelect(b.CreateICmpEQ(now, runs), done, now)));
    return waited;
  });
  branch(any_else, node.else_nodes);
  change_state(emitter, has_done_then(node.stmt), kRuns, group);
}

/// With masks a loop goes on while any thread is in it.
void CpuRegionHooks::emit_loop(FunctionEmitter& emitter, const GroupLoop& node, Group group) {
  const Loop& stmt = std::get<Loop>(program_.stmts[node.stmt].kind);
  Builder& b = emitter.builder();
  llvm::BasicBlock *head = emitter.new_block("group.head"), *body = emitter.new_block("group.body"),
                   *step = emitter.new_block("group.step"), *exit = emitter.new_block("group.exit");
  if (!plan_.masks) labels_[stmt.label.index] = {exit, step};
  emitter.branch_to(head);
  emitter.enter(head);
  emit_nodes(emitter, node.head, group);
  if (emitter.is_open()) {
    llvm::Value* goes_on = nullptr;
    if (!node.uniform) {
      goes_on = any_thread(emitter, group, true, [&] {
        fill_reads(emitter, {stmt.cond});
        llvm::Value* holds = emitter.value(stmt.cond);
        set_state(emitter, b.CreateSelect(holds, b.getInt32(kRuns), b.getInt32(left(stmt.label))));
        return holds;
      });
    } else {
      if (plan_.masks) goes_on = any_active(emitter, group);
      emitter.begin_statement();
      llvm::Value* holds = emitter.value(stmt.cond);
      goes_on = goes_on ? b.CreateAnd(goes_on, holds) : holds;
    }
    b.CreateCondBr(goes_on, body, exit);
  }
  emitter.enter(body);
  emit_nodes(emitter, node.body, group);
  if (emitter.is_open()) emitter.branch_to(step);
  emitter.enter(step);
  if (is_continued_[stmt.label.index]) change_state(emitter, continues(stmt.label), kRuns, group);
  emit_nodes(emitter, node.step, group);
  if (emitter.is_open()) emitter.branch_to(head);
  emitter.enter(exit);
  if (!node.uniform || is_left_[stmt.label.index]) change_state(emitter, left(stmt.label), kRuns, group);
}

void CpuRegionHooks::emit_scope(FunctionEmitter& emitter, const GroupScope& node, Group group) {
  const LabelId label = std::get<Scope>(program_.stmts[node.stmt].kind).label;
  llvm::BasicBlock* exit = emitter.new_block("group.exit");
  if (!plan_.masks) labels_[label.index] = {exit, nullptr};
  emit_nodes(emitter, node.body, group);
  if (emitter.is_open()) emitter.branch_to(exit);
  emitter.enter(exit);
  if (is_left_[label.index]) change_state(emitter, left(label), kRuns, group);
}

void CpuRegionHooks::emit_jump(FunctionEmitter& emitter, const GroupJump& node) {
  base::match(
      program_.stmts[node.stmt].kind, [&](const Exit& s) { emitter.branch_to(labels_[s.label.index].exit); },
      [&](const Continue& s) { emitter.branch_to(labels_[s.label.index].step); },
      [&](const auto&) { emitter.branch_to(body_end_); });
}

// --- meetings

void CpuRegionHooks::emit_meeting(FunctionEmitter& emitter, StmtId id, Group group) {
  base::match(
      program_.stmts[id].kind, [&](const Barrier& s) { emit_group_barrier(emitter, s, group); },
      [&](const Warp& s) { emit_warp_meeting(emitter, s); }, [](const auto&) { JITC_CHECK(false, "not a meeting"); });
}

/// That the loop over the threads has ended is all that a plain barrier needs.
void CpuRegionHooks::emit_group_barrier(FunctionEmitter& emitter, const Barrier& stmt, Group group) {
  if (stmt.fail_site && plan_.masks) emit_arrival_check(emitter, *stmt.fail_site, group);
  if (!stmt.result.valid()) return;
  Builder& b = emitter.builder();
  llvm::AllocaInst* holds = emitter.entry_alloca(b.getInt32Ty(), "holds");
  llvm::AllocaInst* fails = emitter.entry_alloca(b.getInt32Ty(), "fails");
  b.CreateStore(b.getInt32(0), holds);
  b.CreateStore(b.getInt32(0), fails);
  const auto add = [&](llvm::AllocaInst* sum, llvm::Value* bit) {
    b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt32Ty(), sum), b.CreateZExt(bit, b.getInt32Ty())), sum);
  };
  each_thread(emitter, group, plan_.masks, {}, [&] {
    fill_reads(emitter, {stmt.predicate});
    llvm::Value* bit = emitter.value(stmt.predicate);
    add(holds, bit);
    add(fails, b.CreateNot(bit));
  });
  llvm::Value* result = b.CreateLoad(b.getInt32Ty(), holds);
  if (stmt.op == BarrierOp::kBlockOr) result = b.CreateZExt(b.CreateIsNotNull(result), b.getInt32Ty());
  if (stmt.op == BarrierOp::kBlockAnd) {
    result = b.CreateZExt(b.CreateIsNull(b.CreateLoad(b.getInt32Ty(), fails)), b.getInt32Ty());
  }
  if (plan_.stored_once[stmt.result.index]) {
    b.CreateStore(result, emitter.local(stmt.result));
  } else if (plan_.per_thread[stmt.result.index]) {
    each_thread(emitter, group, plan_.masks, {}, [&] { store_result(emitter, stmt.result, result); });
  }
}

/// Threads that neither run nor have ended are somewhere else: the barrier would never open. The first of them is
/// reported, and the group ends.
void CpuRegionHooks::emit_arrival_check(FunctionEmitter& emitter, uint32_t fail_site, Group group) {
  Builder& b = emitter.builder();
  llvm::BasicBlock *check = emitter.new_block("barrier.check"), *stop = emitter.new_block("barrier.stop"),
                   *end = emitter.new_block("barrier.end");
  b.CreateCondBr(any_active(emitter, group), check, end);
  emitter.enter(check);
  llvm::AllocaInst* missing = emitter.entry_alloca(b.getInt1Ty(), "missing");
  b.CreateStore(b.getFalse(), missing);
  each_thread(emitter, group, false, {}, [&] {
    llvm::BasicBlock *absent = emitter.new_block("thread.absent"), *next = emitter.new_block("thread.next");
    llvm::Value* now = state(emitter);
    b.CreateCondBr(b.CreateICmpUGT(now, b.getInt32(kEnded)), absent, next);
    emitter.enter(absent);
    b.CreateStore(b.getTrue(), missing);
    emitter.begin_statement();
    emitter.set_thread_end(next);
    emitter.emit_fail({fail_site, {}});
    emitter.enter(next);
  });
  b.CreateCondBr(b.CreateLoad(b.getInt1Ty(), missing), stop, end);
  emitter.enter(stop);
  emitter.branch_to(body_end_);
  emitter.enter(end);
}

llvm::Value* CpuRegionHooks::any_active(FunctionEmitter& emitter, Group group) {
  return any_thread(emitter, group, false,
                    [&] { return emitter.builder().CreateIsNull(state(emitter)); });  // kRuns is 0
}

llvm::Value* CpuRegionHooks::any_thread(FunctionEmitter& emitter, Group group, bool masked,
                                        const std::function<llvm::Value*()>& emit) {
  Builder& b = emitter.builder();
  llvm::AllocaInst* any = emitter.entry_alloca(b.getInt1Ty(), "any");
  b.CreateStore(b.getFalse(), any);
  each_thread(emitter, group, masked, {}, [&] {
    llvm::Value* holds = emit();
    b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), any), holds), any);
  });
  return b.CreateLoad(b.getInt1Ty(), any);
}

llvm::Value* CpuRegionHooks::emit_barrier(FunctionEmitter&, const Barrier&) {
  JITC_CHECK(false, "a barrier inside of a thread's region");
}
llvm::Value* CpuRegionHooks::emit_warp(FunctionEmitter&, const Warp&) {
  JITC_CHECK(false, "a warp operation inside of a thread's region");
}

std::unique_ptr<TargetHooks> make_cpu_region_hooks(const KernelProgram& program) {
  return std::make_unique<CpuRegionHooks>(program);
}

}  // namespace jitc::codegen
