// Loops over the threads of a group; what a thread keeps from one to the next.
#include <algorithm>

#include "src/base/check.hpp"
#include "src/codegen/llvm_types.hpp"
#include "src/codegen/targets/cpu_regions.hpp"
#include "src/codegen/thread_order.hpp"
#include "src/kernel/operands.hpp"

namespace jitc::codegen {

using namespace kernel;

// --- loops

CpuRegionHooks::CountedLoop CpuRegionHooks::begin_loop(FunctionEmitter& emitter, llvm::Value* first, llvm::Value* end,
                                                       const char* name) {
  llvm::BasicBlock *before = emitter.builder().GetInsertBlock(), *body = emitter.new_block(name);
  emitter.branch_to(body);
  emitter.enter(body);
  return {new_phi(emitter.builder(), first, before), end};
}

/// Without hints: copies of a loop around loops only grow the code.
void CpuRegionHooks::end_loop(FunctionEmitter& emitter, const CountedLoop& loop, const LoopHints& hints) {
  Builder& b = emitter.builder();
  llvm::Value* next = b.CreateAdd(loop.index, b.getInt64(1), "", true, true);
  loop.index->addIncoming(next, b.GetInsertBlock());
  llvm::BasicBlock* after = emitter.new_block("loop.end");
  llvm::Instruction* branch = b.CreateCondBr(b.CreateICmpULT(next, loop.end), loop.index->getParent(), after);
  branch->setMetadata(llvm::LLVMContext::MD_loop, loop_hints(emitter, hints));
  emitter.enter(after);
}

void CpuRegionHooks::each_block(FunctionEmitter& emitter, llvm::Value* first, llvm::Value* end, const Emit& emit) {
  const CountedLoop loop = begin_loop(emitter, first, end, "block");
  block_ = loop.index;
  block_idx_ = block_coordinates(emitter.builder(), block_);
  emit();
  end_loop(emitter, loop);
}

void CpuRegionHooks::each_thread(FunctionEmitter& emitter, Group group, bool masked, const Block& body,
                                 const Emit& emit) {
  if (group == Group::kWarp) {
    const bool whole = !masked && !body.empty() && is_harmless(body);
    return each_lane(emitter, masked, whole, body, emit);
  }
  if (group == Group::kBlock) return each_thread_of_block(emitter, masked, body, emit);
  each_block(emitter, emitter.builder().getInt64(0), block_count_,
             [&] { each_thread_of_block(emitter, masked, body, emit); });
}

void CpuRegionHooks::each_thread_of_block(FunctionEmitter& emitter, bool masked, const Block& body, const Emit& emit) {
  Builder& b = emitter.builder();
  llvm::Value* zero = b.getInt64(0);
  const CountedLoop rows = begin_loop(emitter, zero, b.CreateMul(block_dim_[1], block_dim_[2], "", true, true), "row");
  llvm::Value *y = b.CreateURem(rows.index, block_dim_[1]), *z = b.CreateUDiv(rows.index, block_dim_[1]);
  llvm::Value* first = b.CreateMul(rows.index, block_dim_[0], "", true, true);
  const CountedLoop x = begin_loop(emitter, zero, block_dim_[0], "x");
  thread_idx_ = {x.index, y, z};
  thread_ = b.CreateAdd(first, x.index, "", true, true);
  emit_one_thread(emitter, masked, emit);
  end_loop(emitter, x, region_hints(body, false));
  end_loop(emitter, rows);
}

/// Lanes are counted along x, then y, then z. A whole warp is a loop of known length, which becomes vectors without a
/// rest.
void CpuRegionHooks::each_lane(FunctionEmitter& emitter, bool masked, bool whole, const Block& body, const Emit& emit) {
  Builder& b = emitter.builder();
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::Value* count = whole ? b.getInt64(kLanes) : b.CreateSub(warp_end_, warp_begin_, "", true, true);
  const CountedLoop lanes = begin_loop(emitter, b.getInt64(0), count, "lane");
  std::array<llvm::PHINode*, 3> at{};
  for (unsigned axis = 0; axis < 3; ++axis) thread_idx_[axis] = at[axis] = new_phi(b, warp_first_[axis], before);
  thread_ = b.CreateAdd(warp_begin_, lanes.index, "", true, true);
  lane_ = lanes.index;
  emit_one_thread(emitter, masked, emit);
  llvm::Value* carry = b.getInt64(1);
  for (unsigned axis = 0; axis < 3; ++axis) {
    llvm::Value* next = b.CreateAdd(at[axis], carry, "", true, true);
    llvm::Value* wraps = b.CreateICmpEQ(next, block_dim_[axis]);
    at[axis]->addIncoming(b.CreateSelect(wraps, b.getInt64(0), next), b.GetInsertBlock());
    carry = b.CreateZExt(wraps, b.getInt64Ty());
  }
  end_loop(emitter, lanes, region_hints(body, whole));
  lane_ = nullptr;
}

/// May lanes run the statements that the block does not have? They have scratch memory, and nothing else is touched.
bool CpuRegionHooks::is_harmless(const Block& body) const {
  return std::all_of(body.begin(), body.end(), [&](StmtId id) {
    const auto* assign = std::get_if<Assign>(&program_.stmts[id].kind);
    return assign && is_harmless(assign->value);
  });
}

bool CpuRegionHooks::is_harmless(ExprId id) const {
  return holds_for_all(program_, id, [](const Expr& expr) { return !std::holds_alternative<Load>(expr.kind); });
}

/// A block has few threads and a kernel may have many regions: copies of a body would cost more than they save.
CpuHooks::LoopHints CpuRegionHooks::region_hints(const Block& body, bool unroll) {
  constexpr int kMaxVectorisedLoops = 64;
  const bool vectorise = ++loop_count_ <= kMaxVectorisedLoops && is_small_enough_for_vectors(program_);
  return {is_order_safe_in_parallel_rows(program_, body), vectorise, vectorise && unroll};
}

void CpuRegionHooks::emit_one_thread(FunctionEmitter& emitter, bool masked, const Emit& emit) {
  Builder& b = emitter.builder();
  llvm::BasicBlock* next = emitter.new_block("thread.end");
  if (masked) {
    llvm::BasicBlock* runs = emitter.new_block("thread.runs");
    b.CreateCondBr(b.CreateICmpEQ(state(emitter), b.getInt32(kRuns)), runs, next);
    emitter.enter(runs);
  }
  emitter.begin_statement();
  emit();
  emitter.branch_to(next);
  emitter.enter(next);
}

void CpuRegionHooks::emit_region(FunctionEmitter& emitter, const Block& stmts, Group group) {
  const Touched touched = touched_by(stmts);
  each_thread(emitter, group, plan_.masks, stmts, [&] {
    llvm::BasicBlock* done = emitter.new_block("region.end");
    emitter.set_thread_end(done);
    fill(emitter, touched);
    emitter.emit_block(stmts);
    if (emitter.is_open()) emitter.branch_to(done);
    emitter.enter(done);
    spill(emitter, touched);
  });
}

// --- values that live on

CpuRegionHooks::Touched CpuRegionHooks::touched_by(const Block& block) const {
  Touched out{LocalSet(program_.locals.size()), LocalSet(program_.locals.size())};
  add_touched(block, out);
  return out;
}

void CpuRegionHooks::add_touched(const Block& block, Touched& out) const {
  for (const StmtId id : block) {
    const Stmt& stmt = program_.stmts[id];
    for_each_operand(stmt, [&](ExprId operand) { add_reads(program_, operand, out.read); });
    if (const LocalId assigned = assigned_local(stmt); assigned.valid()) out.assigned.insert(assigned);
    for_each_block(stmt, [&](const Block& inner) { add_touched(inner, out); });
  }
}

/// What is assigned is brought too: not every path may assign it.
void CpuRegionHooks::fill(FunctionEmitter& emitter, const Touched& touched) {
  Builder& b = emitter.builder();
  LocalSet done(program_.locals.size());
  for (uint32_t i = 0; i < program_.locals.size(); ++i) {
    const LocalId local(i);
    if (plan_.recomputed[i].valid() && touched.read.contains(local)) recompute(emitter, local, done);
    if (!plan_.per_thread[i] || !(touched.read.contains(local) || touched.assigned.contains(local))) continue;
    llvm::LoadInst* loaded = b.CreateLoad(slot_type(emitter, local), local_slot(emitter, local));
    mark_access(*loaded, MemorySpace::kShared);
    llvm::Value* value = loaded;
    if (loaded->getType() != emitter.local(local)->getAllocatedType()) value = b.CreateIsNotNull(loaded);
    b.CreateStore(value, emitter.local(local));
  }
}

void CpuRegionHooks::fill_reads(FunctionEmitter& emitter, const std::vector<ExprId>& exprs) {
  Touched touched{LocalSet(program_.locals.size()), LocalSet(program_.locals.size())};
  for (const ExprId id : exprs) {
    if (id.valid()) add_reads(program_, id, touched.read);
  }
  fill(emitter, touched);
  emitter.begin_statement();
}

/// Operands first.
void CpuRegionHooks::recompute(FunctionEmitter& emitter, LocalId local, LocalSet& done) {
  if (done.contains(local) || plan_.stored_once[local.index]) return;
  done.insert(local);
  const ExprId value = plan_.recomputed[local.index];
  LocalSet reads(program_.locals.size());
  add_reads(program_, value, reads);
  for (uint32_t i = 0; i < program_.locals.size(); ++i) {
    if (reads.contains(LocalId(i))) recompute(emitter, LocalId(i), done);
  }
  emitter.begin_statement();
  emitter.builder().CreateStore(emitter.value(value), emitter.local(local));
}

void CpuRegionHooks::spill(FunctionEmitter& emitter, const Touched& touched) {
  Builder& b = emitter.builder();
  for (uint32_t i = 0; i < program_.locals.size(); ++i) {
    const LocalId local(i);
    if (!plan_.per_thread[i] || !touched.assigned.contains(local)) continue;
    store_result(emitter, local, b.CreateLoad(emitter.local(local)->getAllocatedType(), emitter.local(local)));
  }
}

void CpuRegionHooks::store_result(FunctionEmitter& emitter, LocalId local, llvm::Value* value) {
  Builder& b = emitter.builder();
  if (value->getType() != slot_type(emitter, local)) value = b.CreateZExt(value, slot_type(emitter, local));
  mark_access(*b.CreateStore(value, local_slot(emitter, local)), MemorySpace::kShared);
}

/// Locals that are read before they are assigned begin as zero; all threads run.
void CpuRegionHooks::begin_locals(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  bool any = plan_.masks;
  for (uint32_t i = 0; i < program_.locals.size(); ++i) {
    if (!plan_.live_at_start.contains(LocalId(i))) continue;
    any = any || plan_.per_thread[i];
    llvm::AllocaInst* local = emitter.local(LocalId(i));
    b.CreateStore(llvm::Constant::getNullValue(local->getAllocatedType()), local);
  }
  if (!any) return;
  each_thread(emitter, plan_.level, false, {}, [&] {
    if (plan_.masks) set_state(emitter, kRuns);
    for (uint32_t i = 0; i < program_.locals.size(); ++i) {
      if (!plan_.per_thread[i] || !plan_.live_at_start.contains(LocalId(i))) continue;
      store_result(emitter, LocalId(i), llvm::Constant::getNullValue(slot_type(emitter, LocalId(i))));
    }
  });
}

llvm::Type* CpuRegionHooks::slot_type(FunctionEmitter& emitter, LocalId local) const {
  const Type& type = program_.locals[local].type;
  if (type.is_pointer) return emitter.builder().getPtrTy();
  return memory_type(emitter.context(), type.dtype);
}

/// The thread's element of the array over all threads that begins `bytes_per_thread` for each of them into the slots.
llvm::Value* CpuRegionHooks::slot_address(FunctionEmitter& emitter, uint64_t bytes_per_thread, llvm::Type* type) {
  Builder& b = emitter.builder();
  llvm::Value* array = byte_offset(b, slots_, b.CreateMul(slot_count_, b.getInt64(bytes_per_thread), "", true, true));
  llvm::Value* index = thread_;
  if (plan_.level == Group::kGrid) index = b.CreateAdd(b.CreateMul(block_, padded_count_), thread_, "", true, true);
  return b.CreateInBoundsGEP(type, array, index);
}

llvm::Value* CpuRegionHooks::local_slot(FunctionEmitter& emitter, LocalId local) {
  return slot_address(emitter, slot_offsets_[local.index], slot_type(emitter, local));
}

llvm::Value* CpuRegionHooks::local_array(FunctionEmitter& emitter, uint32_t object) {
  const uint64_t size = padded_size(program_.memory[object]);
  return slot_address(emitter, array_offsets_[object], llvm::ArrayType::get(emitter.builder().getInt8Ty(), size));
}

llvm::Value* CpuRegionHooks::block_scratch(FunctionEmitter& emitter) {
  if (plan_.level != Group::kGrid) return scratch_;
  Builder& b = emitter.builder();
  return byte_offset(b, scratch_, b.CreateMul(block_, block_size_, "", true, true));
}

llvm::Value* CpuRegionHooks::lane_id(Builder& b) const {
  return lane_ ? lane_ : b.CreateAnd(thread_, b.getInt64(kLanes - 1));
}

/// Each thread has its own copy of a local array here.
void CpuRegionHooks::mark_access(llvm::Instruction& access, MemorySpace) {
  access.setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
}

// --- states

llvm::Value* CpuRegionHooks::state(FunctionEmitter& emitter) {
  llvm::Type* type = emitter.builder().getInt32Ty();
  llvm::LoadInst* loaded = emitter.builder().CreateLoad(type, slot_address(emitter, state_offset_, type));
  mark_access(*loaded, MemorySpace::kShared);
  return loaded;
}

void CpuRegionHooks::set_state(FunctionEmitter& emitter, llvm::Value* value) {
  llvm::Value* address = slot_address(emitter, state_offset_, value->getType());
  mark_access(*emitter.builder().CreateStore(value, address), MemorySpace::kShared);
}

void CpuRegionHooks::change_state(FunctionEmitter& emitter, uint32_t from, uint32_t to, Group group) {
  Builder& b = emitter.builder();
  each_thread(emitter, group, false, {}, [&] {
    llvm::Value* now = state(emitter);
    set_state(emitter, b.CreateSelect(b.CreateICmpEQ(now, b.getInt32(from)), b.getInt32(to), now));
  });
}

void CpuRegionHooks::end_thread(FunctionEmitter& emitter) {
  JITC_CHECK(plan_.masks, "a thread ends alone");
  set_state(emitter, kEnded);
  emitter.branch_to(emitter.thread_end());
}

void CpuRegionHooks::leave_region(FunctionEmitter& emitter, LabelId label, bool is_continue) {
  JITC_CHECK(plan_.masks, "a thread leaves its group");
  set_state(emitter, is_continue ? continues(label) : left(label));
  emitter.branch_to(emitter.thread_end());
}

}  // namespace jitc::codegen
