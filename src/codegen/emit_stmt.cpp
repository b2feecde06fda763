// Statements and structured control flow. A statement after one that leaves the block is not emitted.
#include "src/base/match.hpp"
#include "src/codegen/function_emitter.hpp"

namespace jitc::codegen {

using namespace kernel;

void FunctionEmitter::emit_block(const Block& block) {
  for (const StmtId id : block) {
    if (!is_open()) return;
    emit_stmt(id);
  }
}

void FunctionEmitter::emit_stmt(StmtId id) {
  begin_statement();
  lines_.enter(builder_, program_.stmts[id].span);
  base::match(
      program_.stmts[id].kind,
      [&](const Assign& stmt) { builder_.CreateStore(value(stmt.value), locals_[stmt.local.index]); },
      [&](const Store& stmt) { emit_store(stmt); },  //
      [&](const If& stmt) { emit_if(id, stmt); },    //
      [&](const Loop& stmt) { emit_loop(stmt); },    //
      [&](const Scope& stmt) { emit_scope(stmt); },
      [&](const Exit& stmt) { emit_jump(stmt.label, labels_[stmt.label.index].exit, false); },
      [&](const Continue& stmt) { emit_jump(stmt.label, labels_[stmt.label.index].step, true); },
      [&](const Return&) { hooks_.end_thread(*this); },  //
      [&](const Fail& stmt) { emit_fail(stmt); },        //
      [&](const Atomic& stmt) { emit_atomic(stmt); },
      [&](const Barrier& stmt) { store_result(stmt.result, hooks_.emit_barrier(*this, stmt)); },
      [&](const Fence& stmt) { hooks_.emit_fence(*this, stmt.scope); },
      [&](const Warp& stmt) { store_result(stmt.result, hooks_.emit_warp(*this, stmt)); },
      [&](const Print& stmt) { hooks_.emit_print(*this, stmt); });
}

void FunctionEmitter::emit_jump(LabelId label, llvm::BasicBlock* target, bool is_continue) {
  if (target) return branch_to(target);
  hooks_.leave_region(*this, label, is_continue);
}

void FunctionEmitter::store_result(LocalId result, llvm::Value* stored) {
  if (result.valid()) builder_.CreateStore(stored, locals_[result.index]);
}

void FunctionEmitter::branch_to(llvm::BasicBlock* target) { builder_.CreateBr(target); }

void FunctionEmitter::emit_if(StmtId id, const If& stmt) {
  if (const auto guard = guard_.ifs.find(id); guard != guard_.ifs.end()) return emit_guard(guard->second, stmt);
  emit_branches(value(stmt.cond), &stmt.then_block, &stmt.else_block);
}

/// An If of the thread guard: the loop over the threads has tested the rest of its condition already.
void FunctionEmitter::emit_guard(const GuardIf& guard, const If& stmt) {
  llvm::Value* go_on = nullptr;
  for (const Condition& condition : guard.conditions) {
    llvm::Value* holds = value(condition.expr);
    if (!condition.wanted) holds = builder_.CreateNot(holds);
    go_on = go_on ? builder_.CreateAnd(go_on, holds) : holds;
  }
  if (go_on)
    return emit_branches(go_on, guard.returns ? nullptr : &stmt.then_block,  //
                         guard.returns ? &stmt.then_block : nullptr);
  if (!guard.returns) emit_block(stmt.then_block);
}

/// Null stands for an empty block.
void FunctionEmitter::emit_branches(llvm::Value* cond, const Block* then_block, const Block* else_block) {
  llvm::BasicBlock* end = new_block("if.end");
  const auto branch = [&](const Block* block, const char* name) {
    return block && !block->empty() ? new_block(name) : end;
  };
  llvm::BasicBlock *on_true = branch(then_block, "if.then"), *on_false = branch(else_block, "if.else");
  builder_.CreateCondBr(cond, on_true, on_false);
  const auto fill = [&](llvm::BasicBlock* start, const Block* block) {
    if (start == end) return;
    enter(start);
    emit_block(*block);
    if (is_open()) branch_to(end);
  };
  fill(on_true, then_block);
  fill(on_false, else_block);
  enter(end);
}

/// head: head statements; br cond, body, exit      body: …; br step      step: …; br head
void FunctionEmitter::emit_loop(const Loop& stmt) {
  llvm::BasicBlock *head = new_block("loop.head"), *body = new_block("loop.body"), *step = new_block("loop.step"),
                   *exit = new_block("loop.exit");
  labels_[stmt.label.index] = {exit, step};
  branch_to(head);
  enter(head);
  emit_block(stmt.head);
  if (is_open()) {
    begin_statement();
    builder_.CreateCondBr(value(stmt.cond), body, exit);
  }
  enter(body);
  emit_block(stmt.body);
  if (is_open()) branch_to(step);
  enter(step);
  emit_block(stmt.step);
  if (is_open()) {
    llvm::BranchInst* again = builder_.CreateBr(head);
    if (stmt.lanes) again->setMetadata(llvm::LLVMContext::MD_loop, hooks_.lane_hints(*this, stmt.lane_count));
  }
  enter(exit);
}

void FunctionEmitter::emit_scope(const Scope& stmt) {
  llvm::BasicBlock* exit = new_block("scope.exit");
  labels_[stmt.label.index] = {exit, nullptr};
  emit_block(stmt.body);
  if (is_open()) branch_to(exit);
  enter(exit);
}

}  // namespace jitc::codegen
